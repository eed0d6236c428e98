//! Recordings as tables: one row per frame, or one row per key.
//!
//! Both are made of Arrow record batches, whatever the file format. A table of frames has the columns `time` and all curves
//! by name; missing values are null, such as the joints of an untracked hand. A table of keys has one row per key, with the
//! name of its curve, and is lossless: a curve without keys has one row without a time, and markers are rows of the curve
//! `marker`.
//!
//! ```
//! # #[cfg(feature = "tables")] {
//! use holotape_convert::table::{TableKind, TableOptions, batches};
//!
//! let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let frames = batches(&recording, &TableOptions::new())?.next().unwrap()?;
//! assert_eq!((frames.num_rows(), frames.num_columns()), (61, 396));
//!
//! let keys = batches(&recording, &TableOptions::new().with_table(TableKind::Keys))?.next().unwrap()?;
//! assert!(keys.column_by_name("curve").is_some());
//! # }
//! # Ok::<(), holotape::Error>(())
//! ```

#[cfg(feature = "tables")]
mod batches;
#[cfg(feature = "tables")]
mod combined;
#[cfg(feature = "tables")]
mod decode;
#[cfg(feature = "tables")]
mod decoded_curve;
#[cfg(feature = "tables")]
mod frames;
#[cfg(feature = "tables")]
mod key_columns;
#[cfg(feature = "tables")]
mod keys;
#[cfg(feature = "tables")]
mod metadata;
mod options;

#[cfg(feature = "tables")]
pub(crate) use batches::{BatchWriter, arrow_error, decode, losses, schema_for, write_table};
#[cfg(feature = "tables")]
pub use batches::{batches, reader, recording, schema};
#[cfg(feature = "tables")]
pub use combined::{RECORDING, combined_batch, combined_schema, key_batches};
#[cfg(feature = "tables")]
pub(crate) use decode::{TableDecoder, format_for_keys};
#[cfg(feature = "tables")]
pub(crate) use frames::FrameColumns;
#[cfg(feature = "tables")]
pub(crate) use metadata::Metadata;
pub use options::{TableKind, TableOptions};
