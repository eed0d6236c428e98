//! Words of messages.

/// A count with its noun: `1 pinch`, `2 pinches`.
#[must_use]
pub fn pluralize(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}
