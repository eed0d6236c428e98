//! The integration tests of the converters: one program, so that they are linked once.

#[path = "../../holotape/tests/common/alloc.rs"]
mod alloc;
mod arguments;
mod bvh;
mod compression;
mod frame_losses;
mod gltf;
mod handsbin;
mod import;
mod isaac;
mod iwer;
mod mcap;
mod memory;
mod plot;
mod row_groups;
mod tables;
mod timing;
mod windows;
