//! The archives with the command: `.tar.gz` for Linux, `.zip` for Windows.

use std::path::Path;

use super::archive::{Archive, read};
use super::platform::Platform;
use super::programs::Programs;
use super::work::Work;
use crate::Result;

/// Files of the repository that are in every archive.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Makes the archive of a platform. Returns its file name and its bytes.
pub fn make(
    work: &Work,
    platform: Platform,
    programs: &Programs,
    help: &Path,
    licences: &str,
) -> Result<(String, Vec<u8>)> {
    let folder = format!("holotape-{}-{}", work.source.version, platform.triple());
    let inside = |path: &str| format!("{folder}/{path}");
    let mut archive = Archive::new(work.source.time_secs);
    for file in FILES {
        archive.add(&inside(file), read(&work.stage.join(file))?)?;
    }
    archive.add(&inside("THIRD-PARTY-LICENSES"), licences)?;
    archive.add_folder(&inside("completions"), &help.join("completions"))?;
    archive.add_folder(&inside("docs"), &work.stage.join("docs"))?;
    archive.add_executable(&inside(platform.command()), read(&programs.command)?)?;
    // `holotape openxr` finds the library beside the command.
    archive.add_executable(&inside(platform.layers()), read(&programs.layers)?)?;
    archive.add_folder(&inside("man/man1"), &help.join("man"))?;
    match platform {
        Platform::Linux => Ok((format!("{folder}.tar.gz"), archive.tar_gz()?)),
        Platform::Windows => Ok((format!("{folder}.zip"), archive.zip()?)),
    }
}
