//! The form of a text that was joined from several files: a mark, a space and the name of a file on a line, then the text
//! of the file, and so on. A file that states another language than its name has the word for it before the space.
//!
//! A normalised joined text keeps the mark before each file. No shingle contains tokens of two files.

use std::ops::Range;
use std::sync::Arc;

use crate::base::shown::shown;
use crate::text::code::{StatedSyntax, Syntax};

/// The mark that begins each file of a joined text: the file separator of ASCII.
pub(crate) const FILE_MARK: u8 = 0x1C;

/// A file of a joined text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinedFile<'t> {
    pub(crate) name: &'t str,
    /// The language that the file states.
    pub(crate) syntax: StatedSyntax,
    /// The bytes of the file's text in the joined text.
    pub(crate) text: Range<usize>,
}

/// Whether a text was joined from files.
pub(crate) fn is_joined(text: &[u8]) -> bool {
    text.first() == Some(&FILE_MARK)
}

/// Appends a file to a joined text.
///
/// * `name`: the name of the file, which may not be UTF-8.
/// * `syntax`: the language that the file states.
/// * `file`: the text of the file, in valid UTF-8. A mark in it becomes a space.
pub(crate) fn push_file(text: &mut Vec<u8>, name: &[u8], syntax: StatedSyntax, file: &[u8]) {
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text.push(FILE_MARK);
    if syntax.or_of_name(name) != Syntax::of_name(name) {
        text.extend_from_slice(syntax.word().as_bytes());
    }
    text.push(b' ');
    text.extend_from_slice(shown(&String::from_utf8_lossy(name)).as_bytes());
    text.push(b'\n');
    let start = text.len();
    text.extend_from_slice(file);
    text[start..].iter_mut().filter(|byte| **byte == FILE_MARK).for_each(|byte| *byte = b' ');
}

/// The files of a joined text, in order.
pub(crate) fn joined_files(text: &[u8]) -> impl Iterator<Item = JoinedFile<'_>> {
    let starts = memchr::memchr_iter(FILE_MARK, text);
    let ends = memchr::memchr_iter(FILE_MARK, text).skip(1).chain([text.len()]);
    starts.zip(ends).map(move |(start, end)| {
        let line = &text[start + 1..end];
        let len = memchr::memchr(b'\n', line).unwrap_or(line.len());
        let line = std::str::from_utf8(&line[..len]).expect("joined texts are UTF-8");
        let (word, name) = line.split_once(' ').unwrap_or(("", line));
        JoinedFile { name, syntax: StatedSyntax::of_word(word), text: (start + 1 + len + 1).min(end)..end }
    })
}

/// The files of a joined text, and the positions in them.
#[derive(Debug, Clone, Default)]
pub(crate) struct JoinedPositions {
    /// The start of each file's text, and the line of the joined text on which it begins, from 1.
    starts: Vec<(usize, u64)>,
    names: Vec<Arc<str>>,
}

impl JoinedPositions {
    pub(crate) fn new(text: &[u8]) -> Self {
        let (mut positions, mut line, mut done) = (Self::default(), 1, 0);
        for file in joined_files(text) {
            line += memchr::memchr_iter(b'\n', &text[done..file.text.start]).count() as u64;
            done = file.text.start;
            positions.starts.push((done, line));
            positions.names.push(file.name.into());
        }
        positions
    }

    /// The number of the file that contains a byte of the joined text; the name of a file belongs to the file before it.
    fn file_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&(start, _)| start <= offset).saturating_sub(1)
    }

    /// The name of the file that contains a byte of the joined text.
    pub(crate) fn name_of(&self, offset: usize) -> Arc<str> {
        self.names.get(self.file_of(offset)).map_or_else(|| "".into(), Arc::clone)
    }

    /// The offset of a byte in its file.
    pub(crate) fn offset_in_file(&self, offset: usize) -> usize {
        offset - self.starts.get(self.file_of(offset)).map_or(0, |&(start, _)| start.min(offset))
    }

    /// The line in its file, from 1, of a line of the joined text; 0 for a line with the name of a file.
    pub(crate) fn line_in_file(&self, line: u64) -> u64 {
        // A name is on the line before its file.
        match self.starts.partition_point(|&(_, start)| start <= line + 1) {
            0 => 0,
            number => (line + 1).saturating_sub(self.starts[number - 1].1),
        }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice()) + self.names.iter().map(|name| 32 + name.len()).sum::<usize>()
    }
}

/// The parts of a normalised joined text, one for each file, with their starts.
pub(crate) fn normalised_parts(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let starts = memchr::memchr_iter(FILE_MARK, text).map(|at| at + 1);
    let ends = memchr::memchr_iter(FILE_MARK, text).skip(1).chain([text.len()]);
    starts.zip(ends).map(move |(start, end)| (start, &text[start..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_again() {
        let mut text = Vec::new();
        let r = StatedSyntax::Known(Syntax::R);
        let none = StatedSyntax::None;
        let files: [(&str, StatedSyntax, &[u8]); 4] = [
            ("a/1.py", StatedSyntax::Known(Syntax::Python), b"x = 1\n"),
            ("b c", r, b""),
            ("d e.py", StatedSyntax::Other, b"no end"),
            ("f", none, b"a\x1Cb"),
        ];
        files.iter().for_each(|(name, syntax, file)| push_file(&mut text, name.as_bytes(), *syntax, file));
        let found: Vec<_> = joined_files(&text).map(|file| (file.name, file.syntax, &text[file.text])).collect();
        let expected: [(&str, StatedSyntax, &[u8]); 4] = [
            ("a/1.py", none, b"x = 1\n"),
            ("b c", r, b""),
            ("d e.py", StatedSyntax::Other, b"no end\n"),
            ("f", none, b"a b"),
        ];
        assert_eq!(found, expected);
        assert!(is_joined(&text) && !is_joined(b"") && !is_joined(b"a"));
        let positions = JoinedPositions::new(&text);
        let position = |part: &str| {
            let at = String::from_utf8_lossy(&text).find(part).unwrap();
            let line = 1 + text[..at].iter().filter(|byte| **byte == b'\n').count() as u64;
            (positions.name_of(at).to_string(), positions.line_in_file(line), positions.offset_in_file(at))
        };
        assert_eq!(position("x ="), ("a/1.py".into(), 1, 0));
        assert_eq!(position("end"), ("d e.py".into(), 1, 3));
        assert_eq!(positions.line_in_file(1), 0);
        assert_eq!(positions.line_in_file(3), 0);
        let parts: Vec<_> = normalised_parts(b"\x1Cab\x1C\x1Cc").collect();
        assert_eq!(parts, [(1, &b"ab"[..]), (4, b""), (5, b"c")]);
    }
}
