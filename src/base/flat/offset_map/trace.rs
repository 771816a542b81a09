//! `Trace`: receives the changes that each step of text processing makes.

/// Receives the changes that a step makes to its text. A step reports either all of its text, in order, and then its
/// end, or nothing when it changes nothing.
pub(crate) trait Trace {
    /// `false` lets callers skip work that only a trace needs.
    const IS_ON: bool;

    /// Reports that the next `len` bytes stay unchanged.
    fn copied(&mut self, len: usize);

    /// Reports that the next `len` bytes are removed.
    fn left_out(&mut self, len: usize);

    /// Reports that the next `len` bytes become `by` bytes as a whole; `len` 0 is an insertion.
    fn replaced(&mut self, len: usize, by: usize);

    /// Reports the end of the step: its result is the text of the next step.
    fn end_step(&mut self);

    /// Reports that `text`, the result of the steps so far, has the lines of the source. To be called once, with the
    /// whole text.
    fn mark_lines(&mut self, text: &[u8]);
}

/// A trace that ignores everything and costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    const IS_ON: bool = false;

    #[inline(always)]
    fn copied(&mut self, _: usize) {}

    #[inline(always)]
    fn left_out(&mut self, _: usize) {}

    #[inline(always)]
    fn replaced(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn end_step(&mut self) {}

    #[inline(always)]
    fn mark_lines(&mut self, _: &[u8]) {}
}
