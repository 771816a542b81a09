//! `Runs`: units of equal lengths, written as few bytes, with marks from which they are read.

use std::ops::Range;

/// Runs between two marks, which take 24 bytes. A look-up reads half of them: with 64 runs, an eighth of the time of a search for
/// passages in short texts full of pairs went there.
const RUNS_PER_MARK: u32 = 16;
/// The most bytes of a unit, made or source, that are written as half a byte.
const MOST_SHORT: u64 = 14;
/// In place of two halves: both lengths follow as numbers.
const LONG: u8 = 0xFF;

/// `count` units, one after another, each of `made` bytes that were made of `source` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) made: u64,
    pub(super) source: u64,
    pub(super) count: u64,
}

/// No units.
const NONE: Run = Run { made: 0, source: 0, count: 0 };

/// Units in the order of both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Runs {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    /// Runs in `bytes` behind the last mark.
    num_unmarked: u32,
    /// Where `last` begins.
    at: Mark,
    /// The run that may still grow; not in `bytes`.
    last: Run,
}

/// Where a run begins: in the text, in its source, in the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Mark {
    made: u64,
    source: u64,
    byte: usize,
}

impl Default for Runs {
    fn default() -> Self {
        Self { bytes: Vec::new(), marks: Vec::new(), num_unmarked: 0, at: Mark::default(), last: NONE }
    }
}

impl Runs {
    #[inline]
    pub(super) fn push(&mut self, run: Run) {
        if run.count == 0 || (run.made == 0 && run.source == 0) {
            return;
        }
        let last = &mut self.last;
        if (last.made, last.source) == (run.made, run.source) && run.made > 0 {
            last.count += run.count;
        } else if last.count > 0 && last.made == 0 && run.made == 0 {
            // What is left out has no units.
            last.source += run.source * run.count;
        } else {
            self.write_last();
            self.last = run;
        }
    }

    fn write_last(&mut self) {
        let Run { made, source, count } = self.last;
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

    /// Bytes of the text and of its source.
    pub(super) fn len(&self) -> (u64, u64) {
        let Run { made, source, count } = self.last;
        (self.at.made + made * count, self.at.source + source * count)
    }

    /// The runs from a mark on.
    fn read(&self, mark: Mark) -> RunReader<'_> {
        RunReader { runs: self, at: mark, is_over: false }
    }

    /// All runs, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Run> + '_ {
        self.read(Mark::default()).map(|(_, run)| run)
    }

    /// The source of the unit that this byte of the text is in.
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

    /// How many bytes of the text have a source that begins at or before this offset.
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

    /// The runs of a text that was made by `next` of the text of these.
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

/// Reads runs with the place at which each begins.
struct RunReader<'r> {
    runs: &'r Runs,
    at: Mark,
    is_over: bool,
}

impl Iterator for RunReader<'_> {
    type Item = (Mark, Run);

    fn next(&mut self) -> Option<(Mark, Run)> {
        let at = self.at;
        let mut rest = &self.runs.bytes[at.byte..];
        let run = match rest.split_off_first() {
            None if self.is_over || self.runs.last.count == 0 => return None,
            None => {
                self.is_over = true;
                self.runs.last
            }
            Some(&LONG) => {
                Run { made: take_number(&mut rest), source: take_number(&mut rest), count: take_number(&mut rest) }
            }
            Some(&halves) => {
                Run { made: u64::from(halves >> 4), source: u64::from(halves & 15), count: take_number(&mut rest) }
            }
        };
        self.at = Mark {
            made: at.made + run.made * run.count,
            source: at.source + run.source * run.count,
            byte: self.runs.bytes.len() - rest.len(),
        };
        Some((at, run))
    }
}

/// Joins the runs of a first map with those of a second one. Text stands for the text of the first.
struct Joining<'r> {
    /// The first map's runs that come.
    runs: RunReader<'r>,
    /// What is left of the current one.
    run: Run,
    /// Bytes of its first unit that were taken.
    used: u64,
    /// What was made of that unit, and of units before that belong to it.
    open: Run,
    joined: Runs,
}

impl Joining<'_> {
    /// The next `len` bytes of the text are in the second one.
    fn copy(&mut self, mut len: u64) {
        while len > 0 {
            self.pass_left_out();
            let whole = if self.is_open() { 0 } else { (len / self.run.made).min(self.run.count) };
            if whole > 0 {
                self.joined.push(Run { count: whole, ..self.run });
                len -= whole * self.run.made;
                self.run.count -= whole;
            } else {
                let part = (self.run.made - self.used).min(len);
                self.take(part, part);
                len -= part;
            }
        }
    }

    /// Units of the second text.
    fn replace(&mut self, mut units: Run) {
        while units.count > 0 {
            if units.source > 0 {
                self.pass_left_out();
            }
            let is_plain = self.run.made == 1 && self.run.source == 1 && !self.is_open();
            let most = self.run.count.checked_div(units.source).filter(|_| is_plain);
            let whole = most.unwrap_or(0).min(units.count);
            if whole > 0 {
                self.joined.push(Run { count: whole, ..units });
                self.run.count -= whole * units.source;
                units.count -= whole;
            } else {
                self.take(units.source, units.made);
                units.count -= 1;
            }
        }
    }

    /// Makes one unit of the next `len` bytes of the text, or more of it where it ends within a unit of the first map.
    fn take(&mut self, mut len: u64, made: u64) {
        self.open.made += made;
        while len > 0 {
            self.next_run();
            let Run { made, source, count } = self.run;
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
            self.joined.push(Run { count: 1, ..std::mem::replace(&mut self.open, NONE) });
        }
    }

    /// Whether the second text has taken a part of a unit.
    fn is_open(&self) -> bool {
        self.used > 0
    }

    /// Passes what the first map left out before the next byte of the text, when no unit is open.
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

    fn finish(mut self) -> Runs {
        self.pass_left_out();
        // What was put in of nothing at the end, and taken by no one.
        debug_assert!(!self.is_open() && self.run.made == 0);
        self.joined
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
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
