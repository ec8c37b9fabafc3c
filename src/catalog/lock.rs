//! One writing program at a time: a lock that is held while a catalog is written.
//!
//! SQLite alone would let a second run in and make both wait for each other. Where the system tells this lock from
//! those of SQLite (Linux, on disks of its own) it is on the catalog itself: whatever name a second program uses for
//! the file, a symbolic link or a hard one, it meets the same lock, and there is nothing beside it that could be
//! removed. Elsewhere it is on a file beside the catalog. The system takes either back however the program ends, also
//! after a kill.
//!
//! A program that closes any descriptor of a file loses the locks that SQLite has on it. So who holds or watches the
//! lock has opened the file before SQLite did, and closes it afterwards: see the order of the fields of `Catalog`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The lock; given back when dropped.
#[derive(Debug)]
pub(super) struct WriterLock {
    file: File,
    #[cfg(not(target_os = "linux"))]
    path: std::path::PathBuf,
}

/// An eye on the lock of a catalog that is read.
#[derive(Debug)]
pub(super) struct Watch(Option<File>);

const GLANCES: u32 = 3;
const GLANCE: Duration = Duration::from_millis(10);

/// The file that the lock of a catalog is on.
#[cfg(target_os = "linux")]
fn locked_file(catalog: &Path) -> std::path::PathBuf {
    catalog.to_owned()
}

#[cfg(not(target_os = "linux"))]
fn locked_file(catalog: &Path) -> std::path::PathBuf {
    let catalog = catalog.canonicalize().unwrap_or_else(|_| catalog.to_owned());
    super::maintain::beside(&catalog, "-lock")
}

impl Watch {
    /// Watches a catalog; to be called before SQLite opens it.
    pub(super) fn new(catalog: &Path) -> Self {
        // A catalog that cannot be read is told by SQLite; elsewhere there is no such file if nobody writes.
        Self(File::open(locked_file(catalog)).ok())
    }

    /// Whether some program is writing to it.
    pub(super) fn is_held(&self) -> bool {
        let Some(file) = &self.0 else { return false };
        match file.try_lock_shared() {
            Ok(()) => {
                // Taken back when the file is closed, if not now.
                let _ = file.unlock();
                false
            }
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
        }
    }
}

impl WriterLock {
    /// Takes the lock of a catalog, which is made, empty, if there is none; nothing if another program has it.
    ///
    /// # Errors
    /// If the file cannot be opened for writing.
    pub(super) fn take(catalog: &Path) -> io::Result<Option<Self>> {
        let path = locked_file(catalog);
        loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
            let mut locked = file.try_lock();
            // Somebody who only asks, see `Watch`, holds it for a moment.
            for _ in 0..GLANCES {
                if let Err(TryLockError::WouldBlock) = locked {
                    std::thread::sleep(GLANCE);
                    locked = file.try_lock();
                }
            }
            match locked {
                Ok(()) if is_still_there(&file, &path) => {
                    return Ok(Some(Self {
                        file,
                        #[cfg(not(target_os = "linux"))]
                        path,
                    }));
                }
                // It was taken away between our opening and our locking it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// The number of names (hard links) that the catalog has, where the lock is on the catalog itself.
    #[cfg(target_os = "linux")]
    pub(super) fn names(&self) -> io::Result<u64> {
        use std::os::unix::fs::MetadataExt;
        Ok(self.file.metadata()?.nlink())
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn names(&self) -> io::Result<u64> {
        self.file.metadata().map(|_| 1)
    }
}

#[cfg(not(target_os = "linux"))]
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
