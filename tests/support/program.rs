//! The program as a user starts it.

use super::deadline::PATIENCE;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub fn somacat(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_somacat"));
    command.current_dir(folder).args(args).env_remove("SOMACAT_DB");
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    somacat(folder, args).output().unwrap()
}

/// Runs the program in a folder of mode 555, as `nobody` if this user may write there all the same, as root may.
#[cfg(unix)]
pub fn run_in_read_only(folder: &Path, args: &[&str]) -> Output {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let set_mode = |mode| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    let mut command = somacat(folder, args);
    let probe = folder.join("probe");
    if fs::File::create(&probe).is_ok() {
        fs::remove_file(&probe).unwrap();
        command.uid(65_534);
    }
    let done = command.output().expect("the program can be started by another user");
    set_mode(0o755);
    done
}

/// Writes the files that `somacat run` leaves in an empty folder. One thread makes them once for all tests.
pub fn starter(folder: &Path) {
    const NAMES: [&str; 2] = ["somacat.db", "somacat.csv"];
    static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
        let made = TempDir::new().unwrap();
        let done = run(made.path(), &["run", "-q", "--threads", "1"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        NAMES.map(|name| fs::read(made.path().join(name)).unwrap())
    });
    for (name, bytes) in NAMES.iter().zip(&*FILES) {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Starts the program and writes all its input.
pub fn start(folder: &Path, args: &[&str], input: &[u8]) -> Child {
    let mut child = somacat(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may refuse its input before reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

pub fn with_input(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    start(folder, args, input).wait_with_output().unwrap()
}

/// Sends a signal. One that a program handles is sent as soon as it does.
pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let number = match name {
        "HUP" => Some(1),
        "INT" => Some(2),
        "TERM" => Some(15),
        _ => None,
    };
    let begun = Instant::now();
    while number.is_some_and(|number| handles(&pid, number) == Some(false)) {
        assert!(begun.elapsed() < PATIENCE, "the program does not handle {name}");
        std::thread::sleep(Duration::from_millis(5));
    }
    send(child, name);
}

/// Sends a signal at once, whether the program handles it, ignores it or neither.
pub fn send(child: &Child, name: &str) {
    let args = [format!("-{name}"), child.id().to_string()];
    assert!(Command::new("kill").args(args).status().unwrap().success());
}

/// Returns whether a running program handles a signal. `None` if it has ended, or if the system cannot tell.
fn handles(pid: &str, number: u32) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let value = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let caught = u64::from_str_radix(value("SigCgt:")?, 16).ok()?;
    value("State:").filter(|state| !state.starts_with('Z')).map(|_| caught >> (number - 1) & 1 == 1)
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}
