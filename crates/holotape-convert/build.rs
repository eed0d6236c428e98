//! Generates the types and the schema of MCAP messages from `proto/foxglove.proto`.

#[cfg(feature = "mcap")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).open_file("foxglove.proto")?;
    let descriptors = std::path::Path::new(&std::env::var("OUT_DIR")?).join("foxglove.desc");
    std::fs::write(descriptors, compiler.encode_file_descriptor_set())?;
    Ok(prost_build::compile_fds(compiler.file_descriptor_set())?)
}

#[cfg(not(feature = "mcap"))]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
