//! `utc`: writes a time as text.

use std::time::SystemTime;

/// A time by RFC 3339, in UTC; `None` for a time that no calendar has.
pub(super) fn utc(time: SystemTime) -> Option<String> {
    let seconds = match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).ok()?,
        Err(before) => -i64::try_from(before.duration().as_secs()).ok()?,
    };
    let time = chrono::DateTime::from_timestamp(seconds, 0)?;
    Some(time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
}
