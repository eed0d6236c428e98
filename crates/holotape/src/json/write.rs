//! Writes the document: each marker and each curve is one line.

use std::io::{Result, Write};

use serde::Serialize;

use super::document::{CurveEntry, DOCUMENT_VERSION};
use super::keys::KeysRef;
use crate::format::{Channels, Format};
use crate::{Recording, WrapMode};

/// The fields before the lists, all on the first line.
#[derive(Serialize)]
struct DocumentHeader {
    holotape: u32,
    version: [i32; 2],
    key_layout: &'static str,
    marker_list: bool,
    channels: Channels,
}

pub(super) fn write(recording: &Recording, out: &mut impl Write) -> Result<()> {
    let Format { layout, marker_list } = recording.format;
    let head = DocumentHeader {
        holotape: DOCUMENT_VERSION,
        version: layout.version().numbers(),
        key_layout: layout.keys().name(),
        marker_list,
        channels: recording.channels(),
    };
    let head = serde_json::to_string(&head)?;
    // The closing brace follows the lists.
    let open_head = head.strip_suffix('}').unwrap_or(&head);
    write!(out, "{open_head},\n\"markers\":[")?;
    write_markers(recording, out)?;
    write!(out, "],\n\"curves\":{{")?;
    write_curves(recording, out)?;
    writeln!(out, "}}}}")
}

fn write_markers(recording: &Recording, out: &mut impl Write) -> Result<()> {
    let mut before = "\n";
    for marker in &recording.markers {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut *out, marker)?;
        before = ",\n";
    }
    Ok(())
}

/// Omits curves that are the default: without keys, clamped.
fn write_curves(recording: &Recording, out: &mut impl Write) -> Result<()> {
    let mut before = "\n";
    for (id, curve) in recording.curves() {
        let (pre_wrap, post_wrap) = curve.wrap_modes();
        if curve.key_count() == 0 && [pre_wrap, post_wrap] == [WrapMode::CLAMP_FOREVER; 2] {
            continue;
        }
        write!(out, "{before}\"{id}\":")?;
        let entry = CurveEntry { pre_wrap: pre_wrap.0, post_wrap: post_wrap.0, keys: KeysRef(curve) };
        serde_json::to_writer(&mut *out, &entry)?;
        before = ",\n";
    }
    Ok(())
}
