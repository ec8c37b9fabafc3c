//! Wavefront OBJ: text, with one object for each mesh.

use crate::export::Mesh;
use std::io::{self, Write};

/// Writes meshes as objects of one file, in millimeters.
pub fn write_obj(meshes: &[Mesh], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# somacat; millimeters, z up")?;
    let mut first = 1;
    for mesh in meshes {
        let name: String = mesh
            .name
            .chars()
            .map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c })
            .collect();
        writeln!(out, "o {name}")?;
        for [x, y, z] in &mesh.vertices {
            writeln!(out, "v {x:.4} {y:.4} {z:.4}")?;
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|at| u64::from(at) + first);
            writeln!(out, "f {a} {b} {c}")?;
        }
        first += mesh.vertices.len() as u64;
    }
    out.flush()
}
