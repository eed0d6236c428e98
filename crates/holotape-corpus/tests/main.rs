//! The integration tests of datasets and tables: one program, so that they are linked once.

mod build;
mod common;
mod compressed;
mod find;
mod index_cache;
mod lerobot;
mod other_systems;
mod parquet;
mod report;
mod rows;
mod scan;
