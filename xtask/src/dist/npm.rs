//! The tarball of the npm package `holotape-webxr`.

use super::archive::{read, sorted_names};
use super::work::Work;
use crate::Result;
use crate::run::{download, run};
use crate::tools::{self, install_if_stale};

/// Builds and packs the package. Returns the name of the file and its bytes.
pub fn make(work: &Work) -> Result<(String, Vec<u8>)> {
    tools::node()?;
    let package = work.stage.join("packages/holotape-webxr");
    install_if_stale(&package, "package-lock.json", "node_modules", |_| {
        let npm = ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
        download(tools::npm(&package).args(npm))
    })?;
    if let (Some(repository), Some(homepage)) = (&work.source.repository, &work.source.homepage) {
        // The addresses are set once, in Cargo.toml.
        let addresses = [format!("repository.url=git+{repository}.git"), format!("homepage={homepage}")];
        run(tools::npm(&package).args(["pkg", "set", "repository.type=git"]).args(addresses))?;
    }
    let out = work.build.join("npm");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut pack = tools::npm(&package);
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&out).stdout(std::process::Stdio::null());
    run(&mut pack)?;
    let name = sorted_names(&out)?.pop().ok_or("npm pack wrote no file")?;
    read(&out.join(&name)).map(|bytes| (name, bytes))
}
