//! `TracedEdits`: writes a text with parts of it replaced, from its beginning to its end.

use std::ops::Range;

use crate::base::flat::offset_map::Trace;

/// Writes a text with parts of it replaced.
pub(super) struct TracedEdits<'a, T> {
    text: &'a str,
    /// The edited text up to `done`; empty while nothing is replaced.
    out: &'a mut Vec<u8>,
    trace: &'a mut T,
    done: usize,
    is_changed: bool,
}

impl<'a, T: Trace> TracedEdits<'a, T> {
    pub(super) fn new(text: &'a str, out: &'a mut Vec<u8>, trace: &'a mut T) -> Self {
        out.clear();
        Self { text, out, trace, done: 0, is_changed: false }
    }

    /// Replaces a part of the text; an empty replacement removes it. Parts come in ascending order.
    pub(super) fn replace(&mut self, range: Range<usize>, by: &str) {
        self.copy_up_to(range.start);
        self.is_changed = true;
        self.out.extend_from_slice(by.as_bytes());
        if by.is_empty() {
            self.trace.left_out(range.len());
        } else {
            self.trace.replaced(range.len(), by.len());
        }
        self.done = range.end;
    }

    /// Writes the rest of the text. Returns `false`, and writes nothing, if no part was replaced.
    pub(super) fn finish(mut self) -> bool {
        if self.is_changed {
            self.copy_up_to(self.text.len());
            self.trace.end_step();
        }
        self.is_changed
    }

    fn copy_up_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.text.as_bytes()[self.done..end]);
        if end > self.done {
            self.trace.copied(end - self.done);
        }
    }
}
