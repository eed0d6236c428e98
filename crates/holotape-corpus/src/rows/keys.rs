//! Selection of rows of the table of keys.

use arrow_array::RecordBatch;
use holotape::{BodyPart, CurveId, Recording, Result};
use holotape_convert::{Space, table};

use crate::scan::{HandFilter, TimeFilter};
use crate::{Table, schema};

/// Which keys to return. With a time filter, the rows of curves without keys, which have no time, are omitted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct KeyFilter {
    pub(crate) hands: HandFilter,
    pub(crate) times: TimeFilter,
}

impl KeyFilter {
    fn has_time(&self, time: Option<f32>) -> bool {
        time.map_or(self.times.is_all(), |time| self.times.contains(time.into()))
    }

    pub(crate) fn has_curve(&self, id: CurveId) -> bool {
        match BodyPart::from_curve(id) {
            BodyPart::Hand(hand) => self.hands.contains(Some(hand)),
            BodyPart::Camera | BodyPart::Gaze => self.hands.contains(None),
        }
    }
}

/// The rows of the table of keys of a recording.
pub(crate) fn key_rows<'a>(
    name: &'a str,
    recording: &'a Recording,
    filter: KeyFilter,
) -> impl Iterator<Item = Result<RecordBatch>> + Send + 'a {
    let schema = schema(Table::Keys);
    let has_curve = |curve: Option<CurveId>| curve.map_or(filter.hands.none, |id| filter.has_curve(id));
    table::key_batches(recording, Space::Unity, has_curve, move |time| filter.has_time(time))
        .map(move |batch| table::combined_batch(name, &batch?, &schema))
}
