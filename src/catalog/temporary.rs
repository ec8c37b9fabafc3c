//! Temporary files and folders next to their destination. A writer locks each. The next writer in the same folder
//! deletes unlocked leftovers of killed runs.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tempfile::{Builder, NamedTempFile, TempDir};

const FILE_PREFIX: &str = ".somacat-file-";
const FOLDER_PREFIX: &str = ".somacat-folder-";
const FILE_SUFFIX: &str = ".part";

/// Minimum age of a leftover: a file is not locked in the moment after its creation.
const MIN_LEFTOVER_AGE: Duration = Duration::from_secs(60);

/// Returns the folder of a path, `.` for a plain file name.
pub fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file next to `target` with the permissions `mode`. The process may restrict these. `mode` is
/// ignored outside of Unix.
pub fn temporary_file(target: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let folder = parent_folder(target);
    clear(folder);
    let file = builder(FILE_PREFIX, mode).tempfile_in(folder).map_err(without_path)?;
    // A file without a lock counts as a leftover only once it is old.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Creates a temporary folder next to `target`. Locks it where folders can be locked.
pub fn temporary_folder(target: &Path) -> io::Result<(TempDir, Option<File>)> {
    let parent = parent_folder(target);
    clear(parent);
    let folder = builder(FOLDER_PREFIX, 0o777).tempdir_in(parent).map_err(without_path)?;
    let lock = File::open(folder.path()).ok();
    let lock = lock.filter(|file| file.try_lock().is_ok());
    Ok((folder, lock))
}

fn builder(prefix: &'static str, mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(FILE_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Deletes leftovers of killed runs from a folder, as far as possible.
fn clear(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(is_leftover) {
        let path = entry.path();
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// Returns whether an entry is an old, unlocked temporary of this program.
fn is_leftover(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let ours = name.to_str().is_some_and(|name| {
        let begins = name.starts_with(FILE_PREFIX) || name.starts_with(FOLDER_PREFIX);
        begins && (name.ends_with(FILE_SUFFIX) || name.ends_with(".old"))
    });
    let old = || {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let age = changed.map(|time| SystemTime::now().duration_since(time));
        age.is_ok_and(|age| age.is_ok_and(|age| age >= MIN_LEFTOVER_AGE))
    };
    // A run leaves files and folders; opening a pipe could wait forever.
    let kind = || entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
    let unlocked = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
    ours && old() && kind() && unlocked()
}

/// Removes the temporary file's path from an error. It would mean nothing to a user.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((words, _)) => io::Error::new(error.kind(), words.to_owned()),
        None => error,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn deletes_only_leftovers() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        let make = |name: &str, changed: SystemTime| {
            let file = File::create(at(name)).unwrap();
            file.set_modified(changed).unwrap();
            file
        };
        make(".somacat-file-a.part", hour_ago);
        make(".somacat-file-young.part", SystemTime::now());
        make(".somacat-other.part", hour_ago);
        let held = make(".somacat-file-held.part", hour_ago);
        held.try_lock().unwrap();
        for name in [".somacat-folder-b.part", ".somacat-folder-b.old"] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("index.html"), "").unwrap();
            File::open(at(name)).unwrap().set_modified(hour_ago).unwrap();
        }
        let new = temporary_file(&at("new"), 0o600).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.sort();
        let young = [".somacat-file-held.part", ".somacat-file-young.part", ".somacat-other.part"];
        let mut expected = young.map(at).to_vec();
        expected.push(new.path().to_owned());
        expected.sort();
        assert_eq!(left, expected);
    }
}
