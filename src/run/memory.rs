//! How much memory there is to use.

use crate::solve::Limits;
use std::sync::atomic::AtomicBool;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes taken for available where the system does not tell.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// Three quarters of the memory that is available, in bytes: what the machine has free, or less if the control
/// group of the process (a container, a job of a queue) or its own limit (`ulimit -v`) leaves less.
#[must_use]
pub fn available_memory() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let least = [machine, group, room_of_process()].into_iter().flatten().min();
    least.unwrap_or(UNKNOWN_MEMORY) / 4 * 3
}

/// The memory to use: all that is available, or what was asked for if that is less.
#[must_use]
pub fn memory_to_use(asked: Option<u64>) -> u64 {
    asked.unwrap_or(u64::MAX).min(available_memory())
}

/// Limits of the program's counts: they can be stopped, and use no more memory than there is.
pub(crate) fn default_limits(stop: &AtomicBool) -> Limits<'_> {
    Limits { stop: Some(stop), available: Some(available_memory), ..Limits::default() }
}

/// Bytes that the process may still take by its own limit, if it has one.
#[cfg(target_os = "linux")]
fn room_of_process() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * rustix::param::page_size() as u64))
}

/// Bytes that the process may still take by its own limit; asked of Linux alone.
#[cfg(not(target_os = "linux"))]
fn room_of_process() -> Option<u64> {
    None
}
