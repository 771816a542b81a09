//! Shingles of lines: consecutive lines of a normalised text. Sentences and elements of sets are written on separate
//! lines too.

use super::cutter::{Cutter, Kind};
use crate::text::normalize::Units;
use crate::text::shingle::hashes::{Blocks, Cut};
use crate::text::shingle::tokens::Tokens;

pub(super) const KIND: Kind = Kind { units: Units::Lines, ..Kind::of(cutter) };

pub(super) fn cutter() -> Box<dyn Cutter> {
    Box::new(LineCutter)
}

/// Cuts texts into shingles of lines.
#[derive(Debug)]
struct LineCutter;

impl Cutter for LineCutter {
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
        line_shingles(text, size, blocks)
    }

    fn tokens(&mut self, text: Vec<u8>) -> Tokens {
        let ends = memchr::memchr_iter(b'\n', &text).chain((!text.is_empty()).then_some(text.len()));
        let mut start = 0;
        let lines = ends.map(|end| std::mem::replace(&mut start, end + 1)..end).collect();
        Tokens::of_pieces(text, lines)
    }

    fn clone_box(&self) -> Box<dyn Cutter> {
        Box::new(Self)
    }
}

/// Hashes the shingles of a text with two cursors that move one line at a time, `size` lines apart. A shingle is the
/// text between them, including U+000A.
fn line_shingles(text: &[u8], size: usize, blocks: &mut Blocks) -> Cut {
    let mut starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|end| end + 1));
    let mut ends = memchr::memchr_iter(b'\n', text).chain(std::iter::once(text.len())).skip(size - 1);
    let mut num_shingles = 0;
    for end in &mut ends {
        let start = starts.next().expect("as many lines start as end");
        blocks.push(&text[start..end]);
        num_shingles += 1;
    }
    if num_shingles == 0 {
        blocks.push(text);
    }
    Cut::new(num_shingles + starts.count() as u64, num_shingles)
}
