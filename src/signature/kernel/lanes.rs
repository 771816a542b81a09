//! The scalar arithmetic on many shingles at once, written so that the compiler makes vector code of it.
//!
//! For a row and up to `GROUP` of its bands, each lane keeps the minimum of its own shingles:
//!
//! ```text
//! for each 2 × LANES residues x:
//!     value = a·x + b;  step = a′·x + b′          (mod p, all lanes)
//!     for band in group:
//!         minima[band] = min(minima[band], value)
//!         value = min(value + step, value + step − p)   the smaller has not wrapped: it is the remainder
//! ```
//!
//! Two chains of LANES run side by side, since each waits for its own last addition. The lanes' minima are joined when
//! the block ends.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use super::super::hash_family::{P31, ProgressionFamily, RowCoefficients, hash31};
use super::LowerMinima;

/// Lanes of one chain: an AVX-512 register of 32-bit numbers, or two of AVX2.
const LANES: usize = 16;
/// Most bands taken together: their minima fill 2 KiB of the first-level cache.
const GROUP: usize = 32;

type Lanes = [u32; LANES];

/// The vector kernels that this processor can run, the fastest last.
#[cfg(target_arch = "x86_64")]
pub(super) fn available() -> Vec<(&'static str, LowerMinima)> {
    let mut kernels: Vec<(&'static str, LowerMinima)> = Vec::new();
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been found to have AVX2.
        kernels.push(("avx2", |family, residues, minima| unsafe { avx2(family, residues, minima) }));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the processor has just been found to have AVX-512 F and DQ.
        kernels.push(("avx512", |family, residues, minima| unsafe { avx512(family, residues, minima) }));
    }
    kernels
}

/// Elsewhere the baseline of the target (NEON on AArch64) is what there is.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn available() -> Vec<(&'static str, LowerMinima)> {
    vec![("lanes", lower_minima)]
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(family: &ProgressionFamily, residues: &[u32], minima: &mut [u32]) {
    lower_minima(family, residues, minima);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512(family: &ProgressionFamily, residues: &[u32], minima: &mut [u32]) {
    lower_minima(family, residues, minima);
}

#[inline(always)]
fn lower_minima(family: &ProgressionFamily, residues: &[u32], minima: &mut [u32]) {
    let Some(&last) = residues.last() else { return };
    let (pairs, rest) = residues.as_chunks::<{ 2 * LANES }>();
    // A repeated residue changes no minimum, so the last one fills the rest up.
    let mut filled = [last; 2 * LANES];
    filled[..rest.len()].copy_from_slice(rest);

    let num_rows = family.rows.len();
    for (row, coefficients) in family.rows.iter().enumerate() {
        for first_band in (0..family.bands).step_by(GROUP) {
            let coefficients = coefficients.starting_at(first_band);
            let group_len = GROUP.min(family.bands - first_band);
            let mut group = [[u32::MAX; LANES]; GROUP];
            let group = &mut group[..group_len];
            for pair in pairs {
                lower_group(&coefficients, pair, group);
            }
            lower_group(&coefficients, &filled, group);
            for (band, lanes) in (first_band..).zip(group.iter()) {
                let minimum = &mut minima[band * num_rows + row];
                *minimum = lanes.iter().fold(*minimum, |least, &value| least.min(value));
            }
        }
    }
}

#[inline(always)]
fn lower_group(coefficients: &RowCoefficients, residues: &[u32; 2 * LANES], group: &mut [Lanes]) {
    let (left, right) = residues.split_at(LANES);
    let (mut left_value, left_step) = start(coefficients, left);
    let (mut right_value, right_step) = start(coefficients, right);
    for minima in group {
        for lane in 0..LANES {
            minima[lane] = minima[lane].min(left_value[lane].min(right_value[lane]));
        }
        advance(&mut left_value, &left_step);
        advance(&mut right_value, &right_step);
    }
}

#[inline(always)]
fn start(coefficients: &RowCoefficients, residues: &[u32]) -> (Lanes, Lanes) {
    let mut value = [0; LANES];
    let mut step = [0; LANES];
    for lane in 0..LANES {
        value[lane] = hash31(coefficients.a, coefficients.b, residues[lane]);
        step[lane] = hash31(coefficients.a_step, coefficients.b_step, residues[lane]);
    }
    (value, step)
}

#[inline(always)]
fn advance(value: &mut Lanes, step: &Lanes) {
    for lane in 0..LANES {
        // Never wraps; written so, because a check would keep debug builds from vector code.
        let sum = value[lane].wrapping_add(step[lane]);
        value[lane] = sum.min(sum.wrapping_sub(P31));
    }
}
