//! Compressed recordings: the same recording as without compression, or an error that says what is wrong.

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use holotape::demo::DemoOptions;
use holotape::format::{Index, MAGIC, ReadOptions};
use holotape::{Error, ErrorKind, Recording, Result, Summary};
use holotape_convert::compression::{Compression, DecompressedReader, salvage};
use holotape_convert::{FileFormat, OpenOptions, WriteOptions, from_slice, open};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::alloc::peak_during;

const COMPRESSED: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

const PLENTY: u64 = 1 << 30;

fn compress(compression: Compression, contents: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    compression.write(&mut file, |out| Ok(out.write_all(contents)?)).unwrap();
    file
}

fn decompress(compression: Compression, file: &[u8]) -> Result<Vec<u8>> {
    let mut contents = Vec::new();
    compression.reader(file, PLENTY)?.read_to_end(&mut contents)?;
    Ok(contents)
}

/// The same through the reader that decompresses small zstd files at once.
fn decompress_by_reader(file: &[u8]) -> Result<Vec<u8>> {
    Ok(DecompressedReader::new(Cursor::new(file), PLENTY)?.into_bytes()?)
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(2.0).generate().unwrap()
}

fn demo_bytes() -> Vec<u8> {
    demo().to_vec().unwrap().0
}

fn valid_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "bin")).collect();
    assert!(paths.len() > 8);
    paths
}

#[test]
fn golden_files_round_trip_through_compression() {
    let folder = tempfile::tempdir().unwrap();
    for path in valid_files() {
        let bytes = fs::read(&path).unwrap();
        let expected = Recording::from_slice(&bytes).unwrap();
        for compression in COMPRESSED {
            let file = compress(compression, &bytes);
            // The name says nothing about the contents.
            let misnamed = folder.path().join("take.csv");
            fs::write(&misnamed, &file).unwrap();
            for imported in [from_slice(&file).unwrap(), open(&misnamed).unwrap()] {
                assert_eq!((imported.file_format, imported.compression), (FileFormat::Bin, compression));
                assert!(imported.losses.is_empty());
                assert!(imported.recording.to_vec().unwrap().0 == bytes, "{}", path.display());
            }
            let reader = || DecompressedReader::new(Cursor::new(&file), PLENTY).unwrap();
            assert_eq!(Summary::from_reader(reader()).unwrap(), Summary::open(&path).unwrap());
            assert_eq!(Index::from_reader(reader()).unwrap(), Index::from_slice(&bytes).unwrap());
            let again = ReadOptions::new().from_seekable_reader(reader()).unwrap();
            assert!(again.to_vec().unwrap().0 == expected.to_vec().unwrap().0);
        }
    }
}

#[test]
fn other_formats_are_read_compressed() {
    let recording = demo();
    let readable = FileFormat::ALL.into_iter().filter(|format| format.can_read() && format.can_write());
    for file_format in readable {
        for compression in COMPRESSED {
            let [mut plain, mut compressed] = [Vec::new(), Vec::new()];
            let options = WriteOptions::new();
            let _ = options.write(&recording, file_format, &mut plain).unwrap();
            let _ = compression.write(&mut compressed, |out| options.write(&recording, file_format, out)).unwrap();
            let imported = from_slice(&compressed).unwrap();
            assert_eq!((imported.file_format, imported.compression), (file_format, compression));
            assert_eq!(imported.recording, from_slice(&plain).unwrap().recording, "{file_format:?}");
        }
    }
}

#[test]
fn truncated_files_are_errors_and_salvaged() {
    let contents = demo_bytes();
    for compression in COMPRESSED {
        let file = compress(compression, &contents);
        for end in (4..file.len()).step_by(file.len() / 23).chain([file.len() - 1]) {
            let error = from_slice(&file[..end]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated, "{compression:?}, {end} bytes: {error}");
            let message = format!("cannot decompress: the {} data is truncated", compression.name());
            assert_eq!(error.to_string(), message);
            let salvaged = salvage(&file[..end], PLENTY).unwrap();
            assert!(contents.starts_with(&salvaged.bytes));
            assert_eq!(salvaged.error.unwrap().to_string(), message);
        }
        let salvaged = salvage(&file[..file.len() - 1], PLENTY).unwrap();
        assert!(*salvaged.bytes == contents, "only the checksum is missing");
    }
}

#[test]
fn salvage_keeps_most_of_a_truncated_file() {
    let contents = demo_bytes();
    for compression in COMPRESSED {
        let file = compress(compression, &contents);
        let salvaged = salvage(&file[..file.len() / 2], PLENTY).unwrap();
        // A block of zstd has up to 128 KiB.
        assert!(salvaged.bytes.len() + (128 << 10) > contents.len() / 3, "{}", salvaged.bytes.len());
        assert_eq!(salvaged.loss().unwrap().kind.code(), "truncated");
    }
}

#[test]
fn damage_is_reported_by_its_cause() {
    let contents = demo_bytes();
    for compression in COMPRESSED {
        let name = compression.name();
        let file = compress(compression, &contents);
        // gzip ends with its checksum and the length, zstd with its checksum.
        let checksum_at = file.len() - if compression == Compression::Gzip { 8 } else { 4 };
        let mut wrong_checksum = file.clone();
        wrong_checksum[checksum_at] ^= 1;
        let cases = [
            (wrong_checksum, format!("cannot decompress: the {name} data does not match its checksum")),
            ([&file[..], &[7; 100]].concat(), format!("cannot decompress: other bytes follow the {name} data")),
        ];
        for (damaged, message) in cases {
            let readers = [decompress(compression, &damaged), decompress_by_reader(&damaged)];
            let errors = readers.map(Result::unwrap_err).into_iter().chain([from_slice(&damaged).unwrap_err()]);
            for error in errors {
                assert_eq!((error.kind(), error.to_string()), (ErrorKind::Invalid, message.clone()));
            }
            let salvaged = salvage(&damaged, PLENTY).unwrap();
            assert!(*salvaged.bytes == contents, "{message}");
            assert_eq!(salvaged.loss().unwrap().kind.code(), "damaged");
        }
        let mut garbled = file.clone();
        let middle = file.len() / 2;
        garbled[middle..middle + 8].iter_mut().for_each(|byte| *byte ^= 0x55);
        assert!(decompress(compression, &garbled).is_err());
    }
}

#[test]
fn members_frames_and_skippable_frames_are_concatenated() {
    let contents = demo_bytes();
    let (first, second) = contents.split_at(contents.len() / 3);
    let skippable = [&b"\x53\x2a\x4d\x18\x05\0\0\0"[..], b"12345"].concat();
    let gzip = [compress(Compression::Gzip, first), compress(Compression::Gzip, second)].concat();
    let zstd = [compress(Compression::Zstd, first), skippable.clone(), compress(Compression::Zstd, second)].concat();
    let padded = [&skippable[..], &zstd, &skippable].concat();
    let without_size = [first, second].map(|part| zstd::encode_all(part, 3).unwrap()).concat();
    let many: Vec<u8> = contents.chunks(100).flat_map(|part| compress(Compression::Zstd, part)).collect();
    for file in [gzip, zstd, padded, without_size, many] {
        assert_eq!(from_slice(&file).unwrap().recording, demo());
    }
}

#[test]
fn nested_compression_is_an_error_with_advice() {
    let nested = compress(Compression::Zstd, &compress(Compression::Gzip, &demo_bytes()));
    let error = from_slice(&nested).unwrap_err();
    assert!(error.to_string().contains("compressed with gzip; unpack it first"), "{error}");
}

#[test]
fn errors_of_the_input_pass_unchanged() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::PermissionDenied.into())
        }
    }
    for compression in COMPRESSED {
        let file = compress(compression, &demo_bytes());
        let mut reader = compression.reader(file[..100].chain(Failing), PLENTY).unwrap();
        let error = Error::from(reader.read_to_end(&mut Vec::new()).unwrap_err());
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Io, "permission denied".to_owned()));
    }
}

/// A file that starts like a recording and expands to `byte_len` bytes.
fn bomb(compression: Compression, byte_len: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let zeros = vec![0; 1 << 20];
    compression
        .write(&mut file, |out| {
            out.write_all(&MAGIC)?;
            let mut left = byte_len - MAGIC.len();
            while left > 0 {
                let count = left.min(zeros.len());
                out.write_all(&zeros[..count])?;
                left -= count;
            }
            Ok(())
        })
        .unwrap();
    file
}

#[test]
fn bombs_exceed_a_limit_that_the_error_names() {
    let options = OpenOptions::new().with_max_recording_bytes(1_000_000);
    for compression in COMPRESSED {
        let error = options.from_slice(&bomb(compression, 1_000_001)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert_eq!(error.to_string(), "the decompressed file exceeds the limit of 1000000 bytes");
        assert_eq!(
            options.from_slice(&bomb(compression, 1_000_000)).unwrap_err().kind(),
            ErrorKind::UnsupportedVersion
        );
    }
    let file = bomb(Compression::Zstd, 200 << 20);
    assert!(file.len() < 100_000, "{}", file.len());
    for error in [from_slice(&file).unwrap_err(), salvage(&file, PLENTY).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert!(error.to_string().contains("1000 times its compressed size plus 16 MiB"), "{error}");
    }
}

#[test]
fn bombs_need_limited_memory() {
    // Many frames, each below the ratio: 200 MiB of zeros and noise.
    let noise: Vec<u8> = (0_u64..60_000).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let mut file = bomb(Compression::Zstd, 100 << 20);
    file.extend(compress(Compression::Zstd, &noise));
    let options = OpenOptions::new().with_max_recording_bytes(120 << 20);
    let mut result = None;
    let peak = peak_during(|| result = Some(options.from_slice(&file)));
    assert!(result.unwrap().is_err());
    assert!(peak < 140 << 20, "{peak} bytes for a file of {} bytes", file.len());
    let small = bomb(Compression::Gzip, 120 << 20);
    let peak = peak_during(|| drop(OpenOptions::new().with_max_recording_bytes(1 << 20).from_slice(&small)));
    assert!(peak < 4 << 20, "{peak} bytes for a file of {} bytes", small.len());
}

#[test]
fn failed_write_leaves_no_complete_file() {
    for compression in COMPRESSED {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin.zst");
        let written = holotape::atomic::write(&path, holotape::atomic::IfExists::Replace, |out| {
            compression.write(out, |out| {
                out.write_all(b"half")?;
                Err::<(), _>(Error::new(ErrorKind::Invalid, "stop"))
            })
        });
        assert!(written.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_round_trip(parts in vec(vec(any::<u8>(), 0..5000), 1..4), repeat in 1_usize..40) {
        let contents: Vec<u8> = parts.concat().repeat(repeat);
        for compression in COMPRESSED {
            let file = compress(compression, &contents);
            prop_assert_eq!(Compression::detect(&file), compression);
            prop_assert!(decompress(compression, &file).unwrap() == contents);
            let concatenated: Vec<u8> = parts.iter().flat_map(|part| compress(compression, part)).collect();
            prop_assert!(decompress(compression, &concatenated).unwrap() == parts.concat());
            prop_assert!(decompress_by_reader(&file).unwrap() == contents);
            prop_assert!(decompress_by_reader(&concatenated).unwrap() == parts.concat());
            let salvaged = salvage(&file, PLENTY).unwrap();
            prop_assert!(salvaged.error.is_none() && *salvaged.bytes == contents);
        }
    }

    #[test]
    fn any_flipped_bit_is_an_error_or_harmless(at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let contents: Vec<u8> = (0..20_000_u32).map(|n| (n % 251) as u8).collect();
        let (first, second) = contents.split_at(9000);
        let files = COMPRESSED.into_iter().flat_map(|compression| {
            let two = [first, second].map(|part| compress(compression, part)).concat();
            [compress(compression, &contents), two].map(|file| (compression, file))
        });
        for (compression, mut file) in files {
            let at = at.index(file.len());
            file[at] ^= 1 << bit;
            if Compression::detect(&file) == compression {
                let results = [decompress(compression, &file), decompress_by_reader(&file)];
                let [streamed, at_once] = results.map(|result| result.map_err(|error| error.to_string()));
                prop_assert!(streamed == at_once, "byte {at}, bit {bit}");
            }
            if let Ok(decompressed) = decompress(compression, &file) {
                // A name or time in the header of gzip.
                prop_assert!(decompressed == contents, "byte {at}, bit {bit}");
            }
        }
    }
}
