//! Appends parts of protobuf messages to a buffer. The messages of a frame have hundreds of small parts: the generated types
//! would allocate many of them, and compute the length of each several times. Tests compare both.

/// The wire type of fields that have a length.
const SIZED: u8 = 2;

/// The wire type of fields of eight bytes.
const EIGHT_BYTES: u8 = 1;

/// Appends a nested message.
pub(super) fn append_message(out: &mut Vec<u8>, field: u8, write: impl FnOnce(&mut Vec<u8>)) {
    out.extend([field << 3 | SIZED, 0]);
    let start = out.len();
    write(out);
    let length = out.len() - start;
    let (varint, count) = varint(length);
    if count > 1 {
        // Room was left for one byte only.
        out.resize(out.len() + count - 1, 0);
        out.copy_within(start..start + length, start + count - 1);
    }
    out[start - 1..start - 1 + count].copy_from_slice(&varint[..count]);
}

/// A length as a varint, and how many of the bytes it has.
fn varint(mut length: usize) -> ([u8; 10], usize) {
    let (mut bytes, mut count) = ([0; 10], 0);
    loop {
        bytes[count] = (length & 0x7f) as u8;
        count += 1;
        length >>= 7;
        if length == 0 {
            return (bytes, count);
        }
        bytes[count - 1] |= 0x80;
    }
}

/// Appends text; like all defaults, empty text is omitted.
pub(super) fn append_text(out: &mut Vec<u8>, field: u8, text: &str) {
    if !text.is_empty() {
        append_message(out, field, |out| out.extend_from_slice(text.as_bytes()));
    }
}

pub(super) fn append_double(out: &mut Vec<u8>, field: u8, value: f64) {
    if value != 0.0 {
        out.push(field << 3 | EIGHT_BYTES);
        out.extend(value.to_le_bytes());
    }
}

/// Appends a nested message whose fields from 1 on are numbers: a vector or a quaternion.
pub(super) fn append_numbers<const N: usize>(out: &mut Vec<u8>, field: u8, values: [f32; N]) {
    const { assert!(N <= 4) };
    const NUMBER_BYTES: usize = 9;
    // Written at once: this is most of a log.
    let mut bytes = [0; 2 + 4 * NUMBER_BYTES];
    let mut length = 2;
    for (number, value) in (1..).zip(values) {
        if value != 0.0 {
            bytes[length] = number << 3 | EIGHT_BYTES;
            bytes[length + 1..length + NUMBER_BYTES].copy_from_slice(&f64::from(value).to_le_bytes());
            length += NUMBER_BYTES;
        }
    }
    bytes[0] = field << 3 | SIZED;
    bytes[1] = (length - 2) as u8;
    out.extend_from_slice(&bytes[..length]);
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::super::message::{FrameTransform, FrameTransforms, LinePrimitive, Pose, Quaternion, Vector3};
    use super::*;

    #[test]
    fn numbers_are_encoded_as_by_the_generated_types() {
        for value in [0.0, -0.0, 1.0, -0.1, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE] {
            let rotation = [value, 0.5, 0.0, value];
            let [x, y, z, w] = rotation.map(f64::from);
            let pose = Pose { position: Some(Vector3 { x, y: x, z: x }), orientation: Some(Quaternion { x, y, z, w }) };
            let mut bytes = Vec::new();
            append_numbers(&mut bytes, 1, [value; 3]);
            append_numbers(&mut bytes, 2, rotation);
            assert_eq!(bytes, pose.encode_to_vec(), "{value}");
            let line = LinePrimitive { thickness: x, ..LinePrimitive::default() };
            let mut bytes = Vec::new();
            append_double(&mut bytes, 3, x);
            assert_eq!(bytes, line.encode_to_vec(), "{value}");
        }
    }

    #[test]
    fn texts_and_messages_of_any_length_are_encoded_as_by_the_generated_types() {
        for length in [0, 1, 126, 127, 128, 129, 16_381, 16_383, 16_384, 3_000_000] {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            let child_frame_id = "child".to_owned();
            let transform =
                FrameTransform { parent_frame_id: text.clone(), child_frame_id, ..FrameTransform::default() };
            let mut bytes = Vec::new();
            append_message(&mut bytes, 1, |out| {
                append_text(out, 2, &text);
                append_text(out, 3, "child");
            });
            assert!(bytes == FrameTransforms { transforms: vec![transform] }.encode_to_vec(), "{length}");
        }
    }
}
