//! Extracts the text of a document in a separate process.
//!
//! A library that parses PDF may overflow the stack, use all memory or never end. None of these can be caught within a
//! process, so the program calls itself. The other process has a limit of memory and of time, and a failure affects only its
//! document.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::fault::{ExtractFault, Extracted};
use super::paragraphs::ExtractedText;
use super::source::DocumentSource;
use crate::documents::input::bytes::decode::Decoding;
use crate::documents::input::bytes::{filter, temporary};
use crate::documents::input::cancel::Cancel;
use crate::documents::input::settings::{InputSettings, Inputs};
use crate::documents::input::text_modes::NotebookCells;
use crate::text::code::StatedSyntax;

/// The first argument of a process that extracts the text of the document on standard input. The second argument is the
/// maximum number of bytes.
pub const EXTRACT_FLAG: &str = "--extract-text";
/// Maximum bytes of memory of such a process.
#[cfg(unix)]
const MOST_MEMORY: u64 = 4 << 30;
/// Maximum length of the JSON line before the text.
const MOST_LINE: u64 = 64 << 10;

/// The program that extracts texts.
static EXTRACTOR: OnceLock<PathBuf> = OnceLock::new();

/// The line before the text that such a process prints.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ExtractionLine {
    fault: Option<ExtractFault>,
    note: Option<String>,
}

/// Sets the program that extracts texts which are dangerous to extract in this process, such as the texts of PDF files. Called with
/// [`EXTRACT_FLAG`], it must call [`extract_from_stdin`](super::extract_from_stdin). Without such a program, a process extracts them itself, and a
/// hostile document can end it. A second call has no effect.
pub fn set_extractor(program: PathBuf) {
    let _ = EXTRACTOR.set(program);
}

/// Extracts the text in another process; `None` without a program for that.
pub(super) fn extract_apart(source: &DocumentSource) -> Option<Extracted<ExtractedText>> {
    let command = format!("{} {EXTRACT_FLAG} {}", quoted(EXTRACTOR.get()?)?, source.limit);
    let document = match temporary::of(source.bytes) {
        Ok(document) => document,
        Err(error) => return Some(Err(ExtractFault::Failed(format!("temporary file: {error}")))),
    };
    let limit = source.limit.saturating_add(MOST_LINE);
    let run = filter::run(source.cancel, &command, document, limit, source.time_limit);
    Some(run.map_err(|(_, detail)| failed(&command, &detail)).and_then(parse_output))
}

/// The fault for a process that failed.
fn failed(command: &str, detail: &str) -> ExtractFault {
    let how = detail.replacen(&format!("the filter `{command}`"), "the process that reads it", 1);
    ExtractFault::Failed(how.trim_end_matches("; skipped").to_owned())
}

/// Parses the output of the other process.
fn parse_output(mut output: Vec<u8>) -> Extracted<ExtractedText> {
    let odd = || ExtractFault::Failed("the process that reads it printed something else".to_owned());
    let end = memchr::memchr(b'\n', &output).ok_or_else(odd)?;
    let line: ExtractionLine = serde_json::from_slice(&output[..end]).map_err(|_| odd())?;
    output.drain(..=end);
    match line.fault {
        Some(fault) => Err(fault),
        None if std::str::from_utf8(&output).is_err() => Err(odd()),
        // None of these documents is a program.
        None => Ok(ExtractedText { text: output, note: line.note, syntax: StatedSyntax::None }),
    }
}

/// The path as a word for the shell; `None` if it cannot be one.
fn quoted(program: &Path) -> Option<String> {
    let path = program.to_str()?;
    match cfg!(windows) {
        true => Some(format!("\"{path}\"")),
        false => Some(format!("'{}'", path.replace('\'', r"'\''"))),
    }
}

/// Prints the text of the document on standard input, as the other process.
///
/// * `limit`: the second argument, the maximum number of bytes of the text.
/// * `text_of`: extracts the text.
///
/// # Errors
/// When standard input or output fail.
pub(super) fn print_text(
    limit: &str,
    text_of: impl FnOnce(&DocumentSource) -> Extracted<ExtractedText>,
) -> io::Result<()> {
    limit_resources();
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let settings = InputSettings::default();
    let source = DocumentSource {
        bytes: &bytes,
        limit: limit.parse().unwrap_or(InputSettings::DEFAULT_UNPACKED_BYTES),
        cells: NotebookCells::default(),
        time_limit: InputSettings::DEFAULT_FILTER_TIMEOUT,
        cancel: &Cancel::default(),
        decoding: Decoding::new(Inputs { settings: &settings, sets: false }),
    };
    let (line, text) = match text_of(&source) {
        Ok(ExtractedText { text, note, .. }) => (ExtractionLine { note, fault: None }, text),
        Err(fault) => (ExtractionLine { fault: Some(fault), note: None }, Vec::new()),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&line)?)?;
    out.write_all(&text)?;
    out.flush()
}

/// Limits the memory of this process. Also disables core dumps.
#[cfg(unix)]
fn limit_resources() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // Where a limit cannot be set, the limit of time remains.
    let _ = setrlimit(Resource::As, limit(MOST_MEMORY));
    let _ = setrlimit(Resource::Core, limit(0));
}

#[cfg(not(unix))]
fn limit_resources() {}
