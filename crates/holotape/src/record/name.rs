//! File names in MRTK's style.

use std::time::SystemTime;

const DAY_SECS: i64 = 24 * 60 * 60;

/// The Gregorian calendar repeats every 400 years.
const ERA_YEARS: i64 = 400;
const ERA_DAYS: i64 = 146_097;

/// The name that MRTK gives a recording: `InputAnimation-yyyyMMdd-HHmmss.bin`, in UTC.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_583_020_799);
/// assert_eq!(holotape::record::mrtk_file_name(time), "InputAnimation-20200229-235959.bin");
/// ```
#[must_use]
pub fn mrtk_file_name(time: SystemTime) -> String {
    let secs = unix_secs(time);
    let [year, month, day] = date(secs.div_euclid(DAY_SECS));
    let second = secs.rem_euclid(DAY_SECS);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("InputAnimation-{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}.bin")
}

fn unix_secs(time: SystemTime) -> i64 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => since.as_secs() as i64,
        Err(before) => -(before.duration().as_secs_f64().ceil() as i64),
    }
}

/// Year, month and day of a number of days after 1 January 1970.
fn date(days: i64) -> [i64; 3] {
    // Days from 1970 to 2000, the start of an era.
    const BEFORE_2000_DAYS: i64 = 10_957;
    let days = days - BEFORE_2000_DAYS;
    let mut year = 2000 + days.div_euclid(ERA_DAYS) * ERA_YEARS;
    let mut day = days.rem_euclid(ERA_DAYS);
    while day >= year_days(year) {
        day -= year_days(year);
        year += 1;
    }
    let mut month = 1;
    while day >= month_days(year, month) {
        day -= month_days(year, month);
        month += 1;
    }
    [year, month, day + 1]
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn year_days(year: i64) -> i64 {
    365 + i64::from(is_leap(year))
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_one_another() {
        let mut expected = [1600, 1, 1];
        for day in -135_140..160_000 {
            assert_eq!(date(day), expected);
            let [year, month, of_month] = expected;
            expected = match () {
                () if of_month < month_days(year, month) => [year, month, of_month + 1],
                () if month < 12 => [year, month + 1, 1],
                () => [year + 1, 1, 1],
            };
        }
        assert!(expected[0] > 2400);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(-1), [1969, 12, 31]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(47_540), [2100, 2, 28]);
        assert_eq!(date(47_541), [2100, 3, 1]);
    }

    #[test]
    fn half_a_second_before_1970_is_in_1969() {
        let time = SystemTime::UNIX_EPOCH - std::time::Duration::from_millis(500);
        assert_eq!(mrtk_file_name(time), "InputAnimation-19691231-235959.bin");
    }
}
