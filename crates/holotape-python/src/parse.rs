//! Parses string options.

use holotape::format::{KeyLayout, Version};
use holotape_convert::Space;
use holotape_convert::bvh::{BoneMode, Unit};
use holotape_convert::handsbin::HandsbinVersion;
use holotape_convert::plot::Theme;
use holotape_convert::table::TableKind;
use holotape_corpus::OnError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the choice with this name; the error lists all names.
fn parse_choice<T: Copy>(option: &str, text: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(name, _)| *name == text).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
        PyValueError::new_err(format!("{option} must be {}, not {text:?}", names.join(" or ")))
    })
}

pub(crate) fn space(text: &str) -> PyResult<Space> {
    parse_choice("space", text, &[Space::Unity, Space::RightHanded].map(|space| (space.name(), space)))
}

pub(crate) fn table(text: &str) -> PyResult<TableKind> {
    parse_choice("table", text, &[TableKind::Frames, TableKind::Keys].map(|table| (table.name(), table)))
}

pub(crate) fn version(text: &str) -> PyResult<Version> {
    parse_choice("version", text, &[("1.0", Version::V1_0), ("1.1", Version::V1_1)])
}

pub(crate) fn key_layout(text: &str) -> PyResult<KeyLayout> {
    parse_choice("key_layout", text, &KeyLayout::ALL.map(|keys| (keys.name(), keys)))
}

pub(crate) fn handsbin_version(number: i32) -> PyResult<HandsbinVersion> {
    HandsbinVersion::ALL
        .into_iter()
        .find(|version| version.number() == number)
        .ok_or_else(|| PyValueError::new_err(format!("handsbin_version must be 1 or 2, not {number}")))
}

pub(crate) fn on_error(text: &str) -> PyResult<OnError> {
    parse_choice("errors", text, &[("raise", OnError::Raise), ("skip", OnError::Skip)])
}

pub(crate) fn bones(text: &str) -> PyResult<BoneMode> {
    parse_choice("bones", text, &[("free", BoneMode::Free), ("fixed", BoneMode::Fixed)])
}

pub(crate) fn unit(text: &str) -> PyResult<Unit> {
    parse_choice("unit", text, &[("m", Unit::Metres), ("cm", Unit::Centimetres)])
}

pub(crate) fn theme(text: &str) -> PyResult<Theme> {
    parse_choice("theme", text, &[("light", Theme::Light), ("dark", Theme::Dark)])
}
