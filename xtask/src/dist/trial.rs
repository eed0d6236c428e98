//! Tries the artifacts where users would install them: in Debian roots without Rust, Node or a compiler.

use super::work::Work;
use crate::Result;
use crate::interop_tests;
use crate::run::{self, command, root, target};

/// Runs `interop-tests/scripts/dist/try` on the artifacts.
pub fn run(work: &Work) -> Result {
    interop_tests::install_root_tools()?;
    let script = root().join("interop-tests/scripts/dist/try");
    run::run(command(&script.to_string_lossy()).arg(&work.out).arg(target().join("dist-trial")))
}
