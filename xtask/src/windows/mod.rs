//! Builds for Windows, and tests them under Wine, on Linux.

mod excluded;
mod test_programs;
mod tests;
mod toolchain;
mod wine;

pub use self::tests::{install, run};
#[expect(unused_imports, reason = "for tasks that build for Windows")]
pub use self::toolchain::{TARGET, Toolchain};
