//! The OpenXR layers in real applications on a real runtime: Monado's service without display, and Khronos'
//! loader: `client.py` and `button.py` use the one of pyopenxr, hello_xr that of Debian, isaacteleop its own.
//!
//! All of it runs in a Debian file system that `cargo xtask test` makes; `HOLOTAPE_OPENXR_ROOT` names another one. The
//! scripts are in `interop-tests/scripts/openxr`. Tests compare poses at the times of frames, so it does not matter how
//! fast the machine runs them.
#![cfg(target_os = "linux")]

mod bed;
mod button;
mod client;
mod failures;
mod graphics;
mod near;
mod record;
mod replay;
mod stacked;
mod teleop;
