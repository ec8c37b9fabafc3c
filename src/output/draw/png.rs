//! Rendering pictures as PNG.

use super::Picture;
use super::picture::label;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::{tiny_skia, usvg};
use std::io::Write;

/// The longest side of a PNG, in pixels.
pub const MAX_PNG_SIDE: u32 = 16_384;

#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("a PNG of {0} x {1} pixels: sides are 1 to {MAX_PNG_SIDE}; choose another size")]
    Size(u32, u32),
    #[error("the picture cannot be rendered: {0}")]
    Render(String),
}

/// Width and height of a card, and its margin, in pixels.
const CARD: [u32; 2] = [600, 315];
const CARD_MARGIN: f64 = 18.0;
/// The heights of a card's name and of the line below it.
const CARD_LINES: [f64; 2] = [42.0, 32.0];

impl Picture {
    /// Renders the picture as a PNG file on a light card. A name and another line are below the picture. The card has
    /// 600 by 315 pixels, the shape of link previews.
    pub fn card(&self, lines: [&str; 2]) -> Result<Vec<u8>, PngError> {
        let [width, height] = CARD;
        let mut pixels =
            tiny_skia::Pixmap::new(width, height).ok_or(PngError::Size(width, height))?;
        pixels.fill(tiny_skia::Color::from_rgba8(0xfb, 0xfa, 0xf7, 0xff));
        let room = CARD.map(|side| f64::from(side) - 2.0 * CARD_MARGIN);
        let [name, count] = CARD_LINES;
        let middle = room[1] - name - count;
        let below = CARD_MARGIN + middle;
        let places = lines.into_iter().zip([(name, below), (count, below + name)]);
        let lines = places.filter_map(|(line, (rows, top))| {
            let (svg, size) = label(line)?;
            Some((svg, size, rows, top))
        });
        let figure = (self.svg.clone(), [self.width, self.height], middle, CARD_MARGIN);
        for (svg, size, rows, top) in std::iter::once(figure).chain(lines) {
            let scale = (room[0] / size[0]).min(rows / size[1]);
            let left = (f64::from(width) - scale * size[0]) / 2.0;
            let top = top + (rows - scale * size[1]) / 2.0;
            let place = tiny_skia::Transform::from_scale(scale as f32, scale as f32)
                .post_translate(left as f32, top as f32);
            render(&svg, place, &mut pixels)?;
        }
        encode(&pixels)
    }

    /// Renders the picture as a PNG file with a transparent background. Its size is [`Picture::width`] by
    /// [`Picture::height`] pixels, rounded up.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        // A requested size must not grow by a rounding error.
        let [width, height] = [self.width, self.height].map(|side| (side - 1e-6).ceil() as u32);
        if width == 0 || height == 0 || width.max(height) > MAX_PNG_SIDE {
            return Err(PngError::Size(width, height));
        }
        let size = || PngError::Size(width, height);
        let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(size)?;
        render(&self.svg, tiny_skia::Transform::identity(), &mut pixels)?;
        encode(&pixels)
    }
}

/// Writes pixels as a PNG file.
///
/// Faces have one color, and so a row of pixels mostly repeats bytes. Compression finds that faster, and better, in the
/// bytes themselves than in differences of neighbors, with which photographs are compressed.
fn encode(pixels: &tiny_skia::Pixmap) -> Result<Vec<u8>, PngError> {
    let is_opaque = pixels.pixels().iter().all(|pixel| pixel.alpha() == u8::MAX);
    let color = if is_opaque { png::ColorType::Rgb } else { png::ColorType::Rgba };
    let [width, height] = [pixels.width(), pixels.height()];
    let row_bytes = 1 + color.samples() * width as usize;
    // The first byte of a row is its filter, 0 for none.
    let mut rows = vec![0; row_bytes * height as usize];
    let pixel_rows = pixels.pixels().chunks_exact(width as usize);
    for (row, pixel_row) in rows.chunks_exact_mut(row_bytes).zip(pixel_rows) {
        if is_opaque {
            let (to, _) = row[1..].as_chunks_mut();
            to.iter_mut().zip(pixel_row).for_each(|(to, p)| *to = [p.red(), p.green(), p.blue()]);
        } else {
            let (to, _) = row[1..].as_chunks_mut();
            for (to, pixel) in to.iter_mut().zip(pixel_row) {
                let p = pixel.demultiply();
                *to = [p.red(), p.green(), p.blue(), p.alpha()];
            }
        }
    }
    // The usual level searches longer for files that are 4 % smaller. The encoder below would clear a buffer for each row.
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::new(3));
    compressed.write_all(&rows).map_err(failed)?;
    let compressed = compressed.finish().map_err(failed)?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_chunk(png::chunk::IDAT, &compressed).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(file)
}

fn failed(error: impl std::fmt::Display) -> PngError {
    PngError::Render(error.to_string())
}

fn render(
    svg: &str,
    place: tiny_skia::Transform,
    pixels: &mut tiny_skia::Pixmap,
) -> Result<(), PngError> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(failed)?;
    resvg::render(&tree, place, &mut pixels.as_mut());
    Ok(())
}
