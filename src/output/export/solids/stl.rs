//! Binary STL for slicers. It has no units; numbers are millimeters by convention.

use crate::export::Mesh;
use std::io::{self, Write};

/// Writes meshes into one file, one after the other.
///
/// # Errors
/// If writing fails, or there are more than 2³² - 1 triangles.
pub fn write_stl(meshes: &[Mesh], out: &mut dyn Write) -> io::Result<()> {
    // A header that begins with "solid" would be read as the text format.
    let mut header = [0_u8; 80];
    let title = b"somacat, binary STL, millimeters";
    header[..title.len()].copy_from_slice(title);
    out.write_all(&header)?;
    let total: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    let total = u32::try_from(total).map_err(|_| io::Error::other("too many triangles for STL"))?;
    out.write_all(&total.to_le_bytes())?;
    for mesh in meshes {
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|at| mesh.vertices[at as usize]);
            for point in [normal(a, b, c), a, b, c] {
                for value in point {
                    out.write_all(&(value as f32).to_le_bytes())?;
                }
            }
            out.write_all(&[0, 0])?;
        }
    }
    out.flush()
}

/// Returns the unit normal that points out of a triangle.
fn normal(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let to = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (to(b), to(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|v| v * v).sum::<f64>().sqrt();
    // Adding 0 turns -0 into 0, so that equal faces are equal bytes.
    cross.map(|v| v / length + 0.0)
}
