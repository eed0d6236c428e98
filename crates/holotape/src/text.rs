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

/// Formats 1234567 as `1,234,567`.
///
/// ```
/// assert_eq!(holotape::text::group_digits(1_234_567), "1,234,567");
/// ```
#[must_use]
pub fn group_digits(number: u64) -> String {
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
