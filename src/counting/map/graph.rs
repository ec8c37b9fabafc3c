//! A graph without weights: components and the diameter.

use crate::parallel;
use std::collections::VecDeque;

/// Number of searches from single vertices before the distances from all others are computed, many vertices at once.
const MAX_SINGLE_SEARCHES: usize = 100;

/// Number of vertices whose distances are computed at once.
const BATCH_VERTICES: usize = 256;

/// The diameter below which that is faster than one search after the other: it examines all edges for each step of the
/// distance.
const MAX_BATCH_DIAMETER: usize = 32;

/// An undirected graph. Vertices are numbered from 0.
#[derive(Debug)]
pub(super) struct Graph {
    /// For each vertex, the vertices joined to it, ascending.
    neighbors: Vec<Vec<u32>>,
}

impl Graph {
    /// Builds a graph with the given edges, each once.
    pub(super) fn new(vertices: usize, edges: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut neighbors = vec![Vec::new(); vertices];
        for (a, b) in edges {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        neighbors.iter_mut().for_each(|some| some.sort_unstable());
        Self { neighbors }
    }

    pub(super) fn neighbors(&self, vertex: usize) -> &[u32] {
        &self.neighbors[vertex]
    }

    /// Returns the vertices reachable from one, itself included, with their distances, the nearest first.
    fn distances(&self, from: usize) -> Vec<(usize, usize)> {
        let (mut seen, mut queue) =
            (vec![false; self.neighbors.len()], VecDeque::from([(from, 0)]));
        let mut reached = Vec::new();
        seen[from] = true;
        while let Some((vertex, distance)) = queue.pop_front() {
            reached.push((vertex, distance));
            for &next in &self.neighbors[vertex] {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    queue.push_back((next as usize, distance + 1));
                }
            }
        }
        reached
    }

    /// Returns the connected components, the largest first.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.neighbors.len()];
        let mut components = Vec::new();
        for vertex in 0..self.neighbors.len() {
            if !seen[vertex] {
                let component: Vec<usize> =
                    self.distances(vertex).into_iter().map(|(vertex, _)| vertex).collect();
                component.iter().for_each(|&vertex| seen[vertex] = true);
                components.push(component);
            }
        }
        components.sort_by_key(|component| std::cmp::Reverse(component.len()));
        components
    }

    pub(super) fn component_sizes(&self) -> Vec<usize> {
        self.components().iter().map(Vec::len).collect()
    }

    /// Returns the largest distance of any vertex from one of these.
    fn farthest(&self, from: &[usize]) -> usize {
        let batch = |some: &[usize]| self.farthest_in_batch(some);
        let farthest = parallel::map_chunks(from, BATCH_VERTICES, batch);
        farthest.into_iter().max().unwrap_or(0)
    }

    /// Returns the same for at most [`BATCH_VERTICES`] vertices. Each of these has a bit, which spreads from neighbor
    /// to neighbor, all bits at the same time. When nothing changes any more, the number of steps is the largest
    /// distance.
    fn farthest_in_batch(&self, from: &[usize]) -> usize {
        let mut reached = vec![[0_u64; BATCH_VERTICES / 64]; self.neighbors.len()];
        let mut all = [0; BATCH_VERTICES / 64];
        for (bit, &vertex) in from.iter().enumerate() {
            reached[vertex][bit / 64] |= 1 << (bit % 64);
            all[bit / 64] |= 1 << (bit % 64);
        }
        let mut next = reached.clone();
        for distance in 0.. {
            let mut changed = false;
            for ((own, next), neighbors) in reached.iter().zip(&mut next).zip(&self.neighbors) {
                *next = *own;
                for &neighbor in neighbors {
                    if *next == all {
                        break;
                    }
                    let there = reached[neighbor as usize];
                    next.iter_mut().zip(there).for_each(|(next, there)| *next |= there);
                }
                changed |= next != own;
            }
            if !changed {
                return distance;
            }
            std::mem::swap(&mut reached, &mut next);
        }
        unreachable!("a graph is finite")
    }

    /// Returns the largest distance within a component of the largest size. Several components may have that size, and
    /// which of them comes first depends on the numbering of the vertices.
    ///
    /// Let e be the greatest distance from one vertex. For a vertex at distance d from it, the greatest distance
    /// lies between max(d, e - d) and e + d. Vertices are searched until no upper bound exceeds the largest
    /// distance found (Takes and Kosters, Algorithms 6, 2013). Those with the largest upper bound alternate with
    /// those with the smallest lower bound. Usually a few dozen searches are enough. Where they are not, because
    /// all vertices are about equally far from each other, the distances of all others are computed.
    pub(super) fn diameter(&self) -> usize {
        let components = self.components();
        let size = components.first().map_or(0, Vec::len);
        let mut open: Vec<usize> =
            components.into_iter().take_while(|some| some.len() == size).flatten().collect();
        let (mut lower, mut upper) =
            (vec![0; self.neighbors.len()], vec![usize::MAX; self.neighbors.len()]);
        let (mut most, mut from_above, mut searches) = (0, true, 0);
        while !open.is_empty() {
            searches += 1;
            if searches > MAX_SINGLE_SEARCHES && most < MAX_BATCH_DIAMETER {
                return most.max(self.farthest(&open));
            }
            let degree = |vertex: usize| self.neighbors[vertex].len();
            let next = if from_above {
                open.iter().max_by_key(|&&vertex| (upper[vertex], degree(vertex)))
            } else {
                open.iter().min_by_key(|&&vertex| (lower[vertex], usize::MAX - degree(vertex)))
            };
            let next = *next.expect("some are open");
            from_above = !from_above;
            let reached = self.distances(next);
            let farthest = reached.last().expect("a search meets its start").1;
            most = most.max(farthest);
            for (vertex, distance) in reached {
                lower[vertex] = lower[vertex].max(distance).max(farthest - distance);
                upper[vertex] = upper[vertex].min(farthest + distance);
            }
            upper[next] = farthest;
            open.retain(|&vertex| upper[vertex] > most);
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// Compares with all distances. The graphs have up to a third of all edges.
        #[test]
        fn the_diameter_is_the_largest_distance_of_the_largest_components(
            vertices in 1..31_u32,
            edges in proptest::collection::btree_set((0..30_u32, 0..30_u32), 0..300),
        ) {
            let edges = edges.into_iter().filter(|&(a, b)| a < b && b < vertices);
            let graph = Graph::new(vertices as usize, edges);
            let components = graph.components();
            prop_assert_eq!(components.iter().map(Vec::len).sum::<usize>(), vertices as usize);
            let farthest = |&v: &usize| graph.distances(v).last().unwrap().1;
            let largest = components.iter().filter(|some| some.len() == components[0].len());
            let most = largest.flatten().map(farthest).max().unwrap();
            prop_assert_eq!(graph.diameter(), most);
            let first = components[0].iter().map(farthest).max().unwrap();
            prop_assert_eq!(graph.farthest(&components[0]), first);
        }
    }
}
