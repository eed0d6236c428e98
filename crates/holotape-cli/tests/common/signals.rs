//! Ctrl-C and termination of child processes.

use std::process::{Child, Command};

/// The signals that a program can handle. On Windows there is no other way to end a process gently from outside.
pub const SIGNALS: &[&str] = if cfg!(windows) { &["-INT"] } else { &["-INT", "-TERM"] };

#[cfg(unix)]
mod system {
    use super::{Child, Command};

    pub fn interruptible(command: &mut Command) -> &mut Command {
        command
    }

    pub fn send(signal: &str, child: &Child) {
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("runs");
        assert!(status.success());
    }
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "the standard library has no Ctrl-C")]
mod system {
    use std::env;
    use std::os::windows::process::CommandExt;

    use super::{Child, Command};

    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    const CTRL_C_EVENT: u32 = 0;

    const PID_VARIABLE: &str = "HOLOTAPE_TEST_INTERRUPTED_PID";

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn AttachConsole(process: u32) -> i32;
        fn FreeConsole() -> i32;
        fn GenerateConsoleCtrlEvent(event: u32, process_group: u32) -> i32;
        fn SetConsoleCtrlHandler(handler: usize, add: i32) -> i32;
    }

    /// Gives the process a console of its own: Ctrl-C goes to all processes of a console.
    pub fn interruptible(command: &mut Command) -> &mut Command {
        command.creation_flags(CREATE_NO_WINDOW)
    }

    /// A process has one console, so another one sends the signal.
    pub fn send(_signal: &str, child: &Child) {
        let mut sender = Command::new(env::current_exe().expect("known"));
        sender.args(["--exact", "common::signals::system::child_sends_ctrl_c", "--nocapture"]);
        let output = sender.env(PID_VARIABLE, child.id().to_string()).output().expect("starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Not a test itself: the process that [`send`] starts, with an environment variable.
    #[test]
    fn child_sends_ctrl_c() {
        let Ok(pid) = env::var(PID_VARIABLE) else { return };
        let pid = pid.parse().expect("a number");
        // SAFETY: these functions have no preconditions.
        let results = unsafe {
            FreeConsole();
            [AttachConsole(pid), SetConsoleCtrlHandler(0, 1), GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)]
        };
        assert_eq!(results, [1; 3], "{}", std::io::Error::last_os_error());
    }
}

/// Prepares a command whose process [`send`] can reach.
pub fn interruptible(command: &mut Command) -> &mut Command {
    system::interruptible(command)
}

/// Sends a signal: on Windows, Ctrl-C.
pub fn send(signal: &str, child: &Child) {
    system::send(signal, child);
}
