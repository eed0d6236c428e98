//! Recognizes other file types, for error messages.

use super::MAGIC;
use crate::record::journal::JOURNAL_MAGIC;

/// The number of bytes from the start of a file that are needed to recognize it.
pub(super) const SNIFF_BYTES: u64 = 24;

/// Describes a file by its first bytes. The text follows a colon.
pub(super) fn describe(start: &[u8]) -> &'static str {
    let reversed: Vec<u8> = MAGIC.iter().rev().copied().collect();
    let headerless = [8, 0, 0, 0, 8, 0, 0, 0];
    let known: [(&[u8], &str); 15] = [
        (&reversed, "its magic number is byte-swapped, which no known program writes"),
        (
            &headerless,
            "it has no header, like recordings from before the first release in 2019; `holotape repair --headerless` reads it",
        ),
        (&JOURNAL_MAGIC, "it is a recorder's journal; `holotape repair` recovers the recording"),
        (b"HL2SS", "it is an hl2ss stream, which uses .bin as well"),
        (b"glTF", "it is a binary glTF scene"),
        (b"PK", "it is a ZIP archive; unpack it first"),
        (b"\x1f\x8b", "it is compressed with gzip; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"),
        (b"\x89MCAP", "it is an MCAP log"),
        (b"PAR1", "it is a Parquet table"),
        (b"\xfd7zXZ", "it is compressed with xz; unpack it first"),
        (b"\xff\xfe", "it is UTF-16 text; JSON documents must be UTF-8"),
        (b"\x89PNG", "it is an image"),
        (b"%YAML", "it is a Unity asset in text form"),
        (b"version https://git-lfs", "it is a Git LFS pointer; run `git lfs pull` to get the file itself"),
    ];
    let known = known.into_iter().find(|(magic, _)| start.starts_with(magic));
    match known {
        Some((_, message)) => message,
        None if start.first().is_some_and(|byte| b"{[".contains(byte)) => "it looks like JSON text",
        None if start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => "it looks like text",
        None if start.iter().all(|&byte| byte == 0) => {
            "it starts with zeros, like a file that was never flushed to disk"
        }
        None => "the first eight bytes are not the magic number c6 42 9e 0f 6e af 8f 6a",
    }
}
