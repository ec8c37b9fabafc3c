//! Temporary files and folders next to their destination. A writer locks each. The next writer in the same folder
//! deletes unlocked leftovers of killed runs.
//!
//! A result that must not replace another is written even where one stands, and compared with it. A command that was
//! killed after its last step finds its own result when it is repeated, and ends as it would have ended. Nothing has to
//! be stored for this, and a result that was edited meanwhile is not mistaken for a complete one.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
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

/// Appends `ending` to the name of a file: `FILE-wal` for `FILE`.
pub(super) fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Creates a temporary file next to `target` with the permissions `mode`. The process may restrict these. `mode` is
/// ignored outside of Unix.
pub fn temporary_file(target: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let folder = parent_folder(target);
    clear(folder);
    let _gate = lock(&GATE);
    let file = builder(FILE_PREFIX, mode).tempfile_in(folder).map_err(without_path)?;
    note(file.path(), target);
    // A file without a lock counts as a leftover only once it is old.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Creates a temporary folder next to `target`. Locks it where folders can be locked.
pub fn temporary_folder(target: &Path) -> io::Result<(TempDir, Option<File>)> {
    let parent = parent_folder(target);
    clear(parent);
    let _gate = lock(&GATE);
    let folder = builder(FOLDER_PREFIX, 0o777).tempdir_in(parent).map_err(without_path)?;
    note(folder.path(), target);
    let lock = File::open(folder.path()).ok();
    let lock = lock.filter(|file| file.try_lock().is_ok());
    Ok((folder, lock))
}

/// The temporary files and folders of this process. Those that got their final names or were deleted no longer exist
/// under these paths.
static TEMPORARIES: Mutex<Vec<Temporary>> = Mutex::new(Vec::new());

struct Temporary {
    /// The absolute path.
    path: PathBuf,
    /// The path as it was created, which errors contain.
    created: String,
    /// The name that the result gets.
    target: String,
}

/// Held while a temporary is created, and while a result gets its name. [`end_writes`] takes it for good.
static GATE: Mutex<()> = Mutex::new(());

/// True once a result of this process has its name.
static HAS_RESULT: AtomicBool = AtomicBool::new(false);

/// The attempts to take the gate, a millisecond apart. A thread may hang in the middle of a change.
const GATE_ATTEMPTS: usize = 500;

/// The attempts to delete a folder. A thread that was just opening a file may still add it.
const DELETE_ATTEMPTS: usize = 100;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn note(path: &Path, target: &Path) {
    let (created, target) = (path.display().to_string(), target.display().to_string());
    lock(&TEMPORARIES).push(Temporary { path: absolute(path), created, target });
}

/// Replaces the names of temporary files and folders of this process in a message with the names that the user gave.
pub fn with_names_of_results(message: String) -> String {
    lock(&TEMPORARIES).iter().fold(message, |message, temporary| {
        // Most messages contain none.
        match message.contains(&temporary.created) {
            true => message.replace(&temporary.created, &temporary.target),
            false => message,
        }
    })
}

/// Gives a complete file or folder its name `target`, by `rename`. Waits forever after [`end_writes`].
pub fn name_result<T>(target: &Path, rename: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let _gate = lock(&GATE);
    let done = rename()?;
    let target = absolute(target);
    // A file in a temporary folder is only a part of a result.
    if !lock(&TEMPORARIES).iter().any(|temporary| target.starts_with(&temporary.path)) {
        HAS_RESULT.store(true, Ordering::SeqCst);
    }
    Ok(done)
}

/// From now on no thread creates a temporary or names a result: it waits until the process ends. Returns true if a
/// result has its name already.
pub fn end_writes() -> bool {
    static ENDED: AtomicBool = AtomicBool::new(false);
    if !ENDED.swap(true, Ordering::SeqCst) {
        for _ in 0..GATE_ATTEMPTS {
            match GATE.try_lock() {
                Ok(gate) => {
                    std::mem::forget(gate);
                    break;
                }
                Err(TryLockError::Poisoned(gate)) => {
                    std::mem::forget(gate.into_inner());
                    break;
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
    HAS_RESULT.load(Ordering::SeqCst)
}

/// Deletes all temporary files and folders of this process, as far as possible. Called after [`end_writes`], before a
/// process ends whose threads may still write to them.
pub fn delete_temporaries() {
    let temporaries = lock(&TEMPORARIES);
    for path in temporaries.iter().map(|temporary| &temporary.path).filter(|path| path.exists()) {
        // Under another name, no thread adds a file to a folder that is being deleted.
        let aside = path.with_extension("old");
        let _ = match fs::rename(path, &aside) {
            Ok(()) if aside.is_dir() => {
                let mut attempts = (0..DELETE_ATTEMPTS).map(|_| fs::remove_dir_all(&aside));
                attempts.find(Result::is_ok).unwrap_or(Ok(()))
            }
            Ok(()) => fs::remove_file(aside),
            Err(error) => Err(error),
        };
    }
}

/// Renames a complete file to `target`, unless another file is there. Returns whether `target` now has this content: a
/// file with the same content stays, and the new one is deleted with its folder.
pub(super) fn put_new_file(new: &Path, target: &Path) -> io::Result<bool> {
    if target.exists() {
        return have_same_contents(new, target);
    }
    name_result(target, || fs::rename(new, target)).map(|()| true)
}

/// Returns whether two files, or all files below two folders, have the same names and contents.
pub fn have_same_contents(one: &Path, other: &Path) -> io::Result<bool> {
    let kinds = [one, other].map(|path| fs::symlink_metadata(path).map(|found| found.file_type()));
    let [first, second] = kinds;
    let (first, second) = (first?, second?);
    if first.is_dir() && second.is_dir() {
        let names = |folder: &Path| -> io::Result<Vec<_>> {
            let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
            let mut names = names.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            Ok(names)
        };
        let files = names(one)?;
        if files != names(other)? {
            return Ok(false);
        }
        for name in files {
            if !have_same_contents(&one.join(&name), &other.join(&name))? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if !(first.is_file() && second.is_file()) {
        return Ok(false);
    }
    let open = |path| File::open(path).map(|file| BufReader::with_capacity(1 << 16, file));
    let (mut one, mut other) = (open(one)?, open(other)?);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let size = left.len().min(right.len());
        if left[..size] != right[..size] || (size == 0 && left.len() != right.len()) {
            return Ok(false);
        }
        if size == 0 {
            return Ok(true);
        }
        one.consume(size);
        other.consume(size);
    }
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
