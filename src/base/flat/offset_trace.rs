//! `OffsetTrace`: combines the steps of text processing into one map, and records the lines of the source.

use super::line_starts::LineStarts;
use super::offset_map::{OffsetMap, Trace};

/// Records the source of each byte of a text, step by step.
#[derive(Debug, Clone, Default)]
pub(crate) struct OffsetTrace {
    /// The combined map of the finished steps; `None` when nothing was changed.
    done: Option<OffsetMap>,
    step: OffsetMap,
    lines: LineStarts,
}

impl OffsetTrace {
    /// The map of the result, which is `len` bytes long, and the lines of the source.
    pub(crate) fn into_parts(self, len: usize) -> (OffsetMap, LineStarts) {
        (self.done.unwrap_or_else(|| OffsetMap::identity(len)), self.lines)
    }
}

impl Trace for OffsetTrace {
    const IS_ON: bool = true;

    #[inline]
    fn copied(&mut self, len: usize) {
        self.step.copied(len);
    }

    #[inline]
    fn left_out(&mut self, len: usize) {
        self.step.left_out(len);
    }

    #[inline]
    fn replaced(&mut self, len: usize, by: usize) {
        self.step.replaced(len, by);
    }

    fn end_step(&mut self) {
        let step = std::mem::take(&mut self.step);
        self.done = Some(match self.done.take() {
            None => step,
            Some(done) => done.then(&step),
        });
    }

    fn mark_lines(&mut self, text: &[u8]) {
        self.lines = LineStarts::new(text, self.done.as_ref());
    }
}
