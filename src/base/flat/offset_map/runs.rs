//! `OffsetRuns`: a compact sequence of units of equal lengths, with marks for random access.

use std::ops::Range;

/// The number of runs between two marks; a mark is 24 bytes. A look-up reads half of these runs on average: with 64
/// runs, look-ups took an eighth of the time of a passage search in short texts with many pairs.
const RUNS_PER_MARK: u32 = 16;
/// The maximum length, made or source, that is stored in half a byte.
const MOST_SHORT: u64 = 14;
/// Replaces the byte with both lengths when one is too long: both follow as numbers.
const LONG: u8 = 0xFF;

/// A run of `count` consecutive units; each consists of `made` bytes that were made from `source` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OffsetRun {
    pub(super) made: u64,
    pub(super) source: u64,
    pub(super) count: u64,
}

/// A run without units.
const NONE: OffsetRun = OffsetRun { made: 0, source: 0, count: 0 };

/// The units of a map, in the order of both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OffsetRuns {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    /// The number of runs in `bytes` after the last mark.
    num_unmarked: u32,
    /// The position at which `last` begins.
    at: Mark,
    /// The last run, which may still grow; `bytes` does not contain it.
    last: OffsetRun,
}

/// The position at which a run begins: in the text, in its source, and in the bytes of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Mark {
    made: u64,
    source: u64,
    byte: usize,
}

impl Default for OffsetRuns {
    fn default() -> Self {
        Self { bytes: Vec::new(), marks: Vec::new(), num_unmarked: 0, at: Mark::default(), last: NONE }
    }
}

impl OffsetRuns {
    #[inline]
    pub(super) fn push(&mut self, run: OffsetRun) {
        if run.count == 0 || (run.made == 0 && run.source == 0) {
            return;
        }
        let last = &mut self.last;
        if (last.made, last.source) == (run.made, run.source) && run.made > 0 {
            last.count += run.count;
        } else if last.count > 0 && last.made == 0 && run.made == 0 {
            // Removed bytes are not divided into units.
            last.source += run.source * run.count;
        } else {
            self.write_last();
            self.last = run;
        }
    }

    fn write_last(&mut self) {
        let OffsetRun { made, source, count } = self.last;
        if count == 0 {
            return;
        }
        if self.marks.is_empty() || self.num_unmarked == RUNS_PER_MARK {
            self.marks.push(self.at);
            self.num_unmarked = 0;
        }
        self.num_unmarked += 1;
        if made <= MOST_SHORT && source <= MOST_SHORT {
            self.bytes.push((made << 4 | source) as u8);
        } else {
            self.bytes.push(LONG);
            push_number(made, &mut self.bytes);
            push_number(source, &mut self.bytes);
        }
        push_number(count, &mut self.bytes);
        self.at.made += made * count;
        self.at.source += source * count;
        self.at.byte = self.bytes.len();
    }

    /// The lengths of the text and of its source, in bytes.
    pub(super) fn len(&self) -> (u64, u64) {
        let OffsetRun { made, source, count } = self.last;
        (self.at.made + made * count, self.at.source + source * count)
    }

    /// Reads the runs from a mark on.
    fn read(&self, mark: Mark) -> RunReader<'_> {
        RunReader { runs: self, at: mark, is_over: false }
    }

    /// All runs, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = OffsetRun> + '_ {
        self.read(Mark::default()).map(|(_, run)| run)
    }

    /// The source of the unit that contains the byte `made` of the text.
    pub(super) fn unit_of_made(&self, made: u64) -> Range<u64> {
        let behind = self.marks.partition_point(|mark| mark.made <= made);
        let mark = behind.checked_sub(1).map_or(Mark::default(), |at| self.marks[at]);
        for (at, run) in self.read(mark) {
            if made < at.made + run.made * run.count {
                let start = at.source + (made - at.made) / run.made * run.source;
                return start..start + run.source;
            }
        }
        unreachable!("the byte is in the text")
    }

    /// The number of bytes of the text whose source begins at or before `source`.
    pub(super) fn made_up_to(&self, source: u64) -> u64 {
        let behind = self.marks.partition_point(|mark| mark.source <= source);
        let mark = behind.checked_sub(1).map_or(Mark::default(), |at| self.marks[at]);
        let mut up_to = mark.made;
        for (at, run) in self.read(mark).take_while(|(at, _)| at.source <= source) {
            let units = match run.source {
                0 => run.count,
                len => ((source - at.source) / len + 1).min(run.count),
            };
            up_to = at.made + units * run.made;
        }
        up_to
    }

    /// The runs of a second text that `next` describes, with the text of `self` as its source.
    pub(super) fn then(&self, next: &Self) -> Self {
        let mut joining =
            Joining { runs: self.read(Mark::default()), run: NONE, used: 0, open: NONE, joined: Self::default() };
        for (_, run) in next.read(Mark::default()) {
            if run.made == 1 && run.source == 1 {
                joining.copy(run.count);
            } else {
                joining.replace(run);
            }
        }
        joining.finish()
    }

    pub(super) fn num_bytes(&self) -> usize {
        self.bytes.capacity() + self.marks.capacity() * size_of::<Mark>() + size_of::<Self>()
    }
}

/// Reads runs together with the position at which each begins.
struct RunReader<'r> {
    runs: &'r OffsetRuns,
    at: Mark,
    is_over: bool,
}

impl Iterator for RunReader<'_> {
    type Item = (Mark, OffsetRun);

    fn next(&mut self) -> Option<(Mark, OffsetRun)> {
        let at = self.at;
        let mut rest = &self.runs.bytes[at.byte..];
        let run = match rest.split_off_first() {
            None if self.is_over || self.runs.last.count == 0 => return None,
            None => {
                self.is_over = true;
                self.runs.last
            }
            Some(&LONG) => OffsetRun {
                made: take_number(&mut rest),
                source: take_number(&mut rest),
                count: take_number(&mut rest),
            },
            Some(&halves) => OffsetRun {
                made: u64::from(halves >> 4),
                source: u64::from(halves & 15),
                count: take_number(&mut rest),
            },
        };
        self.at = Mark {
            made: at.made + run.made * run.count,
            source: at.source + run.source * run.count,
            byte: self.runs.bytes.len() - rest.len(),
        };
        Some((at, run))
    }
}

/// Combines the runs of a first map with the runs of a second one. "The text" is the text of the first map.
struct Joining<'r> {
    /// The runs of the first map that have not been read yet.
    runs: RunReader<'r>,
    /// The rest of the current run.
    run: OffsetRun,
    /// The number of bytes of the current unit that the second map has used.
    used: u64,
    /// The output unit that is being built from the current unit and previous ones.
    open: OffsetRun,
    joined: OffsetRuns,
}

impl Joining<'_> {
    /// Adds `len` bytes of the text that the second text contains unchanged.
    fn copy(&mut self, mut len: u64) {
        while len > 0 {
            self.pass_left_out();
            let whole = if self.is_open() { 0 } else { (len / self.run.made).min(self.run.count) };
            if whole > 0 {
                self.joined.push(OffsetRun { count: whole, ..self.run });
                len -= whole * self.run.made;
                self.run.count -= whole;
            } else {
                let part = (self.run.made - self.used).min(len);
                self.take(part, part);
                len -= part;
            }
        }
    }

    /// Adds replaced units of the second text.
    fn replace(&mut self, mut units: OffsetRun) {
        while units.count > 0 {
            if units.source > 0 {
                self.pass_left_out();
            }
            let is_plain = self.run.made == 1 && self.run.source == 1 && !self.is_open();
            let most = self.run.count.checked_div(units.source).filter(|_| is_plain);
            let whole = most.unwrap_or(0).min(units.count);
            if whole > 0 {
                self.joined.push(OffsetRun { count: whole, ..units });
                self.run.count -= whole * units.source;
                units.count -= whole;
            } else {
                self.take(units.source, units.made);
                units.count -= 1;
            }
        }
    }

    /// Adds one unit that was made from the next `len` bytes of the text; keeps it open when it ends within a unit of
    /// the first map.
    fn take(&mut self, mut len: u64, made: u64) {
        self.open.made += made;
        while len > 0 {
            self.next_run();
            let OffsetRun { made, source, count } = self.run;
            if made == 0 {
                self.open.source += source * count;
                self.run.count = 0;
                continue;
            }
            if self.used == 0 && len >= made {
                let whole = (len / made).min(count);
                self.open.source += whole * source;
                self.run.count -= whole;
                len -= whole * made;
                continue;
            }
            if self.used == 0 {
                self.open.source += source;
            }
            let part = (made - self.used).min(len);
            len -= part;
            self.used += part;
            if self.used == made {
                self.used = 0;
                self.run.count -= 1;
            }
        }
        if self.used == 0 {
            self.joined.push(OffsetRun { count: 1, ..std::mem::replace(&mut self.open, NONE) });
        }
    }

    /// Whether the second map has used a part of the current unit.
    fn is_open(&self) -> bool {
        self.used > 0
    }

    /// Copies the bytes that the first map removed before the next byte of the text, unless a unit is open.
    fn pass_left_out(&mut self) {
        self.next_run();
        while !self.is_open() && self.run.count > 0 && self.run.made == 0 {
            self.joined.push(self.run);
            self.run.count = 0;
            self.next_run();
        }
    }

    fn next_run(&mut self) {
        if self.run.count == 0 {
            self.run = self.runs.next().map_or(NONE, |(_, run)| run);
        }
    }

    fn finish(mut self) -> OffsetRuns {
        self.pass_left_out();
        // The second map has used the whole text: no unit is open, and no run of the first map with text is left.
        debug_assert!(!self.is_open() && self.run.made == 0);
        self.joined
    }
}

/// Appends a number in groups of seven bits, the lowest first; the highest bit of a byte says that more bytes follow.
fn push_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.split_off_first().expect("numbers are whole");
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}
