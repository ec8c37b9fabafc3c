//! The files of a picture.

use crate::cli::Global;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::output::{commit, create, stdout};
use somacat_output::draw::Picture;
use somacat_output::export::OutputFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A picture to write, with its file; `None` for standard output.
struct PictureFile(PathBuf, Option<OutputFile>);

impl PictureFile {
    fn open(path: &Path) -> Result<Self> {
        let named = Some(path).filter(|path| *path != Path::new("-"));
        let file = named.map(create).transpose().context(format!("picture {}", path.display()))?;
        Ok(Self(path.to_owned(), file))
    }

    fn write(self, bytes: &[u8], global: &Global) -> Result<()> {
        let Self(path, Some(mut file)) = self else {
            let mut out = stdout();
            out.write_all(bytes)?;
            return Ok(out.flush()?);
        };
        let role = format!("picture {}", path.display());
        file.write_all(bytes).context(role.clone())?;
        commit(&path, file).context(role)?;
        global.note(&format!("{} written", path.display()));
        Ok(())
    }
}

/// The pictures to write, opened before any work.
pub(crate) struct PictureFiles {
    svg: Option<PictureFile>,
    png: Option<PictureFile>,
}

impl PictureFiles {
    pub(crate) fn open(svg: Option<&Path>, png: Option<&Path>) -> Result<Self> {
        if svg == png && svg.is_some() {
            return Err(Failure::usage("--svg and --png need two files"));
        }
        let open = |path: Option<&Path>| path.map(PictureFile::open).transpose();
        Ok(Self { svg: open(svg)?, png: open(png)? })
    }

    pub(crate) const fn any(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    pub(crate) fn write(&mut self, picture: &Picture, global: &Global) -> Result<()> {
        if let Some(target) = self.svg.take() {
            target.write(picture.svg.as_bytes(), global)?;
        }
        if let Some(target) = self.png.take() {
            target.write(&picture.png()?, global)?;
        }
        Ok(())
    }
}
