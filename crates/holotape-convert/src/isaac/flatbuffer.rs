//! Bounds-checked access to the tables of a FlatBuffer, which may come from anywhere.

/// What is wrong with a buffer, and at which of its bytes.
pub(super) type Result<T> = std::result::Result<T, String>;

/// A table: values at the offsets that its vtable lists by field number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    buffer: &'a [u8],
    position: usize,
    /// The offsets of the fields, 0 for fields that are absent.
    offsets: &'a [[u8; 2]],
    /// The table's own values, from its position on.
    values: &'a [u8],
}

impl<'a> Table<'a> {
    /// The root table of a buffer.
    pub(super) fn root(buffer: &'a [u8]) -> Result<Self> {
        Self::at(buffer, reference(buffer, 0, "the root table")?)
    }

    fn at(buffer: &'a [u8], position: usize) -> Result<Self> {
        let outside =
            |what: &str| format!("{what} of the table at byte {position} is outside of {} bytes", buffer.len());
        let distance = array(buffer, position).map(i32::from_le_bytes).ok_or_else(|| outside("the start"))?;
        let vtable = i64::try_from(position).ok().and_then(|position| position.checked_sub(distance.into()));
        let vtable = vtable.and_then(|vtable| usize::try_from(vtable).ok()).and_then(|start| buffer.get(start..));
        let [vtable_bytes, table_bytes] = vtable
            .and_then(|vtable| Some([array(vtable, 0)?, array(vtable, 2)?].map(u16::from_le_bytes).map(usize::from)))
            .ok_or_else(|| outside("the vtable"))?;
        if vtable_bytes < 4 || !vtable_bytes.is_multiple_of(2) {
            return Err(format!(
                "the vtable of the table at byte {position} has an invalid size of {vtable_bytes} bytes"
            ));
        }
        let offsets = vtable.and_then(|vtable| vtable.get(4..vtable_bytes)).ok_or_else(|| outside("the vtable"))?;
        let values = buffer[position..].get(..table_bytes).ok_or_else(|| outside("the end"))?;
        Ok(Self { buffer, position, offsets: offsets.as_chunks().0, values })
    }

    /// The bytes of a value that is stored in the table; `None` if it is absent.
    pub(super) fn value(&self, field: usize, byte_count: usize) -> Result<Option<&'a [u8]>> {
        let Some(offset) = self.offset(field) else { return Ok(None) };
        let value = self.values.get(offset..).and_then(|values| values.get(..byte_count));
        value.map(Some).ok_or_else(|| {
            let Self { position, values, .. } = self;
            format!(
                "field {field} of the table at byte {position} is outside of it: {byte_count} bytes at {offset} of {}",
                values.len()
            )
        })
    }

    pub(super) fn flag(&self, field: usize) -> Result<bool> {
        Ok(self.value(field, 1)?.is_some_and(|value| value != [0]))
    }

    pub(super) fn int32(&self, field: usize) -> Result<i32> {
        let value = self.value(field, 4)?.and_then(|value| array(value, 0));
        Ok(value.map_or(0, i32::from_le_bytes))
    }

    /// A table that this one refers to; `None` if it is absent.
    pub(super) fn table(&self, field: usize) -> Result<Option<Self>> {
        self.target(field)?.map(|target| Self::at(self.buffer, target)).transpose()
    }

    /// The bytes of a string that this table refers to; empty if it is absent.
    pub(super) fn string(&self, field: usize) -> Result<&'a [u8]> {
        let Some(target) = self.target(field)? else { return Ok(&[]) };
        let (count, bytes) = self.vector_at(target)?;
        bytes.get(..count).ok_or_else(|| outside(count, "bytes", target))
    }

    /// The tables in a vector that this table refers to.
    pub(super) fn tables(&self, field: usize) -> Result<impl Iterator<Item = Result<Self>>> {
        let buffer = self.buffer;
        let (start, count) = match self.target(field)? {
            Some(target) => {
                let (count, bytes) = self.vector_at(target)?;
                if count > bytes.len() / 4 {
                    return Err(outside(count, "tables", target));
                }
                (target + 4, count)
            }
            None => (0, 0),
        };
        Ok((0..count).map(move |n| Self::at(buffer, reference(buffer, start + 4 * n, "a table")?)))
    }

    /// The length of a vector, and the bytes after it.
    fn vector_at(&self, position: usize) -> Result<(usize, &'a [u8])> {
        let rest = self.buffer.get(position..).unwrap_or_default();
        let (count, rest) = rest.split_first_chunk().ok_or_else(|| outside(1, "vector", position))?;
        Ok((u32::from_le_bytes(*count) as usize, rest))
    }

    fn offset(&self, field: usize) -> Option<usize> {
        self.offsets.get(field).map(|offset| u16::from_le_bytes(*offset).into()).filter(|offset| *offset > 0)
    }

    fn target(&self, field: usize) -> Result<Option<usize>> {
        let Some(offset) = self.offset(field) else { return Ok(None) };
        // The reference itself must be in the table.
        self.value(field, 4)?;
        reference(self.buffer, self.position + offset, "the target of a field").map(Some)
    }
}

/// The position that a forward offset refers to.
fn reference(buffer: &[u8], position: usize, what: &str) -> Result<usize> {
    let target = array(buffer, position).and_then(|offset| position.checked_add(u32::from_le_bytes(offset) as usize));
    let inside = target.filter(|target| *target < buffer.len());
    inside.ok_or_else(|| format!("{what}, at byte {position}, is outside of {} bytes", buffer.len()))
}

fn outside(count: usize, what: &str, position: usize) -> String {
    format!("{count} {what} at byte {position} are outside of the buffer")
}

fn array<const N: usize>(bytes: &[u8], position: usize) -> Option<[u8; N]> {
    bytes.get(position..)?.first_chunk().copied()
}
