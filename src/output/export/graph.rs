//! Solution maps as files for graph tools: `GraphML` and DOT.

use crate::xml::xml_text;
use somacat_counting::map::SolutionMap;
use somacat_geometry::somap::SomapCode;
use std::io::{self, Write};

/// The code of each packing of a map. Only the map of the cube has codes.
pub type Codes<'a> = dyn Fn(usize) -> Option<SomapCode> + 'a;

/// Writes a map as `GraphML`. A vertex has its number, from 1, the piece of each cell in the order of the cells, and
/// its code. An edge has the number of moved pieces.
pub fn write_graphml(
    map: &SolutionMap,
    letters: &dyn Fn(usize) -> String,
    code: &Codes<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
          <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
          <key id=\"packing\" for=\"node\" attr.name=\"packing\" attr.type=\"string\"/>\n\
          <key id=\"somap\" for=\"node\" attr.name=\"somap\" attr.type=\"string\"/>\n\
          <key id=\"pieces\" for=\"edge\" attr.name=\"pieces\" attr.type=\"int\"/>\n\
          <graph id=\"map\" edgedefault=\"undirected\">\n",
    )?;
    for vertex in 0..map.vertices() {
        let (number, letters) = (vertex + 1, xml_text(&letters(vertex)));
        write!(out, "<node id=\"n{number}\"><data key=\"packing\">{letters}</data>")?;
        if let Some(code) = code(vertex) {
            write!(out, "<data key=\"somap\">{code}</data>")?;
        }
        writeln!(out, "</node>")?;
    }
    for (pieces, edges) in [(2, map.edges_2()), (3, map.edges_3())] {
        for (a, b) in edges.iter().map(|(a, b)| (a + 1, b + 1)) {
            writeln!(
                out,
                "<edge source=\"n{a}\" target=\"n{b}\"><data key=\"pieces\">{pieces}</data></edge>"
            )?;
        }
    }
    out.write_all(b"</graph>\n</graphml>\n")
}

/// Writes a map for Graphviz: points with their number, from 1, and their code as a tooltip. Thin gray lines mark moves
/// of three pieces.
pub fn write_dot(map: &SolutionMap, code: &Codes<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(
        b"graph map {\n  graph [outputorder=edgesfirst, overlap=prism, splines=false]\n  \
          node [shape=point, width=0.12, color=\"#1f4e79\"]\n  edge [color=\"#1f4e79\"]\n",
    )?;
    for vertex in 0..map.vertices() {
        let (number, code) = (vertex + 1, code(vertex));
        let code = code.map(|code| format!(" {code}")).unwrap_or_default();
        writeln!(out, "  {number} [tooltip=\"{number}{code}\"]")?;
    }
    for (a, b) in map.edges_2() {
        writeln!(out, "  {} -- {}", a + 1, b + 1)?;
    }
    out.write_all(b"  edge [color=\"#b0b0b0\", penwidth=0.5]\n")?;
    for (a, b) in map.edges_3() {
        writeln!(out, "  {} -- {}", a + 1, b + 1)?;
    }
    out.write_all(b"}\n")
}
