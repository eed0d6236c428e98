//! Binary schemas (`.bfbs`), equal byte by byte to those of FlatBuffers' schema compiler, `flatc`.
//!
//! Tables are built in the order in which `flatc` builds them. The field numbers are those of FlatBuffers'
//! `reflection.fbs`.

use flatbuffers::{FlatBufferBuilder, Push, TableFinishedWIPOffset, VOffsetT, WIPOffset};

use super::schema::{Enumeration, FieldType, Object, Schema};

type TableOffset = WIPOffset<TableFinishedWIPOffset>;

/// The place of an object's fields.
struct ObjectLayout {
    offsets: Vec<u16>,
    /// The bytes after each field.
    paddings: Vec<u16>,
    bytes: u16,
    alignment: u16,
}

impl Schema {
    /// The bytes of the binary schema.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Builder::default();
        let objects: Vec<_> = self.objects.iter().map(|object| (object.name, self.object(&mut out, object))).collect();
        let root = objects.iter().find(|(name, _)| *name == self.root).map(|(_, offset)| *offset);
        let enumerations: Vec<_> =
            (0..).zip(self.enumerations).map(|(index, item)| (item.name, out.enumeration(index, item))).collect();
        let files: Vec<_> =
            self.files.iter().map(|(name, included)| (*name, out.source_file(name, included))).collect();
        let files = out.sorted_tables(files);
        let objects = out.sorted_tables(objects);
        let enumerations = out.sorted_tables(enumerations);
        let identifier = out.builder.create_string("");
        let extension = out.builder.create_string("");
        let services = out.sorted_tables(Vec::new());
        let table = out.builder.start_table();
        out.value(6, self.advanced_features, 0);
        out.offset(7, files);
        out.offset(5, services);
        if let Some(root) = root {
            out.offset(4, root);
        }
        out.offset(3, extension);
        out.offset(2, identifier);
        out.offset(1, enumerations);
        out.offset(0, objects);
        let schema = out.builder.end_table(table);
        out.builder.finish(schema, Some("BFBS"));
        out.builder.finished_data().to_vec()
    }

    fn object(&self, out: &mut Builder, object: &Object) -> TableOffset {
        let layout = self.layout(object);
        let mut fields = Vec::new();
        for (id, (name, field_type)) in object.fields.iter().enumerate() {
            let name_offset = out.builder.create_string(name);
            let type_offset = self.field_type(out, *field_type);
            let table = out.builder.start_table();
            out.offset(1, type_offset);
            out.offset(0, name_offset);
            out.value(12, layout.paddings[id], 0);
            out.value(3, layout.offsets[id], 0);
            out.value(2, id as u16, 0);
            out.value(11, matches!(field_type, FieldType::Object(_) | FieldType::Array(..)), false);
            fields.push((*name, out.builder.end_table(table)));
        }
        let name = out.builder.create_string(object.name);
        let fields = out.sorted_tables(fields);
        let file = out.builder.create_shared_string(object.file);
        let table = out.builder.start_table();
        out.offset(7, file);
        out.value(4, i32::from(layout.bytes), 0);
        out.value(3, i32::from(layout.alignment), 0);
        out.offset(1, fields);
        out.offset(0, name);
        out.value(2, object.is_struct, false);
        out.builder.end_table(table)
    }

    /// The type of a field, as a table.
    fn field_type(&self, out: &mut Builder, field_type: FieldType) -> TableOffset {
        const OBJECT: u8 = 15;
        let (base_type, element, base_bytes, element_bytes) = match field_type {
            FieldType::Bool => (2, 0, 1, 1),
            FieldType::Int64 => (9, 0, 8, 1),
            FieldType::Float32 => (11, 0, 4, 1),
            FieldType::Object(_) => (OBJECT, 0, 4, 1),
            FieldType::Array(..) => (17, OBJECT, 4, 4),
        };
        let (name, count) = match field_type {
            FieldType::Object(name) => (Some(name), 0),
            FieldType::Array(name, count) => (Some(name), count),
            _ => (None, 0),
        };
        // Objects are numbered in the order of their names.
        let index = |name| self.objects.iter().filter(|object| object.name < name).count() as i32;
        out.type_table(base_type, element, name.map_or(-1, index), count, [base_bytes, element_bytes])
    }

    fn layout(&self, object: &Object) -> ObjectLayout {
        if !object.is_struct {
            // The offset of a table's field is its place in the table's list of offsets.
            let offsets: Vec<_> = (0..object.fields.len()).map(|id| 4 + 2 * id as u16).collect();
            return ObjectLayout { paddings: vec![0; offsets.len()], offsets, bytes: 0, alignment: 1 };
        }
        let mut layout = ObjectLayout { offsets: Vec::new(), paddings: Vec::new(), bytes: 0, alignment: 1 };
        for (_, field_type) in object.fields {
            let (bytes, alignment) = self.size(*field_type);
            layout.pad_to(alignment);
            layout.alignment = layout.alignment.max(alignment);
            layout.offsets.push(layout.bytes);
            layout.paddings.push(0);
            layout.bytes += bytes;
        }
        layout.pad_to(layout.alignment);
        layout
    }

    /// The size and the alignment of a value in a struct.
    fn size(&self, field_type: FieldType) -> (u16, u16) {
        let object = |name| {
            let object = self.objects.iter().find(|object| object.name == name);
            object.map_or((0, 1), |object| {
                let layout = self.layout(object);
                (layout.bytes, layout.alignment)
            })
        };
        match field_type {
            FieldType::Bool => (1, 1),
            FieldType::Int64 => (8, 8),
            FieldType::Float32 => (4, 4),
            FieldType::Object(name) => object(name),
            FieldType::Array(name, count) => {
                let (bytes, alignment) = object(name);
                (bytes * count, alignment)
            }
        }
    }
}

impl ObjectLayout {
    fn pad_to(&mut self, alignment: u16) {
        let padding = self.bytes.next_multiple_of(alignment) - self.bytes;
        if let Some(last) = self.paddings.last_mut() {
            *last = padding;
        }
        self.bytes += padding;
    }
}

#[derive(Default)]
struct Builder {
    builder: FlatBufferBuilder<'static>,
}

impl Builder {
    /// Adds a field to the current table, unless it has its default.
    fn value<T: Push + PartialEq>(&mut self, id: VOffsetT, value: T, default: T) {
        self.builder.push_slot(4 + 2 * id, value, default);
    }

    fn offset<T>(&mut self, id: VOffsetT, offset: WIPOffset<T>) {
        self.builder.push_slot_always(4 + 2 * id, offset);
    }

    fn type_table(&mut self, base_type: u8, element: u8, index: i32, count: u16, bytes: [u32; 2]) -> TableOffset {
        let table = self.builder.start_table();
        let [base_bytes, element_bytes] = bytes;
        self.value(5, element_bytes, 0);
        self.value(4, base_bytes, 4);
        self.value(2, index, -1);
        self.value(3, count, 0);
        self.value(1, element, 0);
        self.value(0, base_type, 0);
        self.builder.end_table(table)
    }

    fn enumeration(&mut self, index: i32, enumeration: &Enumeration) -> TableOffset {
        let mut values = Vec::new();
        for (value, name) in (0..).zip(enumeration.values) {
            let name = self.builder.create_string(name);
            let union_type = self.type_table(0, 0, -1, 0, [1, 1]);
            let table = self.builder.start_table();
            self.value(1, value, 0_i64);
            self.offset(3, union_type);
            self.offset(0, name);
            values.push(self.builder.end_table(table));
        }
        let name = self.builder.create_string(enumeration.name);
        let values = self.builder.create_vector(&values);
        const UBYTE: u8 = 4;
        let underlying_type = self.type_table(UBYTE, 0, index, 0, [1, 1]);
        let file = self.builder.create_shared_string(enumeration.file);
        let table = self.builder.start_table();
        self.offset(6, file);
        self.offset(3, underlying_type);
        self.offset(1, values);
        self.offset(0, name);
        self.builder.end_table(table)
    }

    fn source_file(&mut self, name: &str, included: &[&str]) -> TableOffset {
        let name = self.builder.create_shared_string(name);
        let included: Vec<_> = included.iter().map(|name| self.builder.create_shared_string(name)).collect();
        let included = self.builder.create_vector(&included);
        let table = self.builder.start_table();
        self.offset(1, included);
        self.offset(0, name);
        self.builder.end_table(table)
    }

    /// A vector of tables, sorted by name.
    fn sorted_tables(
        &mut self,
        mut tables: Vec<(&str, TableOffset)>,
    ) -> WIPOffset<flatbuffers::Vector<'static, flatbuffers::ForwardsUOffset<TableFinishedWIPOffset>>> {
        tables.sort_by_key(|(name, _)| *name);
        let offsets: Vec<_> = tables.into_iter().map(|(_, offset)| offset).collect();
        self.builder.create_vector(&offsets)
    }
}
