//! The definition of the classic signature's inner loop: plain, exact, one residue and one function at a time.

use super::super::hash_family::{ClassicFamily, P31};

pub(super) fn lower_minima(family: &ClassicFamily, residues: &[u32], minima: &mut [u32]) {
    let num_rows = family.rows().len();
    for &x in residues {
        for (row, functions) in family.rows().iter().enumerate() {
            let (mut value, mut next) = (functions[0].hash(x), functions[1].hash(x));
            for band in 0..family.bands() {
                let minimum = &mut minima[band * num_rows + row];
                *minimum = value.min(*minimum);
                // Both are below p, so the sum fits and at most one subtraction is due.
                let sum = value + next;
                (value, next) = (next, if sum >= P31 { sum - P31 } else { sum });
            }
        }
    }
}
