//! Generates the types and the schema of MCAP messages from `proto/foxglove.proto`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).open_file("foxglove.proto")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("foxglove.desc"), compiler.encode_file_descriptor_set())?;
    Ok(prost_build::compile_fds(compiler.file_descriptor_set())?)
}
