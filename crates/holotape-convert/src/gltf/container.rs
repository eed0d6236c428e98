//! The two containers of a glTF file: binary, and JSON with the buffer as a data URI.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use gltf_json::Root;
use holotape::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde::de::IgnoredAny;

const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";
const HEADER_BYTES: usize = 12;
const DATA_URI: &str = "data:application/octet-stream;base64,";

/// Many times the number of items that the scene of a recording has.
const MAX_ITEMS: usize = 4096;

/// Writes a `.glb` file.
pub(super) fn write_binary(root: &Root, buffer: &[u8], mut out: impl Write) -> Result<()> {
    let mut json = root.to_vec().map_err(std::io::Error::from)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks: &[([u8; 4], &[u8])] =
        if buffer.is_empty() { &[(JSON, &json)] } else { &[(JSON, &json), (BIN, buffer)] };
    let length = HEADER_BYTES + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let number = |length: usize| {
        let too_long = |_| Error::new(ErrorKind::LimitExceeded, "binary glTF is limited to 4 GiB; write .gltf instead");
        u32::try_from(length).map(u32::to_le_bytes).map_err(too_long)
    };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&number(length)?)?;
    for (kind, bytes) in chunks {
        out.write_all(&number(bytes.len())?)?;
        out.write_all(kind)?;
        out.write_all(bytes)?;
    }
    Ok(out.flush()?)
}

/// Writes a self-contained `.gltf` file.
pub(super) fn write_text(mut root: Root, buffer: &[u8], mut out: impl Write) -> Result<()> {
    if let Some(first) = root.buffers.first_mut() {
        first.uri = Some(DATA_URI.to_owned() + &BASE64.encode(buffer));
    }
    root.to_writer(&mut out).map_err(std::io::Error::from)?;
    Ok(out.flush()?)
}

/// Reads either container: the document and its first buffer, which is empty if the document has none.
pub(super) fn read(bytes: &[u8]) -> Result<(Root, Vec<u8>)> {
    if bytes.starts_with(&MAGIC) {
        return read_binary(bytes);
    }
    let root = read_json(bytes)?;
    let buffer = match root.buffers.first().map(|buffer| buffer.uri.as_deref()) {
        None => Vec::new(),
        Some(uri) => read_data_uri(uri.unwrap_or_default())?,
    };
    Ok((root, buffer))
}

fn read_binary(bytes: &[u8]) -> Result<(Root, Vec<u8>)> {
    let header: [[u8; 4]; 3] = [0, 4, 8].map(|offset| word(bytes, offset).unwrap_or_default());
    if u32::from_le_bytes(header[1]) != VERSION {
        let message = format!("unsupported binary glTF version {}; expected {VERSION}", u32::from_le_bytes(header[1]));
        return Err(Error::new(ErrorKind::UnsupportedVersion, message));
    }
    let length = u32::from_le_bytes(header[2]) as usize;
    let Some(chunks) = bytes.get(HEADER_BYTES..length) else {
        let message = format!("binary glTF is truncated: {} of {length} bytes", bytes.len());
        return Err(Error::new(ErrorKind::Truncated, message));
    };
    let (json, rest) = read_chunk(chunks, JSON)?;
    let buffer = if rest.is_empty() { &[][..] } else { read_chunk(rest, BIN)?.0 };
    Ok((read_json(json)?, buffer.to_vec()))
}

/// Returns the bytes of a chunk and the bytes after it.
fn read_chunk(bytes: &[u8], expected: [u8; 4]) -> Result<(&[u8], &[u8])> {
    let name = expected.escape_ascii();
    let truncated = || Error::new(ErrorKind::Truncated, format!("chunk {name} is truncated"));
    let [length, kind] = [0, 4].map(|offset| word(bytes, offset));
    let length = u32::from_le_bytes(length.ok_or_else(truncated)?) as usize;
    if kind.ok_or_else(truncated)? != expected {
        return Err(Error::new(ErrorKind::Invalid, format!("missing chunk {name}")));
    }
    bytes[8..].split_at_checked(length).ok_or_else(truncated)
}

fn word(bytes: &[u8], offset: usize) -> Option<[u8; 4]> {
    bytes.get(offset..)?.first_chunk().copied()
}

fn read_json(json: &[u8]) -> Result<Root> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    let max = serde_json::from_slice::<Lists>(json).map_err(json_error)?.max_length();
    if max > MAX_ITEMS {
        let message = format!("the glTF document has a list of {max} items; the limit is {MAX_ITEMS}");
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    Root::from_slice(json).map_err(json_error)
}

/// The lists of a document whose items need more memory than text: an item of three bytes can take hundreds. Ignored
/// items take none, so this checks the lengths before the document is parsed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Lists {
    accessors: Vec<IgnoredAny>,
    animations: Vec<IgnoredAny>,
    buffer_views: Vec<IgnoredAny>,
    images: Vec<IgnoredAny>,
    materials: Vec<IgnoredAny>,
    meshes: Vec<IgnoredAny>,
    nodes: Vec<IgnoredAny>,
    samplers: Vec<IgnoredAny>,
}

impl Lists {
    fn max_length(&self) -> usize {
        let Self { accessors, animations, buffer_views, images, materials, meshes, nodes, samplers } = self;
        let all = [accessors, animations, buffer_views, images, materials, meshes, nodes, samplers];
        all.into_iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn json_error(error: serde_json::Error) -> Error {
    let kind = if error.is_eof() { ErrorKind::Truncated } else { ErrorKind::Invalid };
    Error::new(kind, format!("invalid glTF document: {error}"))
}

fn read_data_uri(uri: &str) -> Result<Vec<u8>> {
    let invalid = |message: String| Error::new(ErrorKind::Invalid, message);
    let (_, text) = uri.strip_prefix("data:").and_then(|uri| uri.split_once(";base64,")).ok_or_else(|| {
        invalid("the buffer is in a separate file; only self-contained glTF files are supported".to_owned())
    })?;
    BASE64.decode(text).map_err(|error| invalid(format!("the buffer is not valid base64: {error}")))
}
