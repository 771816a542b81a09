//! `TracedText`: a text that is made from parts of a source, in their order, and the trace of these parts.

use crate::base::flat::offset_map::Trace;

/// Writes a text from parts of a source. Dropping the value skips the rest of the source.
pub(super) struct TracedText<'s, 'a, T: Trace> {
    pub(super) source: &'s str,
    text: &'a mut Vec<u8>,
    trace: &'a mut T,
    /// The number of bytes of the source that were copied, replaced or skipped.
    at: usize,
}

impl<'s, 'a, T: Trace> TracedText<'s, 'a, T> {
    pub(super) fn new(source: &'s str, text: &'a mut Vec<u8>, trace: &'a mut T) -> Self {
        Self { source, text, trace, at: 0 }
    }

    /// The number of bytes of the source that were copied, replaced or skipped.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Skips the source up to an offset.
    pub(super) fn skip_to(&mut self, end: usize) {
        if end > self.at {
            self.trace.left_out(end - self.at);
            self.at = end;
        }
    }

    /// Copies the source up to an offset.
    pub(super) fn copy_to(&mut self, end: usize) {
        if end > self.at {
            self.text.extend_from_slice(&self.source.as_bytes()[self.at..end]);
            self.trace.copied(end - self.at);
            self.at = end;
        }
    }

    /// Appends another text for the source up to an offset.
    pub(super) fn replace_to(&mut self, end: usize, by: &str) {
        let len = end.saturating_sub(self.at);
        if len > 0 || !by.is_empty() {
            self.text.extend_from_slice(by.as_bytes());
            self.trace.replaced(len, by.len());
            self.at += len;
        }
    }

    /// Ends a paragraph, unless the text is at the start of one.
    pub(super) fn end_paragraph(&mut self) {
        let missing = match self.text.as_slice() {
            [] | [.., b'\n', b'\n'] => "",
            [.., b'\n'] => "\n",
            _ => "\n\n",
        };
        self.replace_to(self.at, missing);
    }
}

impl<T: Trace> Drop for TracedText<'_, '_, T> {
    fn drop(&mut self) {
        self.skip_to(self.source.len());
    }
}
