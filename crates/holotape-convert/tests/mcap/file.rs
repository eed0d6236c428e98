//! Properties of the file, and errors.

use super::*;

#[test]
fn file_is_indexed_compressed_and_deterministic() {
    let recording = demo(10.0);
    let log = Log::write(&recording, McapOptions::new());
    assert_eq!(log.bytes, Log::write(&recording, McapOptions::new()).bytes);
    let stats = log.summary.stats.as_ref().expect("statistics");
    assert_eq!(stats.message_count as usize, log.topics.values().map(Vec::len).sum::<usize>());
    assert!(stats.chunk_count > 1);
    assert!(log.summary.chunk_indexes.iter().all(|chunk| chunk.compression == "zstd"));
    assert!(log.summary.chunk_indexes.iter().all(|chunk| !chunk.message_index_offsets.is_empty()));
    let metadata = ::mcap::read::metadata(&log.bytes, &log.summary.metadata_indexes[0]).unwrap();
    assert_eq!(metadata.name, "holotape");
    assert_eq!(metadata.metadata["duration_secs"], "10");
    assert_eq!(metadata.metadata["format"], "MRTK input animation 1.1, compact keys");
    assert!(
        metadata.metadata["joints"].starts_with("Wrist,Palm,") && metadata.metadata["joints"].ends_with(",PinkyTip")
    );
}

/// Accepts a limited number of bytes.
struct FullDisk(usize);

impl std::io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| std::io::Error::other("the disk is full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn full_disk_is_an_error() {
    let recording = demo(3.0);
    let size = Log::write(&recording, McapOptions::new()).bytes.len();
    for capacity in [0, 100, size / 2, size - 1] {
        let error = mcap::write(&recording, &McapOptions::new(), FullDisk(capacity)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.to_string(), "the disk is full");
    }
    assert!(mcap::write(&recording, &McapOptions::new(), FullDisk(size)).is_ok());
}

#[test]
fn invalid_rate_is_an_error() {
    let options = McapOptions::new().with_timing(Timing::Rate(0.0));
    assert_eq!(mcap::write(&demo(0.0), &options, Vec::new()).unwrap_err().kind(), ErrorKind::InvalidArgument);
}
