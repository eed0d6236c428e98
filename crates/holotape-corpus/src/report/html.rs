//! Text in a page.

/// Text that is no markup, wherever it stands.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Text in the query of an address.
pub(super) fn percent_encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'/' => encoded.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => encoded.push(byte.into()),
            byte => encoded += &format!("%{byte:02X}"),
        }
        encoded
    })
}

/// 1234567 as `1,234,567`.
pub(super) fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A table with a head; cells are markup already. The class of a column says how it is set.
pub(super) fn table(heads: &[(&str, &str)], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for (head, class) in heads {
        table += &format!("<th class=\"{class}\">{head}</th>");
    }
    table += "</tr></thead>\n<tbody>\n";
    for row in rows {
        table += "<tr>";
        for (cell, (_, class)) in row.iter().zip(heads) {
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
    fn nothing_leaves_its_place() {
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(percent_encode("p01/a b&c=ü.bin"), "p01/a%20b%26c%3D%C3%BC.bin");
    }
}
