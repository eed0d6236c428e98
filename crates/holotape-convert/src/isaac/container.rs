//! The records of an MCAP file: schemas, channels and messages, also those in chunks.
//!
//! The `mcap` crate decompresses chunks. Everything else is read here: its reader overflows if a record is longer than
//! its chunk, and panics on short attachments.

use ::mcap::McapError;
use ::mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};
use holotape::{Error, ErrorKind, Result};

use crate::file_format::MCAP_MAGIC;

/// Opcode and length.
const RECORD_HEADER_BYTES: usize = 9;

/// The largest record in a compressed chunk. A message of a hand has 992 bytes; other channels may have images.
const MAX_RECORD_BYTES: usize = 16 << 20;

/// A record of interest.
pub(super) enum Record<'a> {
    Schema { id: u16, name: &'a [u8], data: &'a [u8] },
    Channel { id: u16, schema_id: u16, topic: &'a [u8] },
    Message { channel_id: u16, log_time_ns: u64, data: &'a [u8] },
    Attachment,
}

/// A function that receives records, and returns what is wrong with one.
pub(super) type Visitor<'v> = dyn FnMut(Record<'_>) -> Result<(), String> + 'v;

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a footer.
    Complete,
    /// Without one, at this byte: the writer was stopped, or the file was cut.
    Truncated { byte: usize },
}

/// Visits the records of a file in order. `max_bytes` limits the decompressed size of all chunks.
pub(super) fn visit(bytes: &[u8], max_bytes: u64, visitor: &mut Visitor<'_>) -> Result<Ending> {
    if !bytes.starts_with(MCAP_MAGIC) {
        return Err(Error::new(ErrorKind::NotARecording, "not an MCAP log: unknown magic bytes"));
    }
    let mut walk = Walk { visitor, rest_bytes: max_bytes, max_bytes };
    let mut offset = MCAP_MAGIC.len();
    loop {
        let Some((opcode, body)) = split_record(&bytes[offset..]) else {
            // A chunk without compression is readable up to its end.
            walk.partial_chunk(&bytes[offset..], offset)?;
            return Ok(Ending::Truncated { byte: bytes.len() });
        };
        let end = offset + RECORD_HEADER_BYTES + body.len();
        match opcode {
            OP_FOOTER => return Ok(Ending::Complete),
            OP_CHUNK => walk.chunk(&bytes[offset..end], offset)?,
            _ => walk.record(opcode, body).map_err(|message| invalid(&format!("record at byte {offset}"), &message))?,
        }
        offset = end;
    }
}

const OP_FOOTER: u8 = 0x02;
const OP_SCHEMA: u8 = 0x03;
const OP_CHANNEL: u8 = 0x04;
const OP_MESSAGE: u8 = 0x05;
const OP_CHUNK: u8 = 0x06;
const OP_ATTACHMENT: u8 = 0x09;

struct Walk<'w, 'v> {
    visitor: &'w mut Visitor<'v>,
    /// What chunks may still decompress to.
    rest_bytes: u64,
    max_bytes: u64,
}

impl Walk<'_, '_> {
    /// Visits a record outside of a chunk, or in one.
    fn record(&mut self, opcode: u8, body: &[u8]) -> Result<(), String> {
        let mut fields = Fields(body);
        let record = match opcode {
            OP_SCHEMA => {
                let (id, name, _encoding) = (fields.u16()?, fields.bytes()?, fields.bytes()?);
                Record::Schema { id, name, data: fields.bytes()? }
            }
            OP_CHANNEL => Record::Channel { id: fields.u16()?, schema_id: fields.u16()?, topic: fields.bytes()? },
            OP_MESSAGE => {
                let (channel_id, _sequence) = (fields.u16()?, fields.array::<4>()?);
                let (log_time_ns, _publish_time) = (fields.u64()?, fields.u64()?);
                Record::Message { channel_id, log_time_ns, data: fields.0 }
            }
            OP_ATTACHMENT => Record::Attachment,
            _ => return Ok(()),
        };
        (self.visitor)(record)
    }

    fn chunk(&mut self, record: &[u8], offset: usize) -> Result<()> {
        let place = format!("chunk at byte {offset}");
        let header = ChunkHeader::read(&record[RECORD_HEADER_BYTES..]).map_err(|message| invalid(&place, &message))?;
        match header.compression {
            b"" => {
                let crc = crc32fast::hash(header.records);
                if header.crc != 0 && header.crc != crc {
                    let message = format!("the CRC is {crc:08x}, not {:08x}; the file is damaged", header.crc);
                    return Err(invalid(&place, &message));
                }
                let rest = self.records(header.records, &place)?;
                let message = || format!("the last record, of {} bytes, is incomplete", rest.len());
                if rest.is_empty() { Ok(()) } else { Err(invalid(&place, &message())) }
            }
            b"zstd" => self.compressed_chunk(record, &place),
            other => {
                let name = other.escape_ascii();
                let message = format!("unsupported compression {name}; decompress the log with `mcap decompress`");
                Err(invalid(&place, &message))
            }
        }
    }

    /// Visits the complete records in a slice, and returns the rest.
    fn records<'a>(&mut self, mut bytes: &'a [u8], place: &str) -> Result<&'a [u8]> {
        let mut number = 0;
        while let Some((opcode, body)) = split_record(bytes) {
            number += 1;
            self.record(opcode, body).map_err(|message| invalid(&format!("{place}, record {number}"), &message))?;
            bytes = &bytes[RECORD_HEADER_BYTES + body.len()..];
        }
        Ok(bytes)
    }

    /// Visits the complete records of a truncated chunk without compression.
    fn partial_chunk(&mut self, record: &[u8], offset: usize) -> Result<()> {
        let body = record.get(RECORD_HEADER_BYTES..).filter(|_| record.first() == Some(&OP_CHUNK));
        match body.and_then(|body| ChunkHeader::read_partial(body).ok()) {
            Some(chunk) if chunk.compression.is_empty() => {
                self.records(chunk.records, &format!("chunk at byte {offset}")).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn compressed_chunk(&mut self, record: &[u8], place: &str) -> Result<()> {
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_skip_end_magic(true)
            .with_validate_chunk_crcs(true)
            .with_record_length_limit(MAX_RECORD_BYTES);
        let mut reader = LinearReader::new_with_options(options);
        let mut rest = record;
        let mut number = 0;
        while let Some(event) = reader.next_event() {
            match event.map_err(|error| chunk_error(place, &error))? {
                LinearReadEvent::ReadRequest(byte_count) => {
                    let (next, after) = rest.split_at(byte_count.min(rest.len()));
                    reader.insert(next.len()).copy_from_slice(next);
                    reader.notify_read(next.len());
                    rest = after;
                }
                LinearReadEvent::Record { opcode, data } => {
                    number += 1;
                    self.spend(data.len() + RECORD_HEADER_BYTES, place)?;
                    self.record(opcode, data)
                        .map_err(|message| invalid(&format!("{place}, record {number}"), &message))?;
                }
            }
        }
        Ok(())
    }

    fn spend(&mut self, byte_count: usize, place: &str) -> Result<()> {
        let rest = self.rest_bytes.checked_sub(byte_count as u64);
        self.rest_bytes = rest.ok_or_else(|| {
            let message = format!("{place}: decompressed, the log has more than {} bytes", self.max_bytes);
            Error::new(ErrorKind::LimitExceeded, message)
        })?;
        Ok(())
    }
}

fn invalid(place: &str, message: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("{place}: {message}"))
}

fn chunk_error(place: &str, error: &McapError) -> Error {
    let kind = match error {
        McapError::RecordTooLarge { .. } | McapError::ChunkTooLarge(_) => ErrorKind::LimitExceeded,
        _ => ErrorKind::Invalid,
    };
    Error::new(kind, format!("{place}: {error}"))
}

/// Splits off the first record: its opcode and its body. `None` if it is incomplete.
fn split_record(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (&[opcode], rest) = bytes.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    Some((opcode, rest.get(..length)?))
}

/// The start of a chunk, and its records up to the end of the chunk.
struct ChunkHeader<'a> {
    crc: u32,
    compression: &'a [u8],
    declared_bytes: u64,
    records: &'a [u8],
}

impl<'a> ChunkHeader<'a> {
    fn read(body: &'a [u8]) -> Result<Self, String> {
        let chunk = Self::read_partial(body)?;
        let ChunkHeader { declared_bytes, records: rest, .. } = chunk;
        let records = usize::try_from(declared_bytes).ok().and_then(|count| rest.get(..count));
        let records = records.ok_or_else(|| format!("{declared_bytes} bytes of records in {} bytes", rest.len()))?;
        Ok(Self { records, ..chunk })
    }

    /// Reads a chunk that may lack records at its end.
    fn read_partial(body: &'a [u8]) -> Result<Self, String> {
        let mut fields = Fields(body);
        let (_start, _end, _uncompressed_bytes) = (fields.u64()?, fields.u64()?, fields.u64()?);
        let crc = u32::from_le_bytes(fields.array()?);
        let compression = fields.bytes()?;
        Ok(Self { crc, compression, declared_bytes: fields.u64()?, records: fields.0 })
    }
}

/// The fields of a record that are not read yet.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (array, rest) = self.0.split_first_chunk().ok_or("the record is too short")?;
        self.0 = rest;
        Ok(*array)
    }

    fn u16(&mut self) -> Result<u16, String> {
        self.array().map(u16::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.array().map(u64::from_le_bytes)
    }

    /// A string or a list of bytes, after its length.
    fn bytes(&mut self) -> Result<&'a [u8], String> {
        let length = u32::from_le_bytes(self.array()?);
        let split = usize::try_from(length).ok().and_then(|length| self.0.split_at_checked(length));
        let (bytes, rest) = split.ok_or_else(|| format!("a string of {length} bytes in {} bytes", self.0.len()))?;
        self.0 = rest;
        Ok(bytes)
    }
}
