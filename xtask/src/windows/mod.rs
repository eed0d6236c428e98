//! Builds for Windows, and tests them under Wine, on Linux.

mod excluded;
mod program;
mod test_programs;
mod tests;
mod toolchain;
mod unix_only;
mod wine;

pub use self::tests::{WindowsTests, build, install, run};
#[cfg(feature = "dist")]
pub use self::{
    program::{Program, check as check_program},
    toolchain::Toolchain,
    wine::Wine,
};
