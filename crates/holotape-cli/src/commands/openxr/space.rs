//! The option `--space`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use holotape_openxr::SpaceChoice;

/// Parses a space; `auto` describes what a layer chooses.
pub(super) fn space_parser(auto: &'static str) -> impl TypedValueParser<Value = SpaceChoice> {
    let value = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let values = [
        value("auto", auto),
        value("stage", "The origin is on the floor"),
        value("local", "The origin is where the head is at the start"),
    ];
    PossibleValuesParser::new(values).try_map(|name| name.parse::<SpaceChoice>())
}
