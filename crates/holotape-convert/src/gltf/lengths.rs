//! Checks the list lengths of a document before it is parsed: an item of three bytes can take hundreds in memory.

use std::fmt;

use holotape::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// Many times the number of items that the scene of a recording has.
const MAX_ITEMS: usize = 4096;

/// The lists of a document whose items need more memory than text.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ListLengths {
    accessors: Length,
    animations: Length,
    buffer_views: Length,
    images: Length,
    materials: Length,
    meshes: Length,
    nodes: Length,
    samplers: Length,
}

impl ListLengths {
    pub(super) fn check(&self) -> Result<()> {
        let Self { accessors, animations, buffer_views, images, materials, meshes, nodes, samplers } = self;
        let all = [accessors, animations, buffer_views, images, materials, meshes, nodes, samplers];
        let max = all.into_iter().map(|Length(length)| *length).max().unwrap_or(0);
        if max <= MAX_ITEMS {
            return Ok(());
        }
        let message = format!("the glTF document has a list of {max} items; the limit is {MAX_ITEMS}");
        Err(Error::new(ErrorKind::LimitExceeded, message))
    }
}

#[derive(Default)]
struct Length(usize);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LengthVisitor)
    }
}

struct LengthVisitor;

impl<'de> Visitor<'de> for LengthVisitor {
    type Value = Length;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Length, A::Error> {
        let mut length = 0;
        while items.next_element::<IgnoredAny>()?.is_some() {
            length += 1;
        }
        Ok(Length(length))
    }
}
