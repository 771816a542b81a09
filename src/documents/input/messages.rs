//! Messages for broken input that several readers share.

use super::codec::LARGE_WINDOW;
use super::settings::InputSettings;
use crate::base::setting::Setting;
use crate::base::shown::size;

/// The first bytes of a Git LFS pointer file, which a repository contains instead of the data.
pub(super) const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// The message about a Git LFS pointer.
pub(super) const LFS_DETAIL: &str = "a Git LFS pointer instead of the data; skipped (`git lfs pull` fetches the data)";

/// Maximum depth of containers inside one another. It exceeds any practical nesting and stops an archive that contains
/// itself.
pub(super) const MAX_DEPTH: usize = 8;

/// Rewords the message of a decoder, whose own words refer to its code and quote the input.
pub(super) fn said(error: &dyn std::fmt::Display) -> String {
    let error = error.to_string();
    if let Some((said, _)) = error.split_once(" (os error ") {
        return said.to_owned();
    }
    let error = error.to_lowercase();
    let says = |parts: &[&str]| parts.iter().any(|part| error.contains(part));
    if says(&["checksum", "crc"]) {
        "a checksum is wrong"
    } else if says(&["memory", "window"]) {
        "it needs too much memory"
    } else if says(&[
        "eof",
        "end of file",
        "unexpected end",
        "incomplete",
        "entire block",
        "not finished",
        "premature",
        "does not end",
    ]) {
        "it ends too early"
    } else {
        "inconsistent data"
    }
    .to_owned()
}

/// The error when the footer or a column of a Parquet file is encrypted.
pub(super) const ENCRYPTED: &str = "encrypted; decrypt it first";

/// Whether a decoder reports that the system refused it memory, which is not a fault of the input.
pub(super) fn is_refusal(error: &dyn std::fmt::Display) -> bool {
    let error = error.to_string().to_lowercase();
    ["allocate memory", "not enough memory", "out of memory"].iter().any(|words| error.contains(words))
}

/// The message about a compression window above the maximum, with the setting that allows it; `None` for other errors.
pub(super) fn large_window(error: &dyn std::fmt::Display, max_window: u64) -> Option<String> {
    let error = error.to_string();
    let window = error.strip_prefix(LARGE_WINDOW)?;
    let (max_window, setting) = (size(max_window), Setting::MaxWindow);
    Some(match window.parse::<u64>() {
        Ok(window) => format!(
            "compressed with a window of {window}, but the maximum is {max_window}; {setting} {window} reads it, and needs as \
             much memory",
            window = size(window.next_power_of_two())
        ),
        Err(_) => format!(
            "compressed with a window of more than the maximum; {setting} 4GiB reads it, and needs as much memory"
        ),
    })
}

/// The message about content nested too deeply.
pub(super) fn packed_too_often() -> String {
    format!("packed more than {MAX_DEPTH} times; unpack it first")
}

/// The message about a document above the maximum size.
pub(super) fn too_large(limit: u64) -> String {
    format!("more than {}; skipped ({})", size(limit), remedy(limit))
}

/// The message about a document that exceeds the maximum size after decoding.
pub(super) fn too_large_as_utf8(limit: u64) -> String {
    format!("more than {} as UTF-8; skipped ({})", size(limit), remedy(limit))
}

fn remedy(limit: u64) -> String {
    if limit < InputSettings::MOST_UNPACKED_BYTES {
        format!("{} allows larger ones", Setting::MaxDocumentBytes)
    } else {
        "split it into several documents".to_owned()
    }
}
