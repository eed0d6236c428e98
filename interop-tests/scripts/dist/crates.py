"""Makes a directory source for cargo, of the crates that are published and of their dependencies.

    crates.py DIST SOURCES PACKAGE

DIST has the `.crate` files, SOURCES the workspace whose lock file names the dependencies. PACKAGE is made: `vendor/` with
all sources, and `config.toml`, which replaces the registry.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path


def main() -> None:
    dist, sources, package = (Path(arg).absolute() for arg in sys.argv[1:])
    shutil.rmtree(package, ignore_errors=True)
    vendor = package / "vendor"
    subprocess.run(["cargo", "vendor", "--quiet", "--locked", "--versioned-dirs", str(vendor)], check=True, cwd=sources)
    for crate in sorted(dist.glob("*.crate")):
        with tarfile.open(crate) as archive:
            archive.extractall(vendor)
        # Without sums of the single files, so that the package's own sum is what counts.
        checksum = {"files": {}, "package": hashlib.sha256(crate.read_bytes()).hexdigest()}
        (vendor / crate.stem / ".cargo-checksum.json").write_text(json.dumps(checksum))
    config = f'[source.crates-io]\nreplace-with = "packages"\n\n[source.packages]\ndirectory = "{vendor}"\n'
    (package / "config.toml").write_text(config)


main()
