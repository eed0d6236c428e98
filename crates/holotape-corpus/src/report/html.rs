//! HTML text and tables.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Escapes text for HTML, in elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            char => escaped.push(char),
        }
    }
    escaped
}

/// Characters that are escaped in a query: all but `/` and those that RFC 3986 calls unreserved.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Escapes text for the query of a URL.
pub(super) fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// A table with a header of titles and classes. Cells are HTML.
pub(super) fn table(header: &[(&str, &str)], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for (title, class) in header {
        table += &format!("<th class=\"{class}\">{title}</th>");
    }
    table += "</tr></thead>\n<tbody>\n";
    for row in rows {
        table += "<tr>";
        for (cell, (_, class)) in row.iter().zip(header) {
            table += &format!("<td class=\"{class}\">{cell}</td>");
        }
        table += "</tr>\n";
    }
    table + "</tbody></table></div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(percent_encode("p01/a b&c=ü.bin"), "p01/a%20b%26c%3D%C3%BC.bin");
    }
}
