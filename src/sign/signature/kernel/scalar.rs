//! The reference implementation of the classic signature's inner loop: one residue and one function at a time.

use super::super::hash_family::ClassicFamily;

pub(super) fn lower_minima(family: &ClassicFamily, residues: &[u32], minima: &mut [u32]) {
    let num_rows = family.rows().len();
    for &x in residues {
        for (row, functions) in family.rows().iter().enumerate() {
            for (band, function) in functions.iter().enumerate() {
                let minimum = &mut minima[band * num_rows + row];
                *minimum = function.hash(x).min(*minimum);
            }
        }
    }
}
