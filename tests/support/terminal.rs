//! A terminal in which the program runs, of 80 columns and 24 rows. Only Unix has such.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Output, Stdio};

/// Runs a command with its standard output in a terminal. Returns this output and its messages.
pub fn in_terminal(command: Command) -> (String, Output) {
    on_terminal(command, |command, terminal| command.stdout(terminal).stderr(Stdio::piped()))
}

/// Runs a command with its messages in a terminal. Returns them and its standard output.
pub fn messages_in_terminal(command: Command) -> (String, Output) {
    on_terminal(command, |command, terminal| command.stderr(terminal).stdout(Stdio::piped()))
}

/// Runs a command in a terminal of 80 columns and 24 rows. `attach` connects it.
fn on_terminal(
    mut command: Command,
    attach: impl FnOnce(&mut Command, File) -> &mut Command,
) -> (String, Output) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let size = rustix::termios::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&main, size).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let terminal = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let child = attach(&mut command, terminal).spawn().unwrap();
    // The command holds the terminal open, like the child.
    drop(command);
    let reader = std::thread::spawn(move || {
        let (mut bytes, mut main) = (Vec::new(), File::from(main));
        // The end of a terminal is an error on Linux.
        let _ = main.read_to_end(&mut bytes);
        String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
    });
    let output = child.wait_with_output().unwrap();
    (reader.join().unwrap(), output)
}
