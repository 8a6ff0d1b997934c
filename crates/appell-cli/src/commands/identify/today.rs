//! The date, for the head of a robot's file.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date in Greenwich, 2026-11-16.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = date(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day counted from 1970.
fn date(mut day: u64) -> [u64; 3] {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    [year, month, day + 1]
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        // `date -u -d @SECONDS` of each day's beginning.
        for (day, expected) in [
            (0, [1970, 1, 1]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (19_782, [2024, 2, 29]),
            (20_088, [2024, 12, 31]),
            (20_773, [2026, 11, 16]),
        ] {
            assert_eq!(date(day), expected);
        }
    }
}
