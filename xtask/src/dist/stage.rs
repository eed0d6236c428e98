//! A copy of the tracked files, in which the page of the viewer is built into its crate.

use std::fs;
use std::path::Path;

use super::archive::{read, sorted_names};
use super::remove_folder;
use super::work::Work;
use crate::Result;
use crate::run::{command, download, output, root, run};
use crate::tools::{self, install_if_stale};

/// The list of the copied files.
const COPIED: &str = ".copied-files";

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Copies the tracked files, removes copies that are no longer tracked, and builds the page.
pub fn prepare(work: &Work) -> Result {
    copy_tracked_files(&work.stage)?;
    for name in sorted_names(&work.stage.join("crates"))? {
        for licence in LICENCES {
            copy_if_changed(&root().join(licence), &work.stage.join("crates").join(&name).join(licence))?;
        }
    }
    build_page(work)
}

fn copy_tracked_files(stage: &Path) -> Result {
    let listed = output(command("git").args(["ls-files", "-z"]))?;
    let files: Vec<&str> = listed.split_terminator('\0').filter(|file| root().join(file).is_file()).collect();
    let earlier = fs::read_to_string(stage.join(COPIED)).unwrap_or_default();
    if earlier.is_empty() {
        // A copy was interrupted: its files are unknown.
        remove_folder(stage)?;
    }
    for stale in earlier.lines().filter(|file| !files.contains(file)) {
        let path = stage.join(stale);
        fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    for file in &files {
        copy_if_changed(&root().join(file), &stage.join(file))?;
    }
    write(&stage.join(COPIED), files.join("\n").as_bytes())
}

/// Builds the page into the viewer's crate. Its build script copies it from there.
fn build_page(work: &Work) -> Result {
    tools::node()?;
    let web = work.stage.join("web");
    install_if_stale(&web, "package-lock.json", "node_modules", |_| {
        let npm = ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
        download(tools::npm(&web).args(npm))
    })?;
    let page = work.build.join("page");
    let vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--emptyOutDir", "--outDir"];
    run(command("node").args(vite).arg(&page).current_dir(&web))?;
    for name in sorted_names(&page)? {
        copy_if_changed(&page.join(&name), &work.stage.join("crates/holotape-viewer/page").join(&name))?;
    }
    Ok(())
}

/// Copies a file unless the target has the same content. Cargo builds again what has a new modification time.
fn copy_if_changed(source: &Path, target: &Path) -> Result {
    let bytes = read(source)?;
    if fs::read(target).is_ok_and(|current| current == bytes) {
        return Ok(());
    }
    write(target, &bytes)?;
    let failed = |error| format!("{}: {error}", target.display());
    fs::set_permissions(target, source.metadata().map_err(failed)?.permissions()).map_err(failed)
}

/// Writes a file, and makes its folder.
pub fn write(path: &Path, bytes: &[u8]) -> Result {
    let failed = |error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, bytes).map_err(failed)
}
