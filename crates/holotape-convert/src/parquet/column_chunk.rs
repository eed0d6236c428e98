//! Encodes one column of a row group.
//!
//! The writers of the library create contexts for compression and decompression for each column. For a table of 396 columns,
//! that takes longer than to compress a minute. [`ColumnEncoder`] uses one context for many columns of numbers and flags. Both
//! write the same bytes at zstd's lowest levels, except that a long column can be divided into other pages.

use std::borrow::Cow;
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use arrow_schema::Field;
use bytes::Bytes;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// An encoded column of a row group.
pub(super) enum ColumnChunk {
    Encoded(Bytes, Box<ColumnCloseResult>),
    Arrow(Box<ArrowColumnChunk>),
}

impl ColumnChunk {
    /// Encodes a column with the writer of the library.
    pub(super) fn from_arrow<'a>(
        mut writer: ArrowColumnWriter,
        field: &Field,
        arrays: impl Iterator<Item = &'a ArrayRef>,
    ) -> Result<Self, ParquetError> {
        for array in arrays {
            for leaf in compute_leaves(field, array)? {
                writer.write(&leaf)?;
            }
        }
        Ok(Self::Arrow(Box::new(writer.close()?)))
    }

    pub(super) fn append_to<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Self::Encoded(bytes, close) => group.append_column(&bytes, *close),
            Self::Arrow(chunk) => chunk.append_to_row_group(group),
        }
    }
}

/// Encodes columns of numbers and flags, one after another.
#[derive(Default)]
pub(super) struct ColumnEncoder {
    compressor: Option<(ZstdLevel, Compressor<'static>)>,
}

impl ColumnEncoder {
    /// Encodes a column, for which the properties have no compression.
    pub(super) fn encode<'a>(
        &mut self,
        column: ColumnDescPtr,
        properties: &WriterPropertiesPtr,
        level: ZstdLevel,
        arrays: impl Iterator<Item = &'a ArrayRef>,
    ) -> Result<ColumnChunk, ParquetError> {
        let is_nullable = column.max_def_level() > 0;
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = SerializedPageWriter::new(&mut sink);
        let pages = CompressingPageWriter { pages, compressor: self.compressor(level)? };
        let mut writer = get_column_writer(column, WriterPropertiesPtr::clone(properties), Box::new(pages));
        for array in arrays {
            write_array(&mut writer, array, is_nullable)?;
        }
        let close = writer.close()?;
        let metadata = close.metadata.into_builder().set_compression(Compression::ZSTD(level)).build()?;
        let close = ColumnCloseResult { metadata, ..close };
        Ok(ColumnChunk::Encoded(sink.into_inner()?.into(), Box::new(close)))
    }

    fn compressor(&mut self, level: ZstdLevel) -> Result<&mut Compressor<'static>, ParquetError> {
        let last = self.compressor.take().filter(|(last_level, _)| *last_level == level);
        let last = last.map_or_else(|| Compressor::new(level.compression_level()).map(|new| (level, new)), Ok)?;
        Ok(&mut self.compressor.insert(last).1)
    }
}

/// Compresses pages that the column writer did not compress.
struct CompressingPageWriter<'a, 'b> {
    pages: SerializedPageWriter<'a, Vec<u8>>,
    compressor: &'b mut Compressor<'static>,
}

impl PageWriter for CompressingPageWriter<'_, '_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let size = page.uncompressed_size();
        let mut page = page.compressed_page().clone();
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = self.compressor.compress(buf)?.into()
            }
            Page::DataPageV2 { .. } => return Err(ParquetError::General("a page of version 2".to_owned())),
        }
        self.pages.write_page(CompressedPage::new(page, size))
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        self.pages.close()
    }
}

fn write_array(writer: &mut ColumnWriter<'_>, array: &ArrayRef, is_nullable: bool) -> Result<(), ParquetError> {
    let levels = is_nullable.then(|| definition_levels(array));
    let levels = levels.as_deref();
    let written = match writer {
        ColumnWriter::FloatColumnWriter(writer) => array
            .as_primitive_opt::<Float32Type>()
            .map(|array| writer.write_batch(&present_values(array), levels, None)),
        ColumnWriter::DoubleColumnWriter(writer) => array
            .as_primitive_opt::<Float64Type>()
            .map(|array| writer.write_batch(&present_values(array), levels, None)),
        ColumnWriter::BoolColumnWriter(writer) => array.as_boolean_opt().map(|array| {
            let values: Vec<_> = array.iter().flatten().collect();
            writer.write_batch(&values, levels, None)
        }),
        _ => None,
    };
    let mismatch = || ParquetError::General(format!("a column of {} does not match the schema", array.data_type()));
    written.ok_or_else(mismatch)?.map(|_| ())
}

/// 1 for values, 0 for nulls.
fn definition_levels(array: &ArrayRef) -> Vec<i16> {
    let Some(nulls) = array.nulls() else { return vec![1; array.len()] };
    let mut levels = vec![0; array.len()];
    nulls.valid_slices().for_each(|(start, end)| levels[start..end].fill(1));
    levels
}

/// The values without nulls. Hands are tracked for long spans, so values are copied in long slices.
fn present_values<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>) -> Cow<'_, [T::Native]> {
    let Some(nulls) = array.nulls() else { return Cow::Borrowed(array.values()) };
    let mut values = Vec::with_capacity(array.len() - nulls.null_count());
    nulls.valid_slices().for_each(|(start, end)| values.extend_from_slice(&array.values()[start..end]));
    Cow::Owned(values)
}
