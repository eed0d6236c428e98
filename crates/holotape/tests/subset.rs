//! A subset of curves equals the same curves of the complete recording, and has the same duration.

use std::io::Cursor;

use holotape::demo::DemoOptions;
use holotape::format::Index;
use holotape::{CurveId, CurveRef, Recording};

use crate::common::valid_pairs;

fn files() -> Vec<Vec<u8>> {
    let demo = DemoOptions::new().with_seconds(2.0).generate().unwrap();
    let mut without_list = demo.clone();
    without_list.format.marker_list = false;
    let made = [demo, without_list, Recording::default()].map(|recording| recording.to_vec().unwrap().0);
    valid_pairs().into_iter().map(|(_, bytes, _)| bytes).chain(made).collect()
}

#[test]
fn subset_reports_the_duration_of_the_recording() {
    for bytes in files() {
        let recording = Recording::from_slice(&bytes).unwrap();
        let (index, duration_secs) = Index::from_reader_with_duration(Cursor::new(&bytes)).unwrap();
        assert_eq!(index, Index::from_slice(&bytes).unwrap());
        assert_eq!(duration_secs, recording.duration_secs());
        assert_eq!(index.read_subset(&bytes, |_| false).unwrap().duration_secs, duration_secs);
    }
}

#[test]
fn subset_has_the_selected_curves_and_empty_others() {
    for bytes in files() {
        let recording = Recording::from_slice(&bytes).unwrap();
        let index = Index::from_slice(&bytes).unwrap();
        let wanted = |id: CurveId| id.to_string().len().is_multiple_of(3);
        let excerpt = index.read_subset(&bytes, wanted).unwrap().recording;
        assert_eq!(index.read_curves_from(Cursor::new(&bytes), wanted).unwrap(), excerpt);
        assert_eq!(index.read_subset_from(Cursor::new(&bytes), wanted).unwrap().recording, excerpt);
        assert_eq!(excerpt.channels(), recording.channels());
        for (id, curve) in recording.curves() {
            let ours: CurveRef<'_> = excerpt.curve(id).unwrap();
            assert!(if wanted(id) { ours == curve } else { ours.key_count() == 0 }, "{id}");
        }
    }
}

#[test]
fn invalid_files_give_the_same_error_in_all_readers() {
    let whole = files().into_iter().max_by_key(Vec::len).unwrap();
    for len in (0..whole.len()).step_by(whole.len() / 97) {
        let error = Index::from_slice(&whole[..len]).unwrap_err().to_string();
        assert_eq!(Index::from_reader_with_duration(Cursor::new(&whole[..len])).unwrap_err().to_string(), error);
    }
}
