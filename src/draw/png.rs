//! Rendering pictures as PNG.

use super::Picture;
use resvg::{tiny_skia, usvg};

/// The longest side a PNG may have, in pixels.
pub const MAX_PNG_SIDE: u32 = 16_384;

/// Why a picture cannot become a PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// More than [`MAX_PNG_SIDE`] pixels, or none.
    #[error("a PNG of {0} x {1} pixels: sides are 1 to {MAX_PNG_SIDE}; choose another size")]
    Size(u32, u32),
    /// The renderer rejected the picture.
    #[error("the picture cannot be rendered: {0}")]
    Render(String),
}

impl Picture {
    /// The picture as a PNG file of [`Picture::width`] times [`Picture::height`] pixels, rounded up, on
    /// a transparent background.
    ///
    /// # Errors
    /// If the picture is too large.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        let failed = |error: &dyn std::fmt::Display| PngError::Render(error.to_string());
        // A requested size must not grow by a rounding error.
        let [width, height] = [self.width, self.height].map(|side| (side - 1e-6).ceil() as u32);
        if width == 0 || height == 0 || width.max(height) > MAX_PNG_SIDE {
            return Err(PngError::Size(width, height));
        }
        let options = usvg::Options::default();
        let tree = usvg::Tree::from_str(&self.svg, &options).map_err(|e| failed(&e))?;
        let size = || PngError::Size(width, height);
        let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or_else(size)?;
        resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().map_err(|e| failed(&e))
    }
}
