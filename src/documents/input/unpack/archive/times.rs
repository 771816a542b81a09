//! The modification times of members of archives, from their headers.
//!
//! A tar stores seconds since 1970, or a fraction of them in an extended header. A zip stores a local time without its
//! zone, which is read as UTC, so that all machines see the same time. A zip may also have extra fields with a time in
//! UTC, which take precedence: first Unix time (0x5455, or the older 0x5855), then Windows time (0x000A). The first
//! second that a format can express counts as no time, because programs write it to make archives reproducible.

use std::fs::File;
use std::io::Read;
use std::time::{Duration, SystemTime};

use chrono::NaiveDate;

use crate::base::storage::read_at;

/// Bytes of an entry of a zip's central directory before its name.
const LINE: usize = 46;
/// Seconds from 1601 to 1970.
const WINDOWS_EPOCH: i128 = 11_644_473_600;
const NANOSECONDS: i128 = 1_000_000_000;

/// The modification time of a member of a tar.
pub(super) fn tar_time<R: Read>(entry: &mut tar::Entry<'_, R>) -> Option<SystemTime> {
    let extended = entry.pax_extensions().ok().flatten().and_then(|extensions| {
        let mut all = extensions.flatten().filter(|extension| extension.key_bytes() == b"mtime");
        decimal(all.next()?.value().ok()?)
    });
    let nanoseconds = extended.or_else(|| Some(i128::from(entry.header().mtime().ok()?) * NANOSECONDS))?;
    since_1970(nanoseconds).filter(|_| nanoseconds != 0)
}

/// The modification time of a member of a zip.
///
/// * `file`: the archive.
pub(super) fn zip_time(file: &File, entry: &zip::read::ZipFileEntry<'_>) -> Option<SystemTime> {
    let mut line = Vec::new();
    read_at(file, entry.central_header_start(), LINE, &mut line).ok()?;
    let len = |at: usize| Some(usize::from(u16::from_le_bytes(line.get(at..at + 2)?.try_into().ok()?)));
    let (name_len, extra_len) = (len(28)?, len(30)?);
    let mut extra = Vec::new();
    let start = entry.central_header_start() + (LINE + name_len) as u64;
    if extra_len > 0 && read_at(file, start, extra_len, &mut extra).is_ok() {
        let found = time_of_extra_fields(&extra);
        if found.is_some() {
            return found;
        }
    }
    let time = entry.last_modified()?;
    let date = NaiveDate::from_ymd_opt(time.year().into(), time.month().into(), time.day().into())?;
    let time = date.and_hms_opt(time.hour().into(), time.minute().into(), time.second().min(59).into())?;
    let first = NaiveDate::from_ymd_opt(1980, 1, 1)?.and_hms_opt(0, 0, 0)?;
    since_1970(i128::from(time.and_utc().timestamp()) * NANOSECONDS).filter(|_| time != first)
}

/// The modification time in the extra fields of a member.
fn time_of_extra_fields(mut extra: &[u8]) -> Option<SystemTime> {
    let mut of_windows = None;
    while let Some((head, rest)) = extra.split_at_checked(4) {
        let kind = u16::from_le_bytes([head[0], head[1]]);
        let (field, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes([head[2], head[3]])))?;
        extra = rest;
        let seconds = |bytes: &[u8]| {
            let seconds = i32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
            since_1970(i128::from(seconds) * NANOSECONDS)
        };
        match kind {
            // The first bit of the flags says that the field has a modification time, which comes first.
            0x5455 if field.first().is_some_and(|flags| flags & 1 != 0) => {
                if let Some(time) = seconds(&field[1..]) {
                    return Some(time);
                }
            }
            // The time of the last access comes first.
            0x5855 => of_windows = of_windows.or_else(|| seconds(field.get(4..)?)),
            0x000A => of_windows = of_windows.or_else(|| windows_time(field)),
            _ => {}
        }
    }
    of_windows
}

/// The modification time in a Windows extra field: four bytes, then attributes. The first attribute has three times.
fn windows_time(field: &[u8]) -> Option<SystemTime> {
    let attribute = field.get(4..)?;
    let is_times = attribute.get(..4)? == [1, 0, 24, 0];
    let ticks = u64::from_le_bytes(attribute.get(4..12)?.try_into().ok()?);
    since_1970(i128::from(ticks) * 100 - WINDOWS_EPOCH * NANOSECONDS).filter(|_| is_times && ticks > 0)
}

/// Parses decimal seconds and returns nanoseconds.
fn decimal(text: &str) -> Option<i128> {
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 18 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let fraction: i128 = format!("{:0<9.9}", fraction).parse().ok()?;
    let nanoseconds = whole.parse::<i128>().ok()? * NANOSECONDS + fraction;
    Some(if is_negative { -nanoseconds } else { nanoseconds })
}

/// Converts nanoseconds since 1970 to a time; `None` when the system cannot represent it.
fn since_1970(nanoseconds: i128) -> Option<SystemTime> {
    let size = nanoseconds.unsigned_abs();
    let duration = Duration::new(u64::try_from(size / 1_000_000_000).ok()?, (size % 1_000_000_000) as u32);
    let epoch = SystemTime::UNIX_EPOCH;
    if nanoseconds < 0 { epoch.checked_sub(duration) } else { epoch.checked_add(duration) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extra_fields_have_times_in_utc() {
        let field =
            |kind: u16, bytes: &[u8]| [&kind.to_le_bytes(), &(bytes.len() as u16).to_le_bytes(), bytes].concat();
        let seconds = |seconds: i32| since_1970(i128::from(seconds) * NANOSECONDS);
        let unix = |flags: u8, time: i32| field(0x5455, &[&[flags], time.to_le_bytes().as_slice()].concat());
        let ticks = ((1_700_000_000 + WINDOWS_EPOCH) * 10_000_000) as u64;
        let windows = field(0x000A, &[&[0, 0, 0, 0, 1, 0, 24, 0], ticks.to_le_bytes().as_slice(), &[0; 16]].concat());
        let old = field(0x5855, &[5i32.to_le_bytes(), 77i32.to_le_bytes()].concat());
        let check =
            |extra: &[&[u8]], expected| assert_eq!(time_of_extra_fields(&extra.concat()), expected, "{extra:?}");
        check(&[&unix(1, 1_600_000_000)], seconds(1_600_000_000));
        check(&[&windows, &unix(3, 12)], seconds(12));
        check(&[&windows, &unix(2, 12)], seconds(1_700_000_000));
        check(&[&field(7, b"abc"), &old], seconds(77));
        check(&[&unix(1, -5)], seconds(-5));
        check(&[&field(0x5455, &[1, 0])], None);
        check(&[&[0x55, 0x54, 200, 0, 1]], None);
        check(&[], None);
    }

    #[test]
    fn seconds_have_fractions() {
        assert_eq!(decimal("1350244992.023960108"), Some(1_350_244_992_023_960_108));
        assert_eq!(decimal("-1.5"), Some(-1_500_000_000));
        assert_eq!(decimal("7.1234567899"), Some(7_123_456_789));
        assert_eq!([decimal(""), decimal("1e3"), decimal("-"), decimal(&"9".repeat(30))], [None; 4]);
    }
}
