//! The inputs of the fuzz targets.
#![cfg(feature = "stream")]

mod common;
#[path = "common/fuzz_corpus.rs"]
mod fuzz_corpus;

use common::{properties, take_session};

#[test]
fn every_fuzz_input_satisfies_its_property() {
    fuzz_corpus::check_corpora![
        properties::evaluation_is_finite_for_finite_curves,
        properties::index_matches_decoder,
        properties::journals_never_panic,
        properties::json_round_trips,
        properties::opened_recording_operations,
        properties::opened_recording_round_trips,
        properties::opening_never_panics,
        properties::records_round_trip,
        properties::salvage_is_valid,
        properties::summary_matches_recording,
        properties::windows_match_recording,
        take_session::take_sessions_keep_their_records,
    ];
}
