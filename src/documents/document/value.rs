//! `FieldValue`: the value of a record's field, in a form that can be ordered. 24 bytes.
//!
//! Numbers are ordered by number, dates by date and texts by their bytes. `FieldOrder` determines the kind that most
//! values of a field have; a value of another kind, such as `N/A` among numbers, does not count as a value.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, NaiveDate, NaiveDateTime};

/// The value of a field by which records are ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FieldValue([u8; Self::LEN]);

/// The kind of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Numbers, including numbers that are written as text.
    Number,
    /// Dates, with or without a time.
    Date,
    /// Any other text.
    Text,
}

/// Words that mean a missing value in a column of any kind, in upper or lower case.
const NOTHING: [&str; 10] = ["", "nan", "-nan", "n/a", "na", "null", "none", "nil", "-", "?"];

impl FieldValue {
    const LEN: usize = 24;
    /// The first byte of a field without a usable value. The first byte is 0 when the record lacks the field.
    const NOTHING: u8 = 1;
    const NUMBER: u8 = 2;
    const DATE: u8 = 3;
    const TEXT: u8 = 4;

    /// The value of a field with this content. Content that parses as a number or a date becomes one.
    pub(crate) fn new(content: &[u8]) -> Self {
        let mut bytes = [0; Self::LEN];
        let text = std::str::from_utf8(content).map_or("\u{FFFD}", str::trim);
        if NOTHING.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            bytes[0] = Self::NOTHING;
            return Self(bytes);
        }
        if let Some(number) = number(text) {
            bytes[0] = Self::NUMBER;
            bytes[1..].copy_from_slice(&number);
        } else if let Some((seconds, nanoseconds)) = date(text) {
            bytes[0] = Self::DATE;
            bytes[1..9].copy_from_slice(&(seconds.cast_unsigned() ^ 1 << 63).to_be_bytes());
            bytes[9..13].copy_from_slice(&nanoseconds.to_be_bytes());
        } else {
            bytes[0] = Self::TEXT;
            let len = content.len().min(Self::LEN - 1);
            bytes[1..=len].copy_from_slice(&content[..len]);
        }
        Self(bytes)
    }

    /// The time of a date, since 1970; `None` for other values and for dates before 1970.
    pub(crate) fn time(&self) -> Option<SystemTime> {
        if self.0[0] != Self::DATE {
            return None;
        }
        let seconds = u64::from_be_bytes(self.0[1..9].try_into().expect("eight bytes")) ^ 1 << 63;
        let nanoseconds = u32::from_be_bytes(self.0[9..13].try_into().expect("four bytes"));
        let since = Duration::new(u64::try_from(seconds.cast_signed()).ok()?, 0);
        SystemTime::UNIX_EPOCH.checked_add(since)?.checked_add(Duration::from_nanos(nanoseconds.into()))
    }

    /// The kind of the value; `None` for a missing value.
    fn kind(&self) -> Option<ValueKind> {
        match self.0[0] {
            Self::NUMBER => Some(ValueKind::Number),
            Self::DATE => Some(ValueKind::Date),
            Self::TEXT => Some(ValueKind::Text),
            _ => None,
        }
    }
}

/// How the values of a field are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldOrder {
    /// The kind that most of the values have; where two kinds have the same number of values, the one that `ValueKind` lists first.
    pub kind: ValueKind,
    /// Documents with a value of this kind.
    pub values: u64,
    /// Documents whose value has another kind, such as `nan` or a text among numbers. They are ordered last.
    pub others: u64,
    /// Documents without the field. They are ordered last too.
    pub missing: u64,
}

impl FieldOrder {
    /// The order of these values; `None` when none of them is a usable value.
    pub(crate) fn of<'v>(values: impl Iterator<Item = &'v FieldValue>) -> Option<Self> {
        let (mut counts, mut nothing, mut missing) = ([0; 3], 0, 0);
        for value in values {
            match value.kind() {
                Some(kind) => counts[kind as usize] += 1,
                None if *value == FieldValue::default() => missing += 1,
                None => nothing += 1,
            }
        }
        let all: u64 = counts.iter().sum();
        let kinds = [ValueKind::Number, ValueKind::Date, ValueKind::Text];
        let kind = kinds.into_iter().rev().max_by_key(|&kind| counts[kind as usize])?;
        let values = counts[kind as usize];
        (all > 0).then_some(Self { kind, values, others: all - values + nothing, missing })
    }

    /// The value, if its kind is the kind of this order.
    pub(crate) fn value(&self, value: FieldValue) -> Option<FieldValue> {
        Some(value).filter(|value| value.kind() == Some(self.kind))
    }
}

/// The number of digits that are kept. Decimals of 128 bits have up to 38.
const DIGITS: usize = 40;

/// A number in decimal or exponent notation, as bytes that sort like numbers: the sign, the exponent, 40 digits.
fn number(text: &str) -> Option<[u8; 23]> {
    let (is_negative, text) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (exponent, digits) = if ["inf", "infinity"].iter().any(|word| word.eq_ignore_ascii_case(text)) {
        (i16::MAX, vec![1])
    } else {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        let exponent = exponent.saturating_add(whole.len() as i64 - zeros as i64);
        let exponent = exponent.clamp((i16::MIN + 1).into(), (i16::MAX - 1).into()) as i16;
        (exponent, digits[zeros..].iter().map(|digit| digit - b'0').collect())
    };
    let mut bytes = [0; 23];
    // Zero has either sign and any exponent.
    bytes[0] = 1;
    if digits.iter().any(|&digit| digit > 0) {
        bytes[0] = if is_negative { 0 } else { 2 };
        bytes[1..3].copy_from_slice(&(exponent.cast_unsigned() ^ 1 << 15).to_be_bytes());
        for (at, digit) in digits.iter().take(DIGITS).enumerate() {
            bytes[3 + at / 2] |= if at % 2 == 0 { digit << 4 } else { *digit };
        }
        if is_negative {
            bytes[1..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
    Some(bytes)
}

/// A date in ISO 8601 or in the format of mail and HTTP headers, as seconds since 1970 and nanoseconds. A date without
/// a zone is in UTC. A missing day or time means the first one.
fn date(text: &str) -> Option<(i64, u32)> {
    let bytes = text.as_bytes();
    let is_iso = bytes.len() >= 7 && bytes[..4].iter().all(u8::is_ascii_digit) && matches!(bytes[4], b'-' | b'/');
    if !is_iso {
        let is_mail = bytes.len() > 15 && bytes.contains(&b':');
        let found = is_mail.then(|| DateTime::parse_from_rfc2822(text).ok()).flatten()?;
        return Some((found.timestamp(), found.timestamp_subsec_nanos()));
    }
    let mut text = text.replace('/', "-");
    // Only after the day, because `UTC` contains a T too.
    if matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
        text.replace_range(10..11, " ");
    }
    let day = if text.len() == 7 { format!("{text}-01") } else { text.clone() };
    if let Ok(day) = NaiveDate::parse_from_str(&day, "%Y-%m-%d") {
        return Some((day.and_hms_opt(0, 0, 0)?.and_utc().timestamp(), 0));
    }
    let text = match text.strip_suffix(['Z', 'z']) {
        Some(text) => format!("{}+0000", text.trim_end()),
        None => text.strip_suffix(" UTC").map(|text| format!("{text}+0000")).unwrap_or(text),
    };
    let zoned = ["%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f %#z", "%Y-%m-%d %H:%M%#z"];
    if let Some(time) = zoned.iter().find_map(|format| DateTime::parse_from_str(&text, format).ok()) {
        return Some((time.timestamp(), time.timestamp_subsec_nanos()));
    }
    let local = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"];
    let time = local.iter().find_map(|format| NaiveDateTime::parse_from_str(&text, format).ok())?.and_utc();
    Some((time.timestamp(), time.timestamp_subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<const N: usize>(texts: [&str; N]) -> [FieldValue; N] {
        texts.map(|text| FieldValue::new(text.as_bytes()))
    }

    #[test]
    fn numbers_are_ordered_by_number() {
        let ordered = values([
            "-inf",
            "-1e300",
            "-10",
            "-9.5",
            "-1e-7",
            "-0",
            "1E-400",
            "0.25",
            "2.50e-1\u{20}",
            "3",
            " 9 ",
            "10",
            "9007199254740992",
            "9007199254740993",
            "12345678901234567890.12",
            "12345678901234567890.13",
            "1e300",
            "1e400",
            "Infinity",
        ]);
        assert!(ordered.is_sorted() && ordered.iter().all(|value| value.kind() == Some(ValueKind::Number)));
        let equal = ordered.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(equal, 1, "0.25 is 2.50e-1");
        let [a, b, c] = values(["-0", "0.0", "00e7"]);
        assert!(a == b && b == c);
    }

    #[test]
    fn dates_are_ordered_by_date() {
        let ordered = values([
            "0001-01-01",
            "1969-12-31T23:59:59.999Z",
            "2024-01",
            "2024/01/05",
            "2024-01-05 02:00:00+03:00",
            "Fri, 05 Jan 2024 10:00:00 GMT",
            "2024-01-05T10:00:00.5Z",
            "2024-01-05T10:00:00.600000",
            "2024-01-05T12:00",
            "2024-01-05 12:00:00.1 UTC",
        ]);
        assert_eq!(ordered.map(|value| value.kind()), [Some(ValueKind::Date); 10]);
        let mut sorted = ordered;
        sorted.sort_unstable();
        sorted.swap(3, 4);
        assert_eq!(sorted, ordered, "02:00 at +03:00 is of the day before");
        let [naive, zoned, basic] =
            values(["2024-01-05T10:00:00", "2024-01-05T11:00:00+01:00", "2024-01-05T09:30:00-0030"]);
        assert!(naive == zoned && zoned == basic);
        assert_eq!(
            values(["2024-13-05", "05.01.2024", "spring"]).map(|value| value.kind()),
            [Some(ValueKind::Text); 3]
        );
    }

    #[test]
    fn dates_are_times() {
        let time = |text: &str| FieldValue::new(text.as_bytes()).time();
        let at = |seconds, millis: u32| Some(SystemTime::UNIX_EPOCH + Duration::new(seconds, millis * 1_000_000));
        assert_eq!(time("1970-01-02"), at(86400, 0));
        assert_eq!(time("2024-01-05T10:00:00.5Z"), at(1_704_448_800, 500));
        for none in ["1969-12-31", "7", "soon", ""] {
            assert_eq!(time(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_not_of_the_kind_of_most_is_no_value() {
        let order_of = |texts: &[&str]| {
            let values: Vec<_> = texts.iter().map(|text| FieldValue::new(text.as_bytes())).collect();
            FieldOrder::of(values.iter().chain([&FieldValue::default()]))
        };
        let of = |kind, values, others| Some(FieldOrder { kind, values, others, missing: 1 });
        assert_eq!(order_of(&["0.9", "nan", "N/A", "null", " "]), of(ValueKind::Number, 1, 4));
        assert_eq!(order_of(&["0.9", "7", "high"]), of(ValueKind::Number, 2, 1));
        assert_eq!(order_of(&["1", "high"]), of(ValueKind::Number, 1, 1));
        assert_eq!(order_of(&["2024-01-05", "soon", "2024-02"]), of(ValueKind::Date, 2, 1));
        assert_eq!(order_of(&["a", "b", "7", "NA"]), of(ValueKind::Text, 2, 2));
        assert_eq!(order_of(&["nan", "NULL"]), None);
        let number = FieldOrder { kind: ValueKind::Number, values: 1, others: 0, missing: 0 };
        let [one, word] = values(["1", "one"]);
        assert_eq!((number.value(one), number.value(word)), (Some(one), None));
    }
}
