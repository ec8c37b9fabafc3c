//! One writing program at a time: a lock file beside the catalog, held while it is written.
//!
//! SQLite alone would let a second run in and make both wait for each other. The lock belongs to the
//! open file, so the system takes it back however the program ends, also after a kill.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The lock; given back when dropped.
#[derive(Debug)]
pub(super) struct WriterLock {
    path: PathBuf,
    _file: File,
}

const GLANCES: u32 = 3;
const GLANCE: Duration = Duration::from_millis(10);

/// The lock file of a catalog.
fn lock_of(catalog: &Path) -> PathBuf {
    let mut name = catalog.file_name().unwrap_or_default().to_owned();
    name.push("-lock");
    catalog.with_file_name(name)
}

/// Whether some program is writing to a catalog.
pub(super) fn is_held(catalog: &Path) -> bool {
    let locked = |file: File| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    File::open(lock_of(catalog)).is_ok_and(locked)
}

impl WriterLock {
    /// Takes the lock of a catalog; nothing if another program has it.
    ///
    /// # Errors
    /// If the file beside the catalog cannot be made.
    pub(super) fn take(catalog: &Path) -> io::Result<Option<Self>> {
        let path = lock_of(catalog);
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
            let mut locked = file.try_lock();
            // Somebody who only asks, see `is_held`, holds it for a moment.
            for _ in 0..GLANCES {
                if let Err(TryLockError::WouldBlock) = locked {
                    std::thread::sleep(GLANCE);
                    locked = file.try_lock();
                }
            }
            match locked {
                Ok(()) if is_still_there(&file, &path) => {
                    return Ok(Some(Self { path, _file: file }));
                }
                // Its owner took the file away between our opening and our locking it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for WriterLock {
    /// Removed while it is still held, so nobody loses a lock he has. What is left behind does no
    /// harm: the lock is on the open file, not in the name.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still_there(_: &File, path: &Path) -> bool {
    path.exists()
}
