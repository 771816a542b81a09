//! The definition of the classic signature's inner loop: plain, exact, one residue and one function at a time.

use super::super::hash_family::{P31, ProgressionFamily, hash31};

pub(super) fn lower_minima(family: &ProgressionFamily, residues: &[u32], minima: &mut [u32]) {
    let num_rows = family.rows.len();
    for &x in residues {
        for (row, coefficients) in family.rows.iter().enumerate() {
            let mut value = hash31(coefficients.a, coefficients.b, x);
            let step = hash31(coefficients.a_step, coefficients.b_step, x);
            for band in 0..family.bands {
                let minimum = &mut minima[band * num_rows + row];
                *minimum = value.min(*minimum);
                // Both are below p, so the sum fits and at most one subtraction is due.
                value += step;
                if value >= P31 {
                    value -= P31;
                }
            }
        }
    }
}
