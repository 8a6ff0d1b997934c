//! The date, for the head of a robot's file.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date in Greenwich, 2026-11-16.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = date(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day counted from 1970, by years that begin in March, so that the leap day is a year's last.
fn date(day: u64) -> [u64; 3] {
    let day = day + 719_468; // from 1 March of the year 0
    let (era, day) = (day / 146_097, day % 146_097); // of 400 years
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // from March: 31, 30, 31, 30, 31 days, again and again
    let [day, month, is_next] = [day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1, month / 10];
    [400 * era + year + is_next, month, day]
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
