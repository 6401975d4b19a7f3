//! Times as the log shows them, in UTC.

const DAY: u64 = 86_400;

/// `2026-12-01 10:00:00`
pub(super) fn shown(seconds: u64) -> String {
    let (year, month, day) = date(seconds / DAY);
    let rest = seconds % DAY;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// The date so many days after 1970-01-01, by the reckoning in eras of 400 years that begin in March.
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + (month <= 2) as u64, month, day)
}

/// The other way round.
const fn days((year, month, day): (u64, u64, u64)) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The second that `30m`, `12h`, `7d`, `2026-12-01` or `2026-12-01T10:00` stands for.
///
/// # Errors
/// When it is none of these.
pub fn instant(text: &str) -> Result<u64, String> {
    from_now(text)
        .or_else(|| on_date(text))
        .ok_or_else(|| "expected 30m, 12h, 7d, 2026-12-01 or 2026-12-01T10:00".to_owned())
}

fn from_now(text: &str) -> Option<u64> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => DAY,
        _ => return None,
    };
    let count: u64 = text[..text.len() - 1].parse().ok()?;
    Some(super::now().saturating_sub(count.checked_mul(unit)?))
}

fn on_date(text: &str) -> Option<u64> {
    let (date, clock) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let mut parts = date.split('-').map(|part| part.parse::<u64>().ok());
    let date = (parts.next()??, parts.next()??, parts.next()??);
    let valid = parts.next().is_none()
        && (1970..10_000).contains(&date.0)
        && (1..=12).contains(&date.1)
        && (1..=31).contains(&date.2);
    let mut clock = clock.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute) = (clock.next()??, clock.next()??);
    let second = clock.next().unwrap_or(Some(0))?;
    let valid = valid && clock.next().is_none() && hour < 24 && minute < 60 && second < 60;
    let start = valid.then(|| days(date) * DAY)?;
    // February has no 31st day.
    let (year, month, day) = date;
    (shown(start).starts_with(&format!("{year:04}-{month:02}-{day:02}")))
        .then_some(start + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::{instant, shown};

    #[test]
    fn times_are_read_as_they_are_shown() {
        for (text, seconds) in [
            ("1970-01-01 00:00:00", 0),
            ("2000-02-29 23:59:59", 951_868_799),
            ("2026-12-01 10:00:00", 1_796_119_200),
            ("2100-03-01 00:00:00", 4_107_542_400),
        ] {
            assert_eq!(shown(seconds), text);
            assert_eq!(instant(text), Ok(seconds), "{text}");
        }
        assert_eq!(instant("2026-12-01"), Ok(1_796_083_200));
        for wrong in [
            "",
            "x",
            "5",
            "5y",
            "2026-13-01",
            "2026-12",
            "2026-12-01T25:00",
            "2026-02-31",
            "2026-12-01T10:00:00:99",
        ] {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }
}
