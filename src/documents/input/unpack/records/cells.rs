//! Cells: converts a value of a Parquet column of any logical type to text, for ids, groups, the values that `--keep`
//! orders by and the elements of sets.
//!
//! A value has the text that it would have in JSON Lines or CSV: numbers have no more digits than they need, dates and
//! times are in ISO 8601, a UUID has its hyphens. Files written before 2018 have converted types instead of logical
//! types.

use chrono::{DateTime, NaiveDate, NaiveTime};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::Int96;
use parquet::schema::types::ColumnDescriptor;

/// The logical type of a column, as far as it affects how a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogicalKind {
    /// Numbers and strings, which are written as they are stored.
    Plain,
    Unsigned,
    /// A decimal with this number of digits after the point.
    Decimal(i32),
    /// Days since 1970.
    Date,
    /// Time since 1970 in this unit; `true` if it is in UTC, `false` if it has no zone.
    Timestamp(Unit, bool),
    /// Time since midnight in this unit.
    Time(Unit),
    Float16,
    Uuid,
    /// Bytes without a known meaning.
    Bytes,
    /// A column of nulls.
    Null,
}

/// The unit of a time, in nanoseconds.
pub(crate) type Unit = i64;

const MILLI: Unit = 1_000_000;
const MICRO: Unit = 1_000;
const NANO: Unit = 1;
const SECOND: i64 = 1_000_000_000;

impl LogicalKind {
    pub(crate) const TIME_MILLIS: Self = Self::Time(MILLI);
    pub(crate) const TIME_MICROS: Self = Self::Time(MICRO);
    pub(crate) const TIMESTAMP_MILLIS: Self = Self::Timestamp(MILLI, true);
    pub(crate) const TIMESTAMP_MICROS: Self = Self::Timestamp(MICRO, true);

    pub(crate) fn of(column: &ColumnDescriptor) -> Self {
        let unit = |unit| match unit {
            TimeUnit::MILLIS => MILLI,
            TimeUnit::MICROS => MICRO,
            TimeUnit::NANOS => NANO,
        };
        match column.logical_type_ref() {
            Some(LogicalType::Decimal(decimal)) => return Self::Decimal(decimal.scale),
            Some(LogicalType::Date) => return Self::Date,
            Some(LogicalType::Time(time)) => return Self::Time(unit(time.unit)),
            Some(LogicalType::Timestamp(time)) => return Self::Timestamp(unit(time.unit), time.is_adjusted_to_u_t_c),
            Some(LogicalType::Integer(number)) if !number.is_signed => return Self::Unsigned,
            Some(LogicalType::Unknown) => return Self::Null,
            Some(LogicalType::Uuid) => return Self::Uuid,
            Some(LogicalType::Float16) => return Self::Float16,
            _ => {}
        }
        use ConvertedType as Converted;
        match column.converted_type() {
            Converted::DECIMAL => Self::Decimal(column.type_scale()),
            Converted::DATE => Self::Date,
            Converted::TIME_MILLIS => Self::Time(MILLI),
            Converted::TIME_MICROS => Self::Time(MICRO),
            Converted::TIMESTAMP_MILLIS => Self::Timestamp(MILLI, true),
            Converted::TIMESTAMP_MICROS => Self::Timestamp(MICRO, true),
            Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32 | Converted::UINT_64 => Self::Unsigned,
            _ if column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY => Self::Bytes,
            _ => Self::Plain,
        }
    }

    /// The text of an integer.
    ///
    /// * `bits`: the width of the stored type.
    pub(crate) fn of_integer(self, value: i64, bits: u32) -> String {
        match self {
            Self::Unsigned if bits == 32 => (value as u32).to_string(),
            Self::Unsigned => value.cast_unsigned().to_string(),
            Self::Decimal(scale) => with_point(&value.to_string(), scale),
            Self::Date => date(value).unwrap_or_else(|| value.to_string()),
            Self::Timestamp(unit, is_utc) => timestamp(value, unit, is_utc).unwrap_or_else(|| value.to_string()),
            Self::Time(unit) => time(value, unit).unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }

    /// The text of a value that is stored as bytes; `None` when the bytes themselves are the text.
    pub(crate) fn of_bytes(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Decimal(scale) => Some(with_point(&big_integer(bytes), scale)),
            Self::Float16 => {
                let number = half::f16::from_le_bytes(*bytes.first_chunk()?).to_f32();
                Some(of_float(&number, number.is_finite()))
            }
            Self::Uuid if bytes.len() == 16 => {
                let hex = hex(bytes);
                let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
                Some(parts.join("-"))
            }
            // The bytes may also be a string of fixed length.
            Self::Bytes | Self::Uuid => match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains(char::is_control) => None,
                _ => Some(hex(bytes)),
            },
            _ => None,
        }
    }
}

/// Writes a number with the digits that distinguish it from all others, as in JSON; JSON cannot write infinity and NaN.
pub(crate) fn of_float(number: &(impl serde::Serialize + ToString), is_finite: bool) -> String {
    if is_finite { serde_json::to_string(number).expect("numbers have no faults") } else { number.to_string() }
}

/// The text of a time of the type `INT96`, which is older than timestamps.
pub(super) fn of_int96(value: &Int96) -> String {
    // In two parts, because nanoseconds of 64 bits end in 2262.
    let nanoseconds = i64::from(value.data()[1]) << 32 | i64::from(value.data()[0]);
    let days = i64::from(value.data()[2].cast_signed()) - 2_440_588;
    let seconds = days * 86_400 + nanoseconds.div_euclid(SECOND);
    let time = DateTime::from_timestamp(seconds, nanoseconds.rem_euclid(SECOND) as u32);
    time.map_or_else(|| format!("{days} days {nanoseconds} ns"), |time| iso(time, false))
}

fn date(days: i64) -> Option<String> {
    NaiveDate::from_epoch_days(i32::try_from(days).ok()?).map(|date| date.to_string())
}

fn timestamp(value: i64, unit: Unit, is_utc: bool) -> Option<String> {
    let a_second = SECOND / unit;
    let nanoseconds = value.rem_euclid(a_second) * unit;
    let time = DateTime::from_timestamp(value.div_euclid(a_second), nanoseconds as u32)?;
    Some(iso(time, is_utc))
}

fn iso(time: DateTime<chrono::Utc>, is_utc: bool) -> String {
    let text = time.format("%Y-%m-%dT%H:%M:%S%.f").to_string();
    if is_utc { text + "Z" } else { text }
}

fn time(value: i64, unit: Unit) -> Option<String> {
    let (a_second, seconds) = (SECOND / unit, u32::try_from(value.div_euclid(SECOND / unit)).ok()?);
    let time = NaiveTime::from_num_seconds_from_midnight_opt(seconds, (value.rem_euclid(a_second) * unit) as u32)?;
    Some(time.format("%H:%M:%S%.f").to_string())
}

/// Inserts a point before the last `scale` digits of an integer.
fn with_point(number: &str, scale: i32) -> String {
    let (sign, digits) = number.split_at(usize::from(number.starts_with('-')));
    let scale = usize::try_from(scale).unwrap_or(0);
    if scale == 0 {
        return number.to_owned();
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// The decimal digits of an integer of any length in two's complement, highest byte first.
fn big_integer(bytes: &[u8]) -> String {
    let is_negative = bytes.first().is_some_and(|byte| byte >> 7 == 1);
    let mut magnitude: Vec<u8> = bytes.iter().map(|byte| if is_negative { !byte } else { *byte }).collect();
    let mut digits = Vec::new();
    let mut carry = u32::from(is_negative);
    for byte in magnitude.iter_mut().rev() {
        let sum = u32::from(*byte) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
    if carry > 0 {
        magnitude.insert(0, 1);
    }
    while magnitude.iter().any(|&byte| byte > 0) {
        let mut rest = 0;
        for byte in &mut magnitude {
            let value = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((value / 10) as u8, value % 10);
        }
        digits.push(b'0' + rest as u8);
    }
    let digits: String = digits.iter().rev().map(|&digit| char::from(digit)).collect();
    match (digits.is_empty(), is_negative) {
        (true, _) => "0".to_owned(),
        (false, true) => format!("-{digits}"),
        (false, false) => digits,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_text_that_json_has() {
        assert_eq!(LogicalKind::Date.of_integer(19_723, 32), "2024-01-01");
        assert_eq!(LogicalKind::Date.of_integer(-1, 32), "1969-12-31");
        assert_eq!(LogicalKind::Date.of_integer(i64::MAX, 32), i64::MAX.to_string());
        assert_eq!(LogicalKind::Timestamp(MILLI, true).of_integer(-1, 64), "1969-12-31T23:59:59.999Z");
        assert_eq!(LogicalKind::Timestamp(MICRO, false).of_integer(1_704_067_200_000_000, 64), "2024-01-01T00:00:00");
        assert_eq!(LogicalKind::Timestamp(NANO, true).of_integer(1, 64), "1970-01-01T00:00:00.000000001Z");
        assert_eq!(LogicalKind::Time(MILLI).of_integer(3_600_500, 32), "01:00:00.500");
        assert_eq!(LogicalKind::Unsigned.of_integer(-1, 32), "4294967295");
        assert_eq!(LogicalKind::Unsigned.of_integer(-1, 64), "18446744073709551615");
        assert_eq!(LogicalKind::Decimal(2).of_integer(-5, 32), "-0.05");
        assert_eq!(LogicalKind::Decimal(0).of_integer(12, 32), "12");
        let of_bytes = |kind: LogicalKind, bytes: &[u8]| kind.of_bytes(bytes);
        assert_eq!(of_bytes(LogicalKind::Decimal(1), &[0xFF, 0x00]).unwrap(), "-25.6");
        assert_eq!(of_bytes(LogicalKind::Decimal(1), &[0x80]).unwrap(), "-12.8");
        assert_eq!(of_bytes(LogicalKind::Decimal(3), &[]).unwrap(), "0.000");
        let mut most = [0xFF; 20];
        most[0] = 0x7F;
        assert_eq!(
            of_bytes(LogicalKind::Decimal(0), &most).unwrap(),
            "730750818665451459101842416358141509827966271487"
        );
        assert_eq!(of_bytes(LogicalKind::Float16, &[0x00, 0x3E]).unwrap(), "1.5");
        let uuid: Vec<u8> = (0..16).collect();
        assert_eq!(of_bytes(LogicalKind::Uuid, &uuid).unwrap(), "00010203-0405-0607-0809-0a0b0c0d0e0f");
        assert_eq!(of_bytes(LogicalKind::Bytes, b"AB12"), None);
        assert_eq!(of_bytes(LogicalKind::Bytes, &[0xFF, 1]).unwrap(), "ff01");
        let mut spark = Int96::new();
        spark.set_data(0, 0, 2_440_589);
        assert_eq!(of_int96(&spark), "1970-01-02T00:00:00");
    }
}
