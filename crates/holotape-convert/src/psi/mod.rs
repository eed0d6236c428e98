//! Reads head, gaze and hands from the text files of the HoloLensCaptureExporter of
//! [psi](https://github.com/microsoft/psi), and from the [HoloAssist](https://holoassist.github.io/) data set, which is
//! based on it.
//!
//! A recording is a folder with one file per stream, each of them optional: `Head/Head.txt`, `Eyes/Eyes.txt`,
//! `Hands/Left.txt`, `Hands/Right.txt`. HoloAssist has `Head/Head_sync.txt` etc. in a folder `Export_py`. Rows are
//! tab-separated numbers. The number of columns determines their meaning:
//!
//! | stream | columns after the time |
//! |---|---|
//! | head | a 4×4 matrix |
//! | gaze | origin, direction; optionally a calibrated flag |
//! | hands | active flag, 26 matrices, a valid flag per joint, a tracked flag per joint |
//! | hands, older | flags: gripping, pinching, tracked; if tracked, 26 matrices |
//! | hands, HoloAssist | one, three or four flags (gripping, pinching, tracked, active), then as above |
//!
//! The time is a .NET timestamp in units of 100 ns; in HoloAssist it comes after a column with seconds. Coordinates are
//! x forward, y left, z up.

mod files;
mod schema;
mod stream;

use std::path::Path;

use holotape::format::ReadOptions;
use holotape::{Error, ErrorKind, Recording, Result};

use self::files::StreamKind;
use self::schema::{StreamSchema, TimeColumn};
use self::stream::Streams;
use crate::Losses;
use crate::delimited::NumericRows;
use crate::file_set::read_files;

/// Reads a stream of the head or the gaze. The text of a hand does not contain which hand it is: [`open`] determines it
/// by the file name.
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
/// If there are no rows, the number of columns is unknown or that of a hand, or a row other than the last is invalid.
/// The message has the row and the column.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let source = Source::new(bytes, None, None)?.ok_or_else(no_rows)?;
    assemble(&[source])
}

/// Reads the streams of a folder, or one stream from a file.
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
/// As [`read`], and if the folder has no stream file or a file cannot be read; [`ErrorKind::LimitExceeded`] if the files
/// have more than [`ReadOptions::DEFAULT_MAX_BYTES`] in total. The error has the path of the file.
pub fn open(path: impl AsRef<Path>) -> Result<(Recording, Losses)> {
    let files = files::find(path.as_ref())?;
    let texts = read_files(files.iter().map(|file| file.path.as_path()), ReadOptions::DEFAULT_MAX_BYTES)?;
    let mut sources = Vec::new();
    for (file, bytes) in files.iter().zip(&texts) {
        let source = Source::new(bytes, file.kind, Some(&file.path));
        sources.extend(source.map_err(|error| error.with_path(&file.path))?);
    }
    assemble(&sources)
}

/// The text of one stream.
struct Source<'a> {
    rows: NumericRows<'a>,
    schema: StreamSchema,
    path: Option<&'a Path>,
}

impl<'a> Source<'a> {
    /// `None` if there are no rows.
    fn new(bytes: &'a [u8], expected: Option<StreamKind>, path: Option<&'a Path>) -> Result<Option<Self>> {
        let rows = NumericRows::new(bytes, b'\t')?;
        Ok(StreamSchema::detect(&rows, expected)?.map(|schema| Self { rows, schema, path }))
    }
}

fn assemble(sources: &[Source<'_>]) -> Result<(Recording, Losses)> {
    let time_column = common_time_column(sources)?;
    let times =
        sources.iter().flat_map(|source| source.rows.clone().filter_map(|row| time_column.secs(&row, &source.schema)));
    let mut streams = Streams::new(times.fold(f64::INFINITY, f64::min));
    for source in sources {
        let read = source.rows.clone().read(&source.schema.columns, |row, numbers| {
            let time_secs =
                time_column.secs(row, &source.schema).ok_or_else(|| time_column.error(row, &source.schema))?;
            streams.push_row(row, numbers, time_secs, &source.schema)
        });
        let truncated = read.map_err(|error| match source.path {
            Some(path) => error.with_path(path),
            None => error,
        })?;
        streams.note_truncated_row(truncated, source.path);
    }
    Ok(streams.finish())
}

/// The time column that all streams have.
fn common_time_column(sources: &[Source<'_>]) -> Result<TimeColumn> {
    let first = sources.iter().find_map(|source| Some((source.rows.clone().next()?, &source.schema)));
    let (row, schema) = first.ok_or_else(no_rows)?;
    let columns = [TimeColumn::Seconds, TimeColumn::ticks_from(&row, schema)];
    let is_common = |time_column: &TimeColumn| sources.iter().all(|source| time_column.is_in(&source.schema));
    columns.into_iter().find(is_common).ok_or_else(|| {
        let message = "the streams have no common time column: some have seconds, others ticks";
        Error::new(ErrorKind::Invalid, message)
    })
}

fn no_rows() -> Error {
    Error::new(ErrorKind::NotARecording, "the stream has no rows")
}
