//! Words of Python for choices of the library.

use holotape::format::{KeyLayout, Version};
use holotape_convert::Space;
use holotape_convert::bvh::{BoneMode, Unit};
use holotape_convert::plot::Theme;
use holotape_convert::table::TableKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a word stands for; a word that stands for nothing is told of, beside those that do.
fn parse_choice<T: Copy>(option: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
        PyValueError::new_err(format!("{option} has to be {}, not {word:?}", names.join(" or ")))
    })
}

pub(crate) fn space(word: &str) -> PyResult<Space> {
    parse_choice("space", word, &[Space::Unity, Space::RightHanded].map(|space| (space.name(), space)))
}

pub(crate) fn table(word: &str) -> PyResult<TableKind> {
    parse_choice("table", word, &[TableKind::Frames, TableKind::Keys].map(|table| (table.name(), table)))
}

pub(crate) fn version(word: &str) -> PyResult<Version> {
    parse_choice("version", word, &[("1.0", Version::V1_0), ("1.1", Version::V1_1)])
}

pub(crate) fn key_layout(word: &str) -> PyResult<KeyLayout> {
    parse_choice("key_layout", word, &[KeyLayout::Full, KeyLayout::Compact].map(|keys| (keys.name(), keys)))
}

pub(crate) fn bones(word: &str) -> PyResult<BoneMode> {
    parse_choice("bones", word, &[("free", BoneMode::Free), ("fixed", BoneMode::Fixed)])
}

pub(crate) fn unit(word: &str) -> PyResult<Unit> {
    parse_choice("unit", word, &[("m", Unit::Metres), ("cm", Unit::Centimetres)])
}

pub(crate) fn theme(word: &str) -> PyResult<Theme> {
    parse_choice("theme", word, &[("light", Theme::Light), ("dark", Theme::Dark)])
}
