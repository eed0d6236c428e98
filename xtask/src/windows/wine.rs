//! Wine, with its own Windows folder in `target/wine`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::toolchain::GCC;
use crate::Result;
use crate::run::{command, is_available, root, run, target};
use crate::tools::debian_package;

/// Names of Wine's program for 64 bits. Debian's package `wine64` alone does not put it into the path.
const PROGRAMS: [&str; 3] = ["wine64", "/usr/lib/wine/wine64", "wine"];

/// A Wine that is ready to run programs.
pub struct Wine {
    program: &'static str,
    prefix: PathBuf,
}

impl Wine {
    /// Installs Wine as root if it is missing, and prepares `target/wine`.
    pub fn install() -> Result<Self> {
        Self::install_into(target().join("wine"))
    }

    /// The same with another folder, which is made if it is missing.
    pub fn install_into(prefix: PathBuf) -> Result<Self> {
        debian_package("wine64", "Wine", || program().is_some())?;
        let program = program().ok_or("Wine is missing")?;
        let wine = Self { program, prefix };
        let ready = wine.prefix.join(".ready");
        if !ready.exists() {
            let failed = |error: std::io::Error| format!("{}: {error}", wine.prefix.display());
            let _ = fs::remove_dir_all(&wine.prefix);
            fs::create_dir_all(&wine.prefix).map_err(failed)?;
            println!("preparing {}", wine.prefix.display());
            wine.prepare()?;
            fs::write(&ready, "").map_err(failed)?;
        }
        Ok(wine)
    }

    /// Runs a program for Windows, without a display.
    pub fn command(&self, program: &Path) -> Command {
        self.with_environment(command(self.program), program)
    }

    /// The same, but kills the program with all that it has started after some minutes. The exit code is then 124 or 137.
    pub fn command_with_timeout(&self, program: &Path, minutes: u32) -> Command {
        let mut timeout = command("timeout");
        timeout.args(["--kill-after=10", &format!("{minutes}m"), self.program]);
        self.with_environment(timeout, program)
    }

    fn with_environment(&self, mut wine: Command, program: &Path) -> Command {
        wine.env("WINEPREFIX", &self.prefix)
            .env("WINEDEBUG", "-all")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        // Neither .NET nor a browser, whose installers would ask, and no entries in the menus of this machine.
        wine.env("WINEDLLOVERRIDES", "mscoree,mshtml,winemenubuilder.exe=d");
        wine.arg(program);
        wine
    }

    /// Writes a shell script that runs a program for Windows, for programs that start others by their path. Killing the process of
    /// the script kills the program.
    pub fn write_script(&self, program: &Path) -> Result<PathBuf> {
        let command = self.command(program);
        let mut script = "#!/bin/sh\n".to_owned();
        for (name, value) in command.get_envs() {
            let name = name.to_string_lossy();
            match value {
                Some(value) => script += &format!("export {name}={}\n", quoted(&value.to_string_lossy())),
                None => script += &format!("unset {name}\n"),
            }
        }
        script += &format!("exec {} {} \"$@\"\n", self.program, quoted(&program.to_string_lossy()));
        let path = self.prefix.join(program.file_stem().unwrap_or_default());
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        fs::write(&path, script).map_err(failed)?;
        run(crate::run::command("chmod").arg("+x").arg(&path))?;
        Ok(path)
    }

    fn prepare(&self) -> Result {
        run(self.command(Path::new("wineboot")).arg("--init"))?;
        let library = self.prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
        if !library.exists() {
            let source = root().join("xtask/src/windows/bcryptprimitives.c");
            let options = ["-O1", "-shared", "-nostdlib", "-Wl,--entry=0", "-o"];
            run(command(GCC).args(options).arg(library).arg(source).arg("-ladvapi32"))?;
        }
        // On the drive of the sources, so that a path without a drive letter means the same in every current folder.
        let temporary = self.prefix.join("temporary");
        fs::create_dir_all(&temporary).map_err(|error| format!("{}: {error}", temporary.display()))?;
        for variable in ["TEMP", "TMP"] {
            let mut reg = self.command(Path::new("reg"));
            reg.args(["add", r"HKCU\Environment", "/f", "/v", variable, "/d", &windows_path(&temporary)]);
            run(&mut reg)?;
        }
        Ok(())
    }
}

fn program() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| is_available(command(program).arg("--version")))
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The path by which programs in Wine see a file of this machine.
fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.to_string_lossy().replace('/', r"\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_word_stays_one_word() {
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }

    #[test]
    fn windows_path_has_drive_and_backslashes() {
        assert_eq!(windows_path(Path::new("/srv/holotape/target")), r"Z:\srv\holotape\target");
    }
}
