//! `Trace`: what each step of the work on a text reports of what it makes of what.

/// Learns what a step makes of its text. A step reports either all of its text, in order, and then its end, or nothing when
/// it changes nothing.
pub(crate) trait Trace {
    /// Whether anybody learns anything, so that what only a trace needs can be spared.
    const IS_ON: bool;

    /// The next `len` bytes stay as they are.
    fn copied(&mut self, len: usize);

    /// The next `len` bytes are left out.
    fn left_out(&mut self, len: usize);

    /// The next `len` bytes become `by` bytes, as a whole. Of none, the bytes are put in.
    fn replaced(&mut self, len: usize, by: usize);

    /// The step is over: what it made is the text of the next.
    fn end_step(&mut self);

    /// What the steps have made so far has the lines of the source. To be called once, with all of it.
    fn mark_lines(&mut self, text: &[u8]);
}

/// Learns nothing, and costs nothing.
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
