//! One writing program at a time: a lock that is held while a catalog is written.
//!
//! SQLite alone would let a second run in and make both wait for each other. On Linux this lock is on a byte of the
//! catalog itself, far from those that SQLite locks, and belongs to the open file: whatever name a second program uses
//! for the catalog, a symbolic link or a hard one, it meets the same lock, and there is nothing beside it that could be
//! removed. Elsewhere it is on a file beside the catalog. The system takes either back however the program ends, also
//! after a kill.
//!
//! A program that closes any descriptor of a file loses the locks that SQLite has on it. So who holds or watches the
//! lock has opened the file before SQLite did, and closes it afterwards: see the order of the fields of `Catalog`.

use std::fs::{File, OpenOptions};
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

/// A lock may be there for a moment: of somebody who only asks, or of a program that another thread of a writer is about
/// to start, which has the writer's open files until it begins.
const GLANCES: u32 = 10;
const GLANCE: Duration = Duration::from_millis(10);

/// The lock of the system.
#[cfg(target_os = "linux")]
mod system {
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc::{F_UNLCK, F_WRLCK, SEEK_SET, flock};
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    /// The byte: SQLite locks 512 bytes from `0x4000_0000` on. Locks beyond the end of a file are allowed.
    const BYTE: i32 = 0x5000_0000;

    /// The file that the lock of a catalog is on.
    pub(super) fn locked_file(catalog: &Path) -> PathBuf {
        catalog.to_owned()
    }

    fn of_byte() -> flock {
        let (l_type, l_whence) = (F_WRLCK as i16, SEEK_SET as i16);
        flock { l_type, l_whence, l_start: BYTE.into(), l_len: 1, l_pid: 0 }
    }

    /// Takes the lock if nobody has it, and returns whether.
    pub(super) fn try_lock(file: &File) -> io::Result<bool> {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&of_byte())) {
            Ok(_) => Ok(true),
            Err(nix::Error::EAGAIN | nix::Error::EACCES) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether somebody has it.
    pub(super) fn is_locked(file: &File) -> bool {
        let mut lock = of_byte();
        let asked = fcntl(file, FcntlArg::F_OFD_GETLK(&mut lock));
        asked.is_ok() && i32::from(lock.l_type) != F_UNLCK
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::{File, TryLockError};
    use std::io;
    use std::path::{Path, PathBuf};

    pub(super) fn locked_file(catalog: &Path) -> PathBuf {
        let catalog = catalog.canonicalize().unwrap_or_else(|_| catalog.to_owned());
        crate::maintain::beside(&catalog, "-lock")
    }

    pub(super) fn try_lock(file: &File) -> io::Result<bool> {
        match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub(super) fn is_locked(file: &File) -> bool {
        match file.try_lock_shared() {
            Ok(()) => {
                // Taken back when the file is closed, if not now.
                let _ = file.unlock();
                false
            }
            Err(error) => matches!(error, TryLockError::WouldBlock),
        }
    }
}

impl Watch {
    /// Watches a catalog; to be called before SQLite opens it.
    pub(super) fn new(catalog: &Path) -> Self {
        // A catalog that cannot be read is told by SQLite; elsewhere there is no such file if nobody writes.
        Self(File::open(system::locked_file(catalog)).ok())
    }

    /// Whether some program is writing to it.
    pub(super) fn is_held(&self) -> bool {
        self.0.as_ref().is_some_and(system::is_locked)
    }
}

impl WriterLock {
    /// Takes the lock of a catalog, which is made, empty, if there is none; nothing if another program has it.
    ///
    /// # Errors
    /// If the file cannot be opened for writing.
    pub(super) fn take(catalog: &Path) -> io::Result<Option<Self>> {
        let path = system::locked_file(catalog);
        loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
            let mut glances = GLANCES;
            while !system::try_lock(&file)? {
                if glances == 0 {
                    return Ok(None);
                }
                glances -= 1;
                std::thread::sleep(GLANCE);
            }
            // Else it was taken away between our opening and our locking it.
            if is_still_there(&file, &path) {
                return Ok(Some(Self {
                    file,
                    #[cfg(not(target_os = "linux"))]
                    path,
                }));
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
