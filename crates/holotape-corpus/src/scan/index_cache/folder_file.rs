//! The file with the indexes of all recordings of one folder.
//!
//! Magic number, SHA-256 of the rest, then for each recording: name, stamp, duration and packed index. All numbers are little-endian;
//! name and index follow their length.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holotape::format::PackedIndex;
use holotape::{Result, atomic, paths};
use sha2::{Digest, Sha256};

use super::{Entries, FileStamp, PackedFileIndex};

/// Changes with the format, and with what an index contains.
const MAGIC: &[u8; 8] = b"HTINDEX1";

/// Larger than the indexes of [`MAX_ENTRIES`](super::MAX_ENTRIES) files.
const MAX_BYTES: u64 = 1 << 28;

/// Reads the entries of a folder; none if the file is missing, damaged, or of another version.
pub(super) fn read(dir: &Path, folder: &Path) -> Entries {
    let mut bytes = Vec::new();
    let file = File::open(path_of(dir, folder)).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    file.ok().and_then(|_| decode(&bytes)).unwrap_or_default()
}

/// Replaces the file of a folder. It is not synced to disk: its checksum shows whether it is complete.
pub(super) fn write(dir: &Path, folder: &Path, entries: &Entries) -> Result<()> {
    let mut file = atomic::temporary_file(dir, paths::private_permissions())?;
    file.write_all(&encode(entries))?;
    Ok(atomic::persist(file, &path_of(dir, folder))?)
}

fn path_of(dir: &Path, folder: &Path) -> PathBuf {
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    dir.join(hash[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Whether a file of the cache can have this name.
pub(super) fn is_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.len() == 32 && name.iter().all(u8::is_ascii_hexdigit)
}

fn encode(entries: &Entries) -> Vec<u8> {
    let mut body = Vec::new();
    let mut push = |bytes: &[u8]| body.extend_from_slice(bytes);
    for (name, (FileStamp { bytes, modified_ns, replaced }, file_index)) in entries {
        let index = file_index.index.to_bytes();
        push(&(name.len() as u64).to_le_bytes());
        push(name);
        [bytes, modified_ns, replaced].into_iter().for_each(|number| push(&number.to_le_bytes()));
        push(&file_index.duration_secs.to_le_bytes());
        push(&(index.len() as u64).to_le_bytes());
        push(&index);
    }
    [MAGIC.as_slice(), &Sha256::digest(&body), &body].concat()
}

/// `None` if the bytes are not those of [`encode`].
fn decode(bytes: &[u8]) -> Option<Entries> {
    let (hash, mut body) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
    if Sha256::digest(body)[..] != hash[..] {
        return None;
    }
    let mut entries = Entries::new();
    while !body.is_empty() {
        let name = take_slice(&mut body)?.to_vec();
        let mut number = || take(&mut body).map(u64::from_le_bytes);
        let stamp = FileStamp { bytes: number()?, modified_ns: number()?, replaced: number()? };
        let duration_secs = f32::from_le_bytes(take(&mut body)?);
        let index = PackedIndex::from_bytes(take_slice(&mut body)?)?;
        entries.insert(name, (stamp, Arc::new(PackedFileIndex { index, duration_secs })));
    }
    Some(entries)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// Splits off a slice that follows its length.
fn take_slice<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = usize::try_from(u64::from_le_bytes(take(bytes)?)).ok()?;
    let (slice, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(slice)
}
