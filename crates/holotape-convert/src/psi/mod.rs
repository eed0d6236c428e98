//! Head, eyes and hands as text: what the HoloLensCaptureExporter of [psi](https://github.com/microsoft/psi) writes, and
//! the [HoloAssist](https://holoassist.github.io/) data set made of it.
//!
//! A recording is a folder with a file for each stream, and each may be missing: `Head/Head.txt`, `Eyes/Eyes.txt`,
//! `Hands/Left.txt`, `Hands/Right.txt`. HoloAssist has `Head/Head_sync.txt` and so on in a folder `Export_py`. Rows are
//! numbers parted by tabs, and how many of them tells what they are:
//!
//! | stream | after the time |
//! |---|---|
//! | head | a matrix of 16 |
//! | eyes | origin and direction; and whether they were calibrated |
//! | hands | whether the hand is active, 26 matrices, whether each joint is valid, whether it is tracked |
//! | hands, older | whether it grips, pinches, is tracked; 26 matrices, or nothing if it is not |
//! | hands, HoloAssist | one, three or four flags (grips, pinches, is tracked, is active), then as above |
//!
//! The time is one of .NET, in 100 ns; HoloAssist has seconds before it. In this space x is forward, y left and z up.

mod files;
mod schema;
mod stream;

use std::fs;
use std::path::Path;

use holotape::{Error, ErrorKind, Recording, Result};

use self::files::StreamKind;
use self::schema::{StreamSchema, TimeColumn};
use self::stream::Streams;
use crate::Losses;
use crate::delimited::NumericRows;

/// Reads a stream of the head or of the eyes. Of a hand's, nothing in the text says which it is: [`open`] tells that by
/// the name of the file.
///
/// ```
/// let text = b"637835897125443909\t1\t0\t0\t0\t0\t1\t0\t0\t0\t0\t1\t1.6\t0\t0\t0\t1\r\n";
/// let (recording, losses) = holotape_convert::psi::read(text)?;
/// assert_eq!(recording.camera.unwrap().pose_at(0.0).unwrap().position, [0.0, 1.6, 0.0]);
/// assert!(losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there are no rows, or they have columns of no stream that is known, or those of a hand; or a row in the middle is
/// wrong. The error names row and column.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let source = Source::new(bytes, None, None)?.ok_or_else(no_rows)?;
    assemble(&[source])
}

/// Reads the streams of a folder, or a stream alone from a file.
///
/// ```
/// use holotape::Hand;
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/import/psi");
/// let (recording, losses) = holotape_convert::psi::open(folder)?;
/// assert!(recording.camera.is_some() && recording.gaze.is_some());
/// assert!(recording.hand(Hand::Left).tracked.value_at(0.0));
/// assert!(losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`read`]; and if a folder has no such file, or a file cannot be read. The error has the path of the file.
pub fn open(path: impl AsRef<Path>) -> Result<(Recording, Losses)> {
    let files = files::find(path.as_ref())?;
    let mut texts = Vec::new();
    for file in &files {
        texts.push(fs::read(&file.path).map_err(|error| Error::from(error).with_path(&file.path))?);
    }
    let mut sources = Vec::new();
    for (file, bytes) in files.iter().zip(&texts) {
        let source = Source::new(bytes, file.content, Some(&file.path));
        sources.extend(source.map_err(|error| error.with_path(&file.path))?);
    }
    assemble(&sources)
}

/// The text of one stream.
struct Source<'a> {
    rows: NumericRows<'a>,
    form: StreamSchema,
    path: Option<&'a Path>,
}

impl<'a> Source<'a> {
    /// Nothing if there are no rows.
    fn new(bytes: &'a [u8], expected: Option<StreamKind>, path: Option<&'a Path>) -> Result<Option<Self>> {
        let rows = NumericRows::new(bytes, b'\t')?;
        Ok(StreamSchema::of(&rows, expected)?.map(|form| Self { rows, form, path }))
    }

    fn named(&self, error: Error) -> Error {
        match self.path {
            Some(path) => error.with_path(path),
            None => error,
        }
    }
}

fn assemble(sources: &[Source<'_>]) -> Result<(Recording, Losses)> {
    let clock = common_clock(sources)?;
    let times = sources.iter().flat_map(|source| source.rows.clone().filter_map(|row| clock.secs(&row, &source.form)));
    let mut streams = Streams::new(times.fold(f64::INFINITY, f64::min));
    for source in sources {
        let read = source.rows.clone().read(&source.form.columns, |row, numbers| {
            let time_secs = clock.secs(row, &source.form).ok_or_else(|| clock.error(row, &source.form))?;
            streams.push_row(row, numbers, time_secs, &source.form)
        });
        let cut = read.map_err(|error| source.named(error))?;
        streams.note_truncated_row(cut, source.path);
    }
    Ok(streams.finish())
}

/// A clock that all streams have.
fn common_clock(sources: &[Source<'_>]) -> Result<TimeColumn> {
    let first = sources.iter().find_map(|source| Some((source.rows.clone().next()?, &source.form)));
    let (row, form) = first.ok_or_else(no_rows)?;
    let clocks = [TimeColumn::Seconds, TimeColumn::ticks_from(&row, form)];
    let is_common = |clock: &TimeColumn| sources.iter().all(|source| clock.is_in(&source.form));
    clocks.into_iter().find(is_common).ok_or_else(|| {
        Error::new(
            ErrorKind::Invalid,
            "some of these streams have times in seconds, others in ticks: no clock is common",
        )
    })
}

fn no_rows() -> Error {
    Error::new(ErrorKind::NotARecording, "there are no rows")
}
