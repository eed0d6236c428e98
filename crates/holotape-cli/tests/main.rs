//! The tests of the command `holotape`: one program, so that they are linked once.

mod batch;
mod check;
mod common;
mod compressed;
mod convert;
mod dataset;
mod diff;
mod docs;
mod edit;
mod info;
mod interchange;
mod openxr;
mod openxr_windows;
mod other;
mod packages;
mod paths;
mod play;
mod record;
mod record_ws;
mod sample;
mod view;
mod windows;
