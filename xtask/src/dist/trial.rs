//! Tries the artifacts where users would install them: in Debian roots without Rust, Node or a compiler, and under Wine.

use std::fs;
use std::path::PathBuf;

use super::platform::Platform;
use super::remove_folder;
use super::work::Work;
use crate::Result;
use crate::interop_tests;
use crate::run::{self, command, root, target};
use crate::webxr;
use crate::windows::{Program, Wine, check_program};

/// Runs `interop-tests/scripts/dist/try` on the artifacts, and the program of the archive for Windows in a new Wine folder.
pub fn run(work: &Work) -> Result {
    interop_tests::install_root_tools()?;
    webxr::install()?;
    let script = root().join("interop-tests/scripts/dist/try");
    run::run(command(&script.to_string_lossy()).arg(&work.out).arg(target().join("dist-trial")))?;
    try_windows(work)
}

fn try_windows(work: &Work) -> Result {
    let folder = target().join("dist-trial/windows");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let unpacked = |platform: Platform| -> Result<Program> {
        let name = format!("holotape-{}-{}", work.source.version, platform.triple());
        let archive = |end: &str| work.out.join(format!("{name}{end}"));
        match platform {
            Platform::Linux => run::run(command("tar").arg("-xf").arg(archive(".tar.gz")).arg("-C").arg(&folder)),
            Platform::Windows => {
                let unzip = ["-m", "zipfile", "-e"];
                run::run(command("python3").args(unzip).arg(archive(".zip")).arg(&folder))
            }
        }?;
        let command: PathBuf = folder.join(name).join(platform.command());
        Ok(Program { command, layers: None })
    };
    let (linux, windows) = (unpacked(Platform::Linux)?, unpacked(Platform::Windows)?);
    check_program(&windows, &linux, &Wine::install_into(folder.join("prefix"))?)?;
    println!("try: archive for Windows in a new Wine folder: demo, info, openxr, record, repair, dataset, view: ok");
    Ok(())
}
