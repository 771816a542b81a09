//! `EditFamily`: hashes texts by MinHash of their shingles, with a bound by the number of edits between them.

use super::draws::Draws;
use super::family::HashFamily;
use super::jaccard::{JaccardFamily, LeastHash};
use dedup_scan::text::{ShingleKind, ShingleSet, Shingler};

/// MinHash of the shingles of a text; the distance is the edit distance, the number of characters to be inserted,
/// deleted or replaced (Levenshtein 1966; MMDS 3.5.5).
///
/// One edit changes at most k shingles of k characters, the shingles that contain its position. If one text has n
/// distinct shingles, then after d edits at least n − k·d of them are in the other text, which has at most k·d others.
/// So the Jaccard similarity is at least (n − k·d) / (n + k·d), and by MinHash this bound also holds for the
/// probability.
///
/// There is no upper bound: texts with the same shingles in another order are far from each other, and yet always a
/// candidate pair. So the maximum probability is 1 at every distance. Check candidates by [`edit_distance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditFamily {
    shingle_size: usize,
    least_shingles: usize,
}

impl EditFamily {
    /// Creates the family.
    ///
    /// * `shingle_size`: k, in characters.
    /// * `least_shingles`: minimum number of distinct shingles in at least one of two texts, for which the probability
    ///   is stated.
    ///
    /// # Panics
    /// When one of them is 0.
    pub fn new(shingle_size: usize, least_shingles: usize) -> Self {
        assert!(shingle_size > 0 && least_shingles > 0, "texts have shingles, and these characters");
        Self { shingle_size, least_shingles }
    }

    /// The distinct shingles of a text, which is not normalised; they are the point of the text. A text with fewer
    /// characters than a shingle is one shingle, and an edit may then change more than the bound says.
    pub fn shingles(&self, text: &str) -> ShingleSet {
        ShingleSet::new(Shingler::new(ShingleKind::Char, self.shingle_size).shingles(text))
    }
}

impl HashFamily for EditFamily {
    /// The hashes of a [text's shingles](EditFamily::shingles).
    type Point = [u64];
    type Function = LeastHash;

    fn draw(&self, draws: &mut Draws) -> LeastHash {
        JaccardFamily.draw(draws)
    }

    fn max_distance(&self) -> f64 {
        f64::INFINITY
    }

    fn chance(&self, distance: f64) -> f64 {
        let (shingles, changed) = (self.least_shingles as f64, self.shingle_size as f64 * distance);
        if changed < shingles { (shingles - changed) / (shingles + changed) } else { 0.0 }
    }

    fn most_chance(&self, _: f64) -> f64 {
        1.0
    }
}

/// The edit distance of two texts; `None` if it is above `most`.
///
/// The time is the length of the longer text times `most`, and the memory is proportional to `most`: only cells near
/// the diagonal are filled (Ukkonen 1985).
pub fn edit_distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Distances from the first `row` characters of `a`: the distance to the first `column` of `b` is at `column - row +
    // most`.
    let width = 2 * most.min(a.len().max(b.len())) + 1;
    let most = width / 2;
    let far = most + 1;
    let mut cells: Vec<usize> = (0..width).map(|at| at.checked_sub(most).unwrap_or(far)).collect();
    for row in 1..=a.len() {
        // The cell to the left in this row.
        let mut left = far;
        for at in 0..width {
            let above = cells.get(at + 1).copied().unwrap_or(far);
            let cell = match (row + at).checked_sub(most) {
                Some(0) => row,
                Some(column) if column <= b.len() => {
                    let replaced = cells[at] + usize::from(a[row - 1] != b[column - 1]);
                    replaced.min(above + 1).min(left + 1)
                }
                _ => far,
            };
            cells[at] = cell.min(far);
            left = cells[at];
        }
    }
    let distance = cells[b.len() + most - a.len()];
    (distance <= most).then_some(distance)
}
