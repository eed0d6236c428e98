//! The tarball of the npm package `holotape-webxr`.

use super::archive::{read, sorted_names};
use super::work::Work;
use crate::Result;
use crate::run::{command, download, run};
use crate::tools::install_if_stale;
use crate::web;

/// Builds and packs the package. Returns the name of the file and its bytes.
pub fn make(work: &Work) -> Result<(String, Vec<u8>)> {
    web::install_node()?;
    let package = work.stage.join("packages/holotape-webxr");
    install_if_stale(&package, "package-lock.json", "node_modules", |_| {
        let npm = ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
        download(command("npm").args(npm).current_dir(&package))
    })?;
    if let (Some(repository), Some(homepage)) = (&work.source.repository, &work.source.homepage) {
        // The addresses are set once, in Cargo.toml.
        let addresses = [format!("repository.url=git+{repository}.git"), format!("homepage={homepage}")];
        let mut set = command("npm");
        set.args(["pkg", "set", "repository.type=git"]).args(addresses);
        run(set.current_dir(&package))?;
    }
    let out = work.build.join("npm");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut pack = command("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&out).stdout(std::process::Stdio::null());
    run(pack.current_dir(&package))?;
    let name = sorted_names(&out)?.pop().ok_or("npm pack wrote no file")?;
    read(&out.join(&name)).map(|bytes| (name, bytes))
}
