//! Checks the metadata of Parquet files, which is in Thrift's compact encoding, before the Parquet reader sees it.
//!
//! The reader skips unknown fields. It takes no bytes for an element of a list of booleans, so a list of six bytes can have two
//! billion elements, and take seconds. It also allocates memory for as many values as the header of a page claims, and for as many
//! columns as a group of the schema claims, and nests its calls as deeply as the schema. Other errors are left to the reader, which
//! has better messages.

use holotape::{Error, ErrorKind, Result};

/// No known field of the metadata is a list of booleans; the lists of other types end with the file.
const MAX_BOOLEANS: u64 = 256;

/// As in the Parquet reader.
const MAX_DEPTH: u8 = 64;

/// The length of the metadata and the magic number.
const TAIL_BYTES: usize = 8;

/// The field of the metadata with the elements of the schema, groups before their columns.
const SCHEMA_FIELD: i64 = 2;

/// The field of such an element with the number of its children, for groups.
const CHILD_COUNT_FIELD: i64 = 5;

/// The field of a page header with the size of the page.
const COMPRESSED_SIZE_FIELD: i64 = 3;

/// The fields of a page header with the headers of the kinds of pages: data, dictionary, and data of version 2.
const KIND_HEADER_FIELDS: [i64; 3] = [5, 7, 8];

/// The field of such a header with the number of values.
const VALUE_COUNT_FIELD: i64 = 1;

const LOGICAL_TYPE_FIELD: i64 = 10;

/// The types of fields, as a file claims them. A boolean field has no bytes: its value is its type.
const BOOLEAN_KINDS: [u8; 2] = [1, 2];
const BYTE_KIND: u8 = 3;
const INT_KIND: u8 = 5;
const BINARY_KIND: u8 = 8;
const STRUCTURE_KIND: u8 = 12;

/// Why a structure cannot be read.
#[derive(Debug, PartialEq, Eq)]
enum ThriftError {
    /// Left to the reader.
    Malformed,
    TooManyElements,
    TooManyValues,
    /// Elements of an unexpected form, groups that claim more children than there are elements, or that are nested too deeply.
    InvalidSchema,
}

type ThriftResult<T> = std::result::Result<T, ThriftError>;

/// Checks the metadata at the end of a file.
pub(crate) fn check_footer(file: &[u8]) -> Result<()> {
    let footer = || {
        let (body, tail) = file.split_last_chunk::<TAIL_BYTES>()?;
        let [a, b, c, d, ..] = *tail;
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
        body.get(body.len().checked_sub(length)?..)
    };
    footer().map_or(Ok(()), |footer| accept(Compact { rest: footer }.footer()))
}

/// Checks the page headers of a column that has at most `max_values` values.
pub(crate) fn check_pages(column: &[u8], max_values: u64) -> Result<()> {
    let mut pages = Compact { rest: column };
    accept((|| {
        while !pages.rest.is_empty() {
            let (size, values) = pages.page_header()?;
            if u64::try_from(values).is_ok_and(|values| values > max_values) {
                return Err(ThriftError::TooManyValues);
            }
            pages.skip(u64::try_from(size).map_err(|_| ThriftError::Malformed)?)?;
        }
        Ok(())
    })())
}

fn require(is_valid: bool) -> ThriftResult<()> {
    if is_valid { Ok(()) } else { Err(ThriftError::InvalidSchema) }
}

fn accept(checked: ThriftResult<()>) -> Result<()> {
    match checked {
        Ok(()) | Err(ThriftError::Malformed) => Ok(()),
        Err(ThriftError::TooManyElements) => {
            let message = format!("the file is damaged: its metadata has a list of more than {MAX_BOOLEANS} booleans");
            Err(Error::new(ErrorKind::Invalid, message))
        }
        Err(ThriftError::InvalidSchema) => Err(Error::new(
            ErrorKind::Invalid,
            "the file is damaged: its schema contradicts itself or is nested too deeply",
        )),
        Err(ThriftError::TooManyValues) => {
            Err(Error::new(ErrorKind::Invalid, "the file is damaged: a page claims more values than its column has"))
        }
    }
}

/// The rest of a structure.
struct Compact<'a> {
    rest: &'a [u8],
}

impl Compact<'_> {
    fn byte(&mut self) -> ThriftResult<u8> {
        let (first, rest) = self.rest.split_first().ok_or(ThriftError::Malformed)?;
        self.rest = rest;
        Ok(*first)
    }

    fn skip(&mut self, count: u64) -> ThriftResult<()> {
        let count = usize::try_from(count).map_err(|_| ThriftError::Malformed)?;
        self.rest = self.rest.get(count..).ok_or(ThriftError::Malformed)?;
        Ok(())
    }

    /// Seven bits per byte. Bits after the 64th are dropped.
    fn varint(&mut self) -> ThriftResult<u64> {
        let (mut value, mut shift) = (0_u64, 0_u32);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift = shift.saturating_add(7);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }

    /// Reads the header of a list: the number of its elements, and their type.
    fn list_header(&mut self) -> ThriftResult<(u64, u8)> {
        let header = self.byte()?;
        let count = if header >> 4 == 15 { self.varint()? } else { (header >> 4).into() };
        Ok((count, header & 15))
    }

    /// A signed number: the lowest bit is its sign.
    fn zigzag(&mut self) -> ThriftResult<i64> {
        let bits = self.varint()?;
        Ok((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    /// Reads a structure. `read` reads a field of an id and a type, or returns `false`; then the field is skipped.
    fn structure(
        &mut self,
        depth: u8,
        read: &mut dyn FnMut(&mut Self, i64, u8) -> ThriftResult<bool>,
    ) -> ThriftResult<()> {
        let mut id = 0_i64;
        loop {
            let header = self.byte()?;
            if header & 15 == 0 {
                return Ok(());
            }
            id = match header >> 4 {
                0 => self.zigzag()?,
                delta => id.wrapping_add(delta.into()),
            };
            if !read(self, id, header & 15)? {
                self.value(header & 15, depth.checked_sub(1).ok_or(ThriftError::Malformed)?)?;
            }
        }
    }

    fn skip_structure(&mut self, depth: u8) -> ThriftResult<()> {
        self.structure(depth, &mut |_, _, _| Ok(false))
    }

    /// Reads the metadata at the end of a file.
    fn footer(&mut self) -> ThriftResult<()> {
        self.structure(MAX_DEPTH, &mut |footer, id, _| {
            let is_schema = id == SCHEMA_FIELD;
            if is_schema {
                // The reader could see other elements than those up to here.
                footer.schema().map_err(|error| match error {
                    ThriftError::Malformed => ThriftError::InvalidSchema,
                    other => other,
                })?;
            }
            Ok(is_schema)
        })
    }

    /// Reads the elements of the schema. All of them but the root are children of one group.
    fn schema(&mut self) -> ThriftResult<()> {
        let (count, _) = self.list_header()?;
        let mut unclaimed = count.saturating_sub(1);
        // How many children the groups around an element still lack, outermost first.
        let mut missing = Vec::new();
        for _ in 0..count {
            while missing.last() == Some(&0) {
                missing.pop();
            }
            if let Some(parent) = missing.last_mut() {
                *parent -= 1;
            }
            let children = self.child_count()?;
            unclaimed = unclaimed.checked_sub(children).ok_or(ThriftError::InvalidSchema)?;
            if children > 0 {
                missing.push(children);
            }
            if missing.len() > MAX_DEPTH.into() {
                return Err(ThriftError::InvalidSchema);
            }
        }
        Ok(())
    }

    /// Reads an element of the schema: the number of its children. The Parquet reader reads a known field by its id, whatever type
    /// the file claims, and would then see other elements, so other types are an error.
    fn child_count(&mut self) -> ThriftResult<u64> {
        let mut children = 0;
        self.structure(MAX_DEPTH, &mut |element, id, kind| {
            let expected = match id {
                1..=3 | 5..=9 => INT_KIND,
                4 => BINARY_KIND,
                LOGICAL_TYPE_FIELD => STRUCTURE_KIND,
                _ => kind,
            };
            require(kind == expected)?;
            match id {
                // Of 32 bits, as in the Parquet reader; it rejects negative numbers.
                CHILD_COUNT_FIELD => {
                    children = u64::try_from(element.zigzag()? as i32).unwrap_or(0).max(children);
                }
                LOGICAL_TYPE_FIELD => element.logical_type()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(children)
    }

    /// Reads the logical type of a column: a structure with the fields of one type.
    fn logical_type(&mut self) -> ThriftResult<()> {
        self.structure(MAX_DEPTH, &mut |union, variant, kind| {
            require(kind == STRUCTURE_KIND)?;
            union.structure(MAX_DEPTH, &mut |fields, id, kind| {
                // Decimal, time, timestamp, integer, variant, geometry and geography have fields.
                match (variant, id) {
                    (5, 1 | 2) | (18, 2) => require(kind == INT_KIND)?,
                    (7 | 8, 1) | (10, 2) => require(BOOLEAN_KINDS.contains(&kind))?,
                    (10 | 16, 1) => require(kind == BYTE_KIND)?,
                    (17 | 18, 1) => require(kind == BINARY_KIND)?,
                    (7 | 8, 2) => {
                        require(kind == STRUCTURE_KIND)?;
                        fields
                            .structure(MAX_DEPTH, &mut |_, _, kind| require(kind == STRUCTURE_KIND).map(|()| false))?;
                        return Ok(true);
                    }
                    _ => {}
                }
                Ok(false)
            })?;
            Ok(true)
        })
    }

    /// Reads the header of a page: the size of the page, and its number of values. As the Parquet reader, it reads a known
    /// field by its id, whatever type the file claims.
    fn page_header(&mut self) -> ThriftResult<(i64, i64)> {
        let (mut size, mut values) = (None, 0);
        self.structure(MAX_DEPTH, &mut |header, id, _| {
            if id == COMPRESSED_SIZE_FIELD {
                size = Some(header.zigzag()?);
                return Ok(true);
            }
            let is_kind_header = KIND_HEADER_FIELDS.contains(&id);
            if is_kind_header {
                header.structure(MAX_DEPTH - 1, &mut |header, id, _| {
                    let is_count = id == VALUE_COUNT_FIELD;
                    if is_count {
                        values = i64::from(header.zigzag()? as i32).max(values);
                    }
                    Ok(is_count)
                })?;
            }
            Ok(is_kind_header)
        })?;
        Ok((size.ok_or(ThriftError::Malformed)?, values))
    }

    fn value(&mut self, kind: u8, depth: u8) -> ThriftResult<()> {
        match kind {
            1 | 2 => Ok(()),
            3 => self.skip(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => {
                let (count, kind) = self.list_header()?;
                self.elements(count, &[kind], depth)
            }
            11 => {
                let count = self.varint()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                self.elements(count, &[kinds >> 4, kinds & 15], depth)
            }
            12 => self.skip_structure(depth),
            13 => self.skip(16),
            _ => Err(ThriftError::Malformed),
        }
    }

    /// Skips the elements of a list, or the keys and values of a map.
    fn elements(&mut self, count: u64, kinds: &[u8], depth: u8) -> ThriftResult<()> {
        let depth = depth.checked_sub(1).ok_or(ThriftError::Malformed)?;
        if count > MAX_BOOLEANS && kinds.iter().all(|kind| matches!(kind, 1 | 2)) {
            return Err(ThriftError::TooManyElements);
        }
        for _ in 0..count {
            for kind in kinds {
                self.value(*kind, depth)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of booleans in an unknown field, then the end of the structure.
    fn booleans(count: &[u8]) -> Vec<u8> {
        [&[0xf9, 0xf1], count, &[0]].concat()
    }

    fn file(footer: &[u8]) -> Vec<u8> {
        let length = u32::try_from(footer.len()).expect("short").to_le_bytes();
        [b"PAR1", footer, &length, b"PAR1"].concat()
    }

    #[test]
    fn lists_of_booleans_are_limited() {
        assert!(check_footer(&file(&booleans(&[0x80, 0x02]))).is_ok());
        for count in [&[0x81, 0x02][..], &[0xff, 0xff, 0xff, 0xff, 0x07]] {
            let error = check_footer(&file(&booleans(count))).expect_err("too many");
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(check_pages(&booleans(count), 0).is_err());
        }
        // Keys and values of a map, and a list in a structure in a list.
        assert!(check_footer(&file(&[0x1b, 0x81, 0x02, 0x11, 0])).is_err());
        assert!(check_footer(&file(&[0x19, 0x1c, 0x19, 0xf2, 0xff, 0x7f, 0, 0])).is_err());
    }

    #[test]
    fn pages_are_found_by_their_size() {
        // A page of three bytes, then a page header with a list.
        let page = [0x15, 0, 0x25, 6, 0, 1, 2, 3];
        assert!(check_pages(&page, 0).is_ok());
        assert!(check_pages(&[&page[..], &booleans(&[0xff, 0x7f])].concat(), 0).is_err());
    }

    #[test]
    fn pages_have_at_most_the_values_of_their_column() {
        // A page without bytes, whose header for a dictionary has 30 values.
        let page = [0x35, 0, 0x4c, 0x15, 60, 0, 0];
        assert!(check_pages(&page, 30).is_ok());
        assert!(check_pages(&[page, page].concat(), 30).is_ok());
        // The number of values again, as a boolean that the reader takes for a number.
        let twice = [0x35, 0, 0x4c, 0x15, 60, 0x01, 0x02, 62, 0, 0];
        assert!(check_pages(&twice, 31).is_ok() && check_pages(&twice, 30).is_err());
        let error = check_pages(&page, 29).expect_err("too many");
        assert!(error.to_string().contains("more values than its column"), "{error}");
    }

    #[test]
    fn other_errors_are_left_to_the_reader() {
        let nested = vec![0x1c; 1000];
        let cases: [&[u8]; 5] = [&[], &[0x18, 0xff, 0x7f], &[0x1f], &[0x19], &nested];
        for footer in cases {
            assert!(check_footer(&file(footer)).is_ok(), "{footer:?}");
        }
        assert!(check_footer(b"PAR1").is_ok());
        assert!(check_footer(b"\xff\xff\xff\xffPAR1").is_ok());
    }

    /// Metadata with a schema of groups with these numbers of children; 0 for columns.
    fn schema(children: &[u64]) -> Vec<u8> {
        let varint = |mut value: u64| {
            let mut bytes = Vec::new();
            while value >= 0x80 {
                bytes.push(value as u8 | 0x80);
                value >>= 7;
            }
            bytes.push(value as u8);
            bytes
        };
        // A name "a" in field 4, and the number of children in the next one.
        let element = |children: &u64| [&[0x48, 1, b'a', 0x15][..], &varint(children << 1), &[0]].concat();
        let elements = children.iter().flat_map(element).collect::<Vec<_>>();
        [&[0x29, 0xfc][..], &varint(children.len() as u64), &elements, &[0]].concat()
    }

    #[test]
    fn groups_have_no_more_children_than_elements() {
        let check = |children: &[u64]| check_footer(&file(&schema(children)));
        for valid in [&[][..], &[0], &[2, 0, 0], &[2, 1, 0, 0], &[1, 1, 1, 0]] {
            assert!(check(valid).is_ok(), "{valid:?}");
        }
        // 32 bits: the lower ones are the number.
        for children in [2, 3, 100_000_000, u64::from(u32::MAX >> 1), (1 << 32) + 100_000_000] {
            assert!(check(&[children, 0]).is_err_and(|error| error.to_string().contains("schema")), "{children}");
        }
        // Each group claims as many as there are.
        assert!(check(&[3, 3, 3, 0]).is_err());
    }

    #[test]
    fn fields_of_the_schema_have_their_types() {
        // One element whose only field is the one with this header and these bytes.
        let check = |field: &[u8]| check_footer(&file(&[&[0x29, 0x1c][..], field, &[0, 0]].concat()));
        // A name, a number, a decimal, a timestamp, an integer, and an unknown field.
        for valid in [
            &[0x48, 1, b'a'][..],
            &[0x15, 2],
            &[0xac, 0x5c, 0x15, 2, 0x15, 4, 0, 0],
            &[0xac, 0x8c, 0x11, 0x1c, 0x1c, 0, 0, 0, 0],
            &[0xac, 0xac, 0x13, 8, 0x12, 0, 0],
            &[0xb8, 1, b'a'],
        ] {
            assert!(check(valid).is_ok(), "{valid:x?}");
        }
        for invalid in [
            &[0x45, 2][..],
            &[0x18, 1, b'a'],
            &[0xa5, 2],
            &[0xac, 0x55, 2, 0],
            &[0xac, 0x5c, 0x13, 8, 0, 0],
            &[0xac, 0x8c, 0x15, 2, 0, 0],
            &[0xac, 0x8c, 0x2c, 0x15, 2, 0, 0, 0],
            &[0xac, 0xac, 0x15, 8, 0, 0],
            // It ends too early.
            &[0x48, 100, b'a'],
        ] {
            assert!(check(invalid).is_err(), "{invalid:x?}");
        }
    }

    #[test]
    fn depth_of_the_schema_is_limited() {
        let nested = |depth: usize| [vec![1; depth], vec![0]].concat();
        assert!(check_footer(&file(&schema(&nested(64)))).is_ok());
        assert!(check_footer(&file(&schema(&nested(65)))).is_err());
        assert!(check_footer(&file(&schema(&nested(100_000)))).is_err());
    }
}
