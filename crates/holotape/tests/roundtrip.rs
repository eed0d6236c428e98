//! Recordings with arbitrary bits round-trip through files.

use holotape::Recording;
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::common::properties;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_values_round_trip_through_files(recording in any_recording()) {
        let (bytes, losses) = recording.to_vec().expect("writes");
        prop_assert!(losses.is_empty(), "{losses:?}");
        prop_assert!(Recording::from_slice(&bytes).is_ok());
        properties::all(&bytes);
    }
}
