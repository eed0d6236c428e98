//! Builds the buffer of a glTF file and its accessors.

use std::collections::HashMap;

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Stride, Target, View};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Buffer, Index, Root, Value};

/// Buffer contents, by section.
#[derive(Debug, Default)]
pub(super) struct BufferBuilder {
    parts: [Vec<u8>; 3],
    accessors: Vec<Accessor>,
    /// Accessors by content. Identical data is stored once: most joints share their key times.
    shared: HashMap<Vec<u8>, Index<Accessor>>,
}

/// The views of the buffer, in file order.
#[derive(Clone, Copy, Debug)]
enum BufferSection {
    Animation,
    Vertices,
    Triangles,
}

impl BufferBuilder {
    /// Adds the key times of an animation.
    pub(super) fn times(&mut self, times: &[f32]) -> Index<Accessor> {
        let ends = times.first().zip(times.last()).map(|(first, last)| [vec![*first], vec![*last]]);
        self.push_shared(BufferSection::Animation, Type::Scalar, little_endian(times), ends)
    }

    /// Adds three or four values per key time.
    pub(super) fn values<const N: usize>(&mut self, values: &[[f32; N]]) -> Index<Accessor> {
        let shape = if N == 3 { Type::Vec3 } else { Type::Vec4 };
        self.push(BufferSection::Animation, shape, &little_endian(values.as_flattened()), None)
    }

    /// Adds the vertices of a mesh, with the bounds that glTF requires.
    pub(super) fn positions(&mut self, positions: &[[f32; 3]]) -> Index<Accessor> {
        let min = |n: usize| positions.iter().map(|row| row[n]).fold(f32::INFINITY, f32::min);
        let max = |n: usize| positions.iter().map(|row| row[n]).fold(f32::NEG_INFINITY, f32::max);
        let ends = [[0, 1, 2].map(min).to_vec(), [0, 1, 2].map(max).to_vec()];
        self.push_shared(BufferSection::Vertices, Type::Vec3, little_endian(positions.as_flattened()), Some(ends))
    }

    /// Adds the vertex normals of a mesh.
    pub(super) fn normals(&mut self, normals: &[[f32; 3]]) -> Index<Accessor> {
        self.push_shared(BufferSection::Vertices, Type::Vec3, little_endian(normals.as_flattened()), None)
    }

    /// Adds the vertex indices of a mesh.
    pub(super) fn triangles(&mut self, indices: &[u16]) -> Index<Accessor> {
        self.push_shared(
            BufferSection::Triangles,
            Type::Scalar,
            indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
            None,
        )
    }

    fn push_shared(
        &mut self,
        part: BufferSection,
        shape: Type,
        bytes: Vec<u8>,
        ends: Option<[Vec<f32>; 2]>,
    ) -> Index<Accessor> {
        if let Some(index) = self.shared.get(&bytes) {
            return *index;
        }
        let index = self.push(part, shape, &bytes, ends);
        self.shared.insert(bytes, index);
        index
    }

    fn push(&mut self, part: BufferSection, shape: Type, bytes: &[u8], ends: Option<[Vec<f32>; 2]>) -> Index<Accessor> {
        let component = if matches!(part, BufferSection::Triangles) { ComponentType::U16 } else { ComponentType::F32 };
        let (min, max) = ends.map(|[min, max]| (Value::from(min), Value::from(max))).unzip();
        let stored = &mut self.parts[part as usize];
        let accessor = Accessor {
            buffer_view: Some(Index::new(part as u32)),
            byte_offset: Some(stored.len().into()),
            count: (bytes.len() / (component.size() * shape.multiplicity())).into(),
            component_type: Checked::Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Checked::Valid(shape),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
        };
        stored.extend(bytes);
        Index::push(&mut self.accessors, accessor)
    }

    /// Moves accessors, views and the buffer into the root, and returns the buffer's bytes.
    pub(super) fn finish(self, root: &mut Root) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.parts.iter().map(Vec::len).sum::<usize>() + 4);
        if self.accessors.is_empty() {
            return bytes;
        }
        root.accessors = self.accessors;
        for (part, stored) in
            [BufferSection::Animation, BufferSection::Vertices, BufferSection::Triangles].into_iter().zip(&self.parts)
        {
            root.buffer_views.push(view(part, bytes.len(), stored.len()));
            bytes.extend(stored);
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let byte_length = bytes.len().into();
        root.buffers.push(Buffer { byte_length, name: None, uri: None, extensions: None, extras: None });
        bytes
    }
}

fn view(part: BufferSection, offset: usize, length: usize) -> View {
    let (name, target, byte_stride) = match part {
        BufferSection::Animation => ("animation", None, None),
        BufferSection::Vertices => ("vertices", Some(Target::ArrayBuffer), Some(Stride(size_of::<[f32; 3]>()))),
        BufferSection::Triangles => ("triangles", Some(Target::ElementArrayBuffer), None),
    };
    View {
        buffer: Index::new(0),
        byte_length: length.into(),
        byte_offset: Some(offset.into()),
        byte_stride,
        name: Some(name.to_owned()),
        target: target.map(Checked::Valid),
        extensions: None,
        extras: None,
    }
}

fn little_endian(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
