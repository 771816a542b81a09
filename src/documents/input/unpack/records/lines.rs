//! Lines: cuts an unpacked stream of JSON Lines into pieces of whole lines.

use std::io::{self, Read};

use crate::base::problem::Reason;
use crate::documents::input::bytes::decode::BINARY_PREFIX;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::messages::too_large;
use crate::documents::input::paths::path_of;
use crate::documents::input::streams::spool::check_start;
use crate::documents::input::unpack::batch_writer::{BATCH_BYTES, BatchWriter};
use crate::documents::input::unpack::content::Content;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;

/// Reads lines and passes them on. A truncated stream is read up to its last whole line.
pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: &mut dyn Read) {
    let limit = out.inputs().unpacked_bytes();
    let source = out.add_source(content);
    let mut block = Vec::with_capacity(BATCH_BYTES + CHUNK);
    // The start of the last line of the block, which may be incomplete, and whether that line is skipped as too long.
    let (mut last, mut too_long, mut is_start) = (0, false, true);
    while out.is_open() {
        let before = block.len();
        let read = append(bytes, &mut block);
        let is_end = matches!(read, Ok(0));
        if is_start && (block.len() >= BINARY_PREFIX || read.is_err() || is_end) {
            if let Err(problem) = check_start(path_of(content.name), &block[..block.len().min(BINARY_PREFIX)]) {
                return out.problem(problem);
            }
            if block.starts_with(UTF8_MARK) {
                block.drain(..UTF8_MARK.len());
            }
            is_start = false;
            last = memchr::memrchr(b'\n', &block).map_or(0, |newline| newline + 1);
        } else if let Some(newline) = memchr::memrchr(b'\n', &block[before..]) {
            if too_long {
                // The long line is dropped; the lines after it stay.
                let end = memchr::memchr(b'\n', &block[before..]).expect("there is a last one") + before;
                out.line_problem(source, Reason::TooLarge, too_large(limit));
                block.drain(..=end);
                last = memchr::memrchr(b'\n', &block).map_or(0, |newline| newline + 1);
                too_long = false;
            } else {
                last = before + newline + 1;
            }
        }
        if let Err(error) = read {
            block.truncate(last);
            send(out, source, block);
            return out.damaged(content, &error, "the records before that are compared");
        }
        if is_end {
            if too_long {
                return out.line_problem(source, Reason::TooLarge, too_large(limit));
            }
            return send(out, source, block);
        }
        if is_start {
            continue;
        }
        if too_long {
            block.clear();
        } else if block.len() >= BATCH_BYTES && last > 0 {
            let mut rest = Vec::with_capacity(BATCH_BYTES + CHUNK);
            rest.extend_from_slice(&block[last..]);
            block.truncate(last);
            send(out, source, std::mem::replace(&mut block, rest));
            last = 0;
        } else if last == 0 && block.len() as u64 > limit {
            too_long = true;
            block.clear();
        }
    }
}

fn send(out: &mut BatchWriter, source: u32, lines: Vec<u8>) {
    if !lines.is_empty() {
        out.lines(source, lines);
    }
}

/// Appends the bytes of one read.
fn append(bytes: &mut dyn Read, block: &mut Vec<u8>) -> io::Result<usize> {
    let before = block.len();
    block.resize(before + CHUNK, 0);
    let read = loop {
        match bytes.read(&mut block[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    block.truncate(before + read.as_ref().map_or(0, |&count| count));
    read
}
