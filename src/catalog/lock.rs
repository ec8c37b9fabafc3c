//! The lock that admits one writer at a time.
//!
//! SQLite alone would let a second run in and make both wait for each other. On Linux this lock covers one byte of
//! the catalog itself, far from the bytes that SQLite locks, and belongs to the open file. A second program meets
//! the same lock through any symbolic or hard link, and there is no lock file to remove. Elsewhere the lock is on a
//! file next to the catalog. The system releases either lock when the program ends, also after a kill.
//!
//! A program that closes any descriptor of a file loses SQLite's locks on it. The holder and the watchers of the lock
//! therefore open the file before SQLite and close it afterwards: see the order of the fields of `Catalog`.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The writer's lock, released when dropped.
#[derive(Debug)]
pub(super) struct WriterLock {
    file: File,
    #[cfg(not(target_os = "linux"))]
    path: std::path::PathBuf,
}

/// Observes the lock of a catalog that is being read.
#[derive(Debug)]
pub(super) struct Watch(Option<File>);

/// Retries of a lock that may be busy for a moment. Another program may be testing it, or a child process of a
/// writer still has the writer's open files.
const LOCK_RETRIES: u32 = 10;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// The operating system's lock.
#[cfg(target_os = "linux")]
mod system {
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc::{F_UNLCK, F_WRLCK, SEEK_SET, flock};
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    /// The locked byte. SQLite locks 512 bytes from `0x4000_0000`. Locks beyond the end of a file are allowed.
    const BYTE: i32 = 0x5000_0000;

    pub(super) fn locked_file(catalog: &Path) -> PathBuf {
        catalog.to_owned()
    }

    fn of_byte() -> flock {
        let (l_type, l_whence) = (F_WRLCK as i16, SEEK_SET as i16);
        flock { l_type, l_whence, l_start: BYTE.into(), l_len: 1, l_pid: 0 }
    }

    /// Takes the lock if it is free. Returns whether it succeeded.
    pub(super) fn try_lock(file: &File) -> io::Result<bool> {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&of_byte())) {
            Ok(_) => Ok(true),
            Err(nix::Error::EAGAIN | nix::Error::EACCES) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether some program holds the lock.
    pub(super) fn is_locked(file: &File) -> bool {
        let mut lock = of_byte();
        let result = fcntl(file, FcntlArg::F_OFD_GETLK(&mut lock));
        result.is_ok() && i32::from(lock.l_type) != F_UNLCK
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::{File, TryLockError};
    use std::io;
    use std::path::{Path, PathBuf};

    pub(super) fn locked_file(catalog: &Path) -> PathBuf {
        let catalog = catalog.canonicalize().unwrap_or_else(|_| catalog.to_owned());
        crate::temporary::with_suffix(&catalog, "-lock")
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
                // Closing the file also releases it.
                let _ = file.unlock();
                false
            }
            Err(error) => matches!(error, TryLockError::WouldBlock),
        }
    }
}

impl Watch {
    /// Watches a catalog; must be called before SQLite opens it.
    pub(super) fn new(catalog: &Path) -> Self {
        // SQLite reports an unreadable catalog. Elsewhere the lock file exists only during a write.
        Self(File::open(system::locked_file(catalog)).ok())
    }

    pub(super) fn is_held(&self) -> bool {
        self.0.as_ref().is_some_and(system::is_locked)
    }
}

impl WriterLock {
    /// Takes the lock of a catalog, creating an empty file if necessary. `None` if another program holds it.
    pub(super) fn take(catalog: &Path) -> io::Result<Option<Self>> {
        let path = system::locked_file(catalog);
        loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
            let mut retries = LOCK_RETRIES;
            while !system::try_lock(&file)? {
                if retries == 0 {
                    return Ok(None);
                }
                retries -= 1;
                std::thread::sleep(LOCK_RETRY_DELAY);
            }
            // Otherwise the file was removed between opening and locking.
            if is_still_there(&file, &path) {
                return Ok(Some(Self {
                    file,
                    #[cfg(not(target_os = "linux"))]
                    path,
                }));
            }
        }
    }

    /// Returns the number of hard links of the catalog.
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
    /// Removes the file under the lock, which protects other locks. A leftover file is harmless: the lock is on the
    /// open file, not on the name.
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
