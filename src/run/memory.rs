//! The memory that the program may use.

use somacat_counting::solve::Limits;
use std::sync::atomic::AtomicBool;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes assumed to be available where the system does not report them.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// Returns three quarters of the available memory, in bytes.
///
/// The available memory is the machine's free memory, or less if a limit leaves less. Such limits are those of the
/// process (`ulimit -v`) and of its control group (a container, a job of a queue).
pub fn available_memory() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let least = [machine, group, room_of_process()].into_iter().flatten().min();
    least.unwrap_or(UNKNOWN_MEMORY) / 4 * 3
}

/// Returns the limits of every count: a stop, and the available memory.
pub fn default_limits(stop: &AtomicBool) -> Limits<'_> {
    Limits { stop: Some(stop), available: Some(available_memory), ..Limits::default() }
}

/// Restarts the program with one heap for all threads. Does nothing unless its address space is limited (`ulimit -v`).
///
/// For the heap of each thread, glibc reserves 64 MiB of address space. These reservations would take most of the
/// limit. glibc reads the number of heaps from the environment, at the start only. If the restart fails, the program
/// continues unchanged.
#[cfg(target_os = "linux")]
pub fn restart_with_one_heap() {
    use std::os::unix::process::CommandExt;
    const HEAPS: &str = "MALLOC_ARENA_MAX";
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    if limit.is_some() && std::env::var_os(HEAPS).is_none() {
        let mut args = std::env::args_os();
        let mut again = std::process::Command::new("/proc/self/exe");
        again.arg0(args.next().unwrap_or_default()).args(args).env(HEAPS, "1");
        let _ = again.exec();
    }
}

/// Does nothing: the limit is read on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn restart_with_one_heap() {}

/// Returns the bytes that the process's limit leaves, if it has one.
#[cfg(target_os = "linux")]
fn room_of_process() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * rustix::param::page_size() as u64))
}

/// Returns `None`: the limit is read on Linux only.
#[cfg(not(target_os = "linux"))]
fn room_of_process() -> Option<u64> {
    None
}
