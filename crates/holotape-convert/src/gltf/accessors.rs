//! Reads accessor data from untrusted glTF files.

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Interpolation, Sampler};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Index, Root};

use super::track::Track;

/// Reads tracks from a document and its buffer.
pub(super) struct AccessorReader<'a> {
    root: &'a Root,
    buffer: &'a [u8],
    /// Bytes of values read so far. The writer stores each value once, so a valid file never exceeds the buffer size.
    read_bytes: usize,
}

impl<'a> AccessorReader<'a> {
    pub(super) fn new(root: &'a Root, buffer: &'a [u8]) -> Self {
        Self { root, buffer, read_bytes: 0 }
    }

    /// Reads the track of a sampler; the error is the reason why it is unusable.
    pub(super) fn track<const N: usize>(&mut self, sampler: &Sampler) -> Result<Track<N>, String> {
        if sampler.interpolation != Checked::Valid(Interpolation::Linear) {
            return Err("its interpolation is not LINEAR".to_owned());
        }
        let [times, values] = [(sampler.input, 1), (sampler.output, N)].map(|(index, width)| self.bytes(index, width));
        let (times, values) = (times?, values?);
        self.read_bytes += values.len();
        if self.read_bytes > self.buffer.len() {
            return Err("the animation is larger than the buffer".to_owned());
        }
        let times: Vec<f32> = rows::<1>(times).map(|[time]| time).collect();
        let values: Vec<[f32; N]> = rows(values).collect();
        if times.len() != values.len() {
            return Err(format!("it has {} times and {} values", times.len(), values.len()));
        }
        if !(times.iter().all(|time| time.is_finite()) && times.is_sorted_by(|a, b| a < b)) {
            return Err("its times are not strictly increasing".to_owned());
        }
        Ok(Track { times, values })
    }

    /// Returns the bytes of a float accessor with `width` values per row.
    fn bytes(&self, index: Index<Accessor>, width: usize) -> Result<&'a [u8], String> {
        let index = index.value();
        let accessor = self.root.accessors.get(index).ok_or_else(|| format!("accessor {index} does not exist"))?;
        let shape = match width {
            1 => Type::Scalar,
            3 => Type::Vec3,
            _ => Type::Vec4,
        };
        let is_float = matches!(accessor.component_type, Checked::Valid(GenericComponentType(ComponentType::F32)));
        if !is_float || accessor.type_ != Checked::Valid(shape) || accessor.sparse.is_some() {
            return Err(format!("accessor {index} does not hold the expected float vectors"));
        }
        self.slice(accessor, 4 * width).ok_or_else(|| format!("accessor {index} is out of the buffer's bounds"))
    }

    fn slice(&self, accessor: &Accessor, row_bytes: usize) -> Option<&'a [u8]> {
        let view = self.root.buffer_views.get(accessor.buffer_view?.value())?;
        if view.buffer.value() != 0 || view.byte_stride.is_some_and(|stride| stride.0 != row_bytes) {
            return None;
        }
        let [start, offset] = [view.byte_offset, accessor.byte_offset].map(|offset| offset.unwrap_or_default().0);
        let length = accessor.count.0.checked_mul(row_bytes as u64)?;
        let view_bytes = sub_slice(self.buffer, start, view.byte_length.0)?;
        sub_slice(view_bytes, offset, length)
    }
}

fn sub_slice(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let end = start.checked_add(length)?;
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn rows<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [f32; N]> {
    let (words, _) = bytes.as_chunks::<4>();
    let (rows, _) = words.as_chunks::<N>();
    rows.iter().map(|row| row.map(f32::from_le_bytes))
}
