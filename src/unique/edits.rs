//! `Edits`: byte ranges of a stream to remove, and the bytes that replace them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use crate::documents::document::DocId;

/// Bytes copied at a time.
const CHUNK: usize = 1 << 20;

/// Edits of a stream, in order and without overlap.
#[derive(Debug, Default)]
pub(super) struct Edits {
    edits: Vec<Edit>,
}

/// A byte range to remove or replace. Needs 32 bytes.
#[derive(Debug)]
struct Edit {
    range: Range<u64>,
    instead: Replacement,
}

/// The replacement of a range.
#[derive(Debug)]
enum Replacement {
    Nothing,
    Bytes(Box<Instead>),
    /// The record of this document with another text, which is made when it is written.
    Record(DocId),
}

/// Makes the record that is written instead of a stored one.
pub(super) type RewriteRecord<'r> = &'r mut dyn FnMut(DocId, Vec<u8>) -> io::Result<Vec<u8>>;

/// The bytes that replace a range: `before`, then a range of the spool, then `behind`.
#[derive(Debug)]
pub(super) struct Instead {
    pub(super) before: Vec<u8>,
    /// The range of the spool that follows `before`.
    pub(super) spooled: Range<u64>,
    pub(super) behind: Vec<u8>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Removes a range that lies after all others. Adjacent removed ranges are joined.
    pub(super) fn leave_out(&mut self, range: Range<u64>) {
        match self.edits.last_mut() {
            Some(Edit { range: last, instead: Replacement::Nothing }) if last.end == range.start => {
                last.end = range.end
            }
            _ => self.edits.push(Edit { range, instead: Replacement::Nothing }),
        }
    }

    /// Replaces a range that lies after all others.
    pub(super) fn replace(&mut self, range: Range<u64>, instead: Instead) {
        self.edits.push(Edit { range, instead: Replacement::Bytes(Box::new(instead)) });
    }

    /// Replaces the record of a document, which lies after all other ranges.
    pub(super) fn rewrite(&mut self, range: Range<u64>, document: DocId) {
        self.edits.push(Edit { range, instead: Replacement::Record(document) });
    }

    /// Copies a stream and applies the edits.
    ///
    /// * `spool`: the file that holds the replacement bytes.
    /// * `rewrite`: makes the records that replace others.
    ///
    /// # Errors
    /// When the stream cannot be read, ends before the last edit, or `rewrite` or `out` fails.
    pub(super) fn apply(
        &self,
        stream: &mut dyn Read,
        spool: Option<&File>,
        rewrite: RewriteRecord,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (mut buffer, mut position, mut record) = (vec![0; CHUNK], 0, Vec::new());
        let mut edits = self.edits.iter().peekable();
        loop {
            let count = match stream.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            if count == 0 {
                break;
            }
            let end = position + count as u64;
            let mut next = position;
            while let Some(edit) = edits.peek() {
                if edit.range.start >= end {
                    break;
                }
                if edit.range.start >= next {
                    out.write_all(&buffer[(next - position) as usize..(edit.range.start - position) as usize])?;
                }
                next = edit.range.end;
                if let Replacement::Record(_) = edit.instead {
                    let start = edit.range.start.max(position) - position;
                    record.extend_from_slice(&buffer[start as usize..(next.min(end) - position) as usize]);
                }
                if next > end {
                    break;
                }
                match &edit.instead {
                    Replacement::Nothing => {}
                    Replacement::Bytes(instead) => put(instead, spool, out)?,
                    Replacement::Record(document) => {
                        out.write_all(&rewrite(*document, std::mem::take(&mut record))?)?;
                    }
                }
                edits.next();
            }
            if next < end {
                out.write_all(&buffer[(next - position) as usize..count])?;
            }
            position = end;
        }
        if edits.peek().is_some() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

fn put(instead: &Instead, spool: Option<&File>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&instead.before)?;
    let Range { start, end } = instead.spooled;
    if start < end {
        let mut spool = spool.expect("what is spooled has a spool");
        spool.seek(SeekFrom::Start(start))?;
        io::copy(&mut spool.take(end - start), out)?;
    }
    out.write_all(&instead.behind)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads at most the given number of bytes at a time.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    proptest! {
        #[test]
        fn what_is_not_left_out_is_copied(
            text in prop::collection::vec(any::<u8>(), 1..300), marks in prop::collection::vec((any::<u8>(), any::<bool>()), 300),
            drop in 1usize..40,
        ) {
            // Each span of 7 bytes is removed, replaced or kept.
            let kind = |at: usize| (marks[at / 7].0 % 4, marks[at / 7].1);
            let (mut edits, mut expected, mut at) = (Edits::default(), Vec::new(), 0);
            while at < text.len() {
                let end = (at + 7 - at % 7).min(text.len());
                match kind(at) {
                    (0, _) => edits.leave_out(at as u64..end as u64),
                    (1, true) => {
                        let instead = Instead { before: b"new".to_vec(), spooled: 0..0, behind: vec![b'!'] };
                        edits.replace(at as u64..end as u64, instead);
                        expected.extend_from_slice(b"new!");
                    }
                    (2, _) => {
                        edits.rewrite(at as u64..end as u64, DocId::new(at));
                        expected.extend(text[at..end].iter().rev().chain([&(at as u8)]));
                    }
                    _ => expected.extend_from_slice(&text[at..end]),
                }
                at = end;
            }
            let mut out = Vec::new();
            let mut rewrite = |document: DocId, record: Vec<u8>| {
                Ok(record.into_iter().rev().chain([document.index() as u8]).collect())
            };
            edits.apply(&mut Slowly(&text, drop), None, &mut rewrite, &mut out).unwrap();
            prop_assert_eq!(out, expected);
            if !edits.is_empty() {
                prop_assert!(edits.apply(&mut &b""[..], None, &mut rewrite, &mut Vec::new()).is_err());
            }
        }
    }
}
