//! The inputs of the fuzz target.

#[path = "../../holotape/tests/common/fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "common/properties.rs"]
mod properties;

// The only test of this program: the property changes the current directory.
#[test]
fn every_fuzz_input_satisfies_its_property() {
    fuzz_corpus::check_corpora![properties::http_requests_get_safe_responses];
}
