//! Invalid arguments of the caller have an error kind of their own.

use holotape::format::{Format, KeyLayout, Version};
use holotape::{ErrorKind, Recording};
use holotape_convert::combined_table::CombinedTableWriter;
use holotape_convert::table::TableOptions;
use holotape_convert::{FileFormat, Timing, WriteOptions};

#[test]
fn impossible_formats_are_invalid_arguments() {
    let compact10 = WriteOptions::new().with_version(Version::V1_0).with_key_layout(KeyLayout::Compact);
    assert_eq!(compact10.format(Format::default()).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let read_only = WriteOptions::new().write(&Recording::default(), FileFormat::Hl2ss, &mut Vec::new());
    assert_eq!(read_only.unwrap_err().kind(), ErrorKind::InvalidArgument);
    let no_table = CombinedTableWriter::create(FileFormat::Bvh, &TableOptions::new(), Vec::new());
    assert_eq!(no_table.err().map(|error| error.kind()), Some(ErrorKind::InvalidArgument));
}

#[test]
fn invalid_rates_are_invalid_arguments() {
    for rate_hz in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let times = Timing::Rate(rate_hz).times(&Recording::default());
        assert_eq!(times.unwrap_err().kind(), ErrorKind::InvalidArgument, "{rate_hz}");
    }
}
