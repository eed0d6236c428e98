//! Runs other programs in the root of the workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::Result;

/// The workspace folder.
pub fn root() -> PathBuf {
    let package_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    package_dir.parent().unwrap_or(package_dir).to_owned()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// The cargo that runs xtask.
pub fn cargo() -> Command {
    command(&env::var_os("CARGO").map_or_else(|| "cargo".into(), |cargo| cargo.to_string_lossy().into_owned()))
}

pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    // CI builds once, and its disks are small: what the next build would use takes a third of `target/`.
    if env::var_os("CI").is_some() && env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// The same command with a low priority; on Linux only.
pub fn with_low_priority(command: &Command) -> Command {
    let mut nice = self::command("nice");
    nice.args(["-n", "15"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    if let Some(dir) = command.get_current_dir() {
        nice.current_dir(dir);
    }
    nice
}

/// Runs a command; the error of a failure has the command line.
pub fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("{}: {error}", display_command(command)))?;
    if status.success() { Ok(()) } else { Err(format!("failed ({status}): {}", display_command(command))) }
}

/// Runs a command that downloads; if it fails, once more after a pause, since networks and registries fail temporarily.
pub fn download(command: &mut Command) -> Result {
    retry_once(Duration::from_secs(5), || run(command))
}

fn retry_once(pause: Duration, mut attempt: impl FnMut() -> Result) -> Result {
    attempt().or_else(|error| {
        eprintln!("{error}; trying again in {} s", pause.as_secs());
        thread::sleep(pause);
        attempt()
    })
}

/// Runs a command and returns its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    output_accepting(command.stderr(Stdio::inherit()), &[0])
}

/// The same for a command that may exit with any of these codes. What it prints to standard error appears only if it fails.
pub fn output_accepting(command: &mut Command, codes: &[i32]) -> Result<String> {
    let output = command.output().map_err(|error| format!("{}: {error}", display_command(command)))?;
    if !output.status.code().is_some_and(|code| codes.contains(&code)) {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(format!("failed ({}): {}", output.status, display_command(command)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", display_command(command)))
}

/// Whether a command runs successfully.
pub fn is_available(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn display_command(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs an operation that fails this many times. Returns the result and the number of attempts.
    fn attempts(failures: u32) -> (Result, u32) {
        let mut attempts = 0;
        let result = retry_once(Duration::ZERO, || {
            attempts += 1;
            if attempts > failures { Ok(()) } else { Err(format!("failure {attempts}")) }
        });
        (result, attempts)
    }

    #[test]
    fn failed_download_is_retried_once() {
        assert_eq!(attempts(0), (Ok(()), 1));
        assert_eq!(attempts(1), (Ok(()), 2));
        assert_eq!(attempts(2), (Err("failure 2".to_owned()), 2));
    }

    #[cfg(unix)]
    #[test]
    fn only_accepted_exit_codes_are_successes() {
        let exit = |code: i32| {
            let mut shell = command("sh");
            shell.args(["-c", &format!("echo done; exit {code}")]);
            shell
        };
        for (code, codes, is_accepted) in [(0, &[0][..], true), (3, &[0, 3], true), (1, &[0, 3], false)] {
            let output = output_accepting(&mut exit(code), codes);
            assert_eq!(output.is_ok(), is_accepted, "{code} of {codes:?}: {output:?}");
        }
        assert_eq!(output(&mut exit(0)), Ok("done\n".to_owned()));
        assert!(output(&mut exit(3)).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn command_with_low_priority_keeps_folder_and_environment() {
        let mut shell = command("sh");
        shell.args(["-c", "echo $(nice) $TEST_NAME; pwd"]).env("TEST_NAME", "low priority").current_dir("/");
        let own: u8 = output(&mut command("nice")).unwrap().trim().parse().unwrap();
        let expected = format!("{} low priority\n/\n", (own + 15).min(19));
        assert_eq!(output(&mut with_low_priority(&shell)), Ok(expected));
    }
}
