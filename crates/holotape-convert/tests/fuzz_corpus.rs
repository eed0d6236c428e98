//! The inputs of the fuzz targets.

#[path = "../../holotape/tests/common/fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "common/properties.rs"]
mod properties;

#[test]
fn every_fuzz_input_satisfies_its_property() {
    fuzz_corpus::check_corpora![
        properties::aria_mps_imports_are_valid,
        properties::compressed_imports_are_valid,
        properties::csv_imports_are_valid,
        properties::detected_imports_are_valid,
        properties::egodex_imports_are_valid,
        properties::gltf_imports_are_valid,
        properties::handsbin_imports_are_valid,
        properties::hl2ss_imports_are_valid,
        properties::isaac_imports_are_valid,
        properties::isaac_webxr_imports_are_valid,
        properties::iwer_imports_are_valid,
        properties::parquet_imports_are_valid,
        properties::psi_imports_are_valid,
        properties::stream_recorder_imports_are_valid,
        properties::vision_pro_imports_are_valid,
    ];
}
