//! A minimal SVG writer.

use std::fmt::{self, Display, Write};

use crate::decimal;

/// An SVG element, serialized as it is built.
#[derive(Clone, Debug)]
pub(super) struct Element {
    tag: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    pub(super) fn new(tag: &'static str) -> Self {
        Self { tag, attributes: String::new(), content: String::new() }
    }

    /// A group with a class for style sheets.
    pub(super) fn group(class: &str, members: impl IntoIterator<Item = Self>) -> Self {
        let mut group = Self::new("g").with("class", class);
        members.into_iter().for_each(|member| group.push(&member));
        group
    }

    pub(super) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.attributes.extend([" ", name, "=\"", &escaped(&value.to_string()), "\""]);
        self
    }

    pub(super) fn with_text(mut self, text: &str) -> Self {
        self.content.push_str(&escaped(text));
        self
    }

    pub(super) fn push(&mut self, child: &Self) {
        // Writing to a string cannot fail.
        let _ = write!(self.content, "{child}");
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tag, attributes, content } = self;
        if content.is_empty() {
            writeln!(f, "<{tag}{attributes}/>")
        } else {
            writeln!(f, "<{tag}{attributes}>{content}</{tag}>")
        }
    }
}

/// A length, rounded to 0.01 pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Px(pub(super) f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        decimal::push(&mut text, self.0, 2);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Escapes text. Characters that XML cannot represent become the replacement character.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            control if control.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn px_omits_trailing_zeros() {
        let lengths = [0.0, -0.001, 1.5, -1.5, 12.345, 100.0, 0.05].map(|length| Px(length).to_string());
        assert_eq!(lengths, ["0", "0", "1.5", "-1.5", "12.35", "100", "0.05"]);
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let element = Element::new("text").with("id", "a\"b'<").with_text("</text>&\u{0}\n\u{1b}\u{ffff}");
        assert_eq!(
            element.to_string(),
            "<text id=\"a&quot;b'&lt;\">&lt;/text&gt;&amp;\u{fffd} \u{fffd}\u{fffd}</text>\n"
        );
    }
}
