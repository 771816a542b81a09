//! The scalar arithmetic on many shingles at once, written so that the compiler vectorises it.
//!
//! For a row and up to `GROUP` bands of a sequence, each lane keeps the minimum of the shingles that it reads:
//!
//! ```text
//! for each 2 × LANES residues x:
//!     value = a·x + b;  next = a′·x + b′          (mod p, all lanes; of the first two bands)
//!     for band in group:
//!         minima[band] = min(minima[band], value)
//!         value, next = next, min(value + next, value + next − p)   the smaller has not wrapped: it is the remainder
//! ```
//!
//! Two chains of LANES run in parallel, since each waits for its own last addition. The minima of the lanes are
//! combined when the block ends.

#![allow(unsafe_code)] // calls of functions compiled for an instruction set that was detected

use super::super::hash_family::{BandHash, ClassicFamily, P31};
use super::LowerMinima;

/// Lanes of one chain: an AVX-512 register of 32-bit numbers, or two of AVX2.
const LANES: usize = 16;
/// Maximum number of bands in a group: their minima fill 2 KiB of the L1 cache.
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

/// On other architectures the baseline of the target is used, such as NEON on AArch64.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn available() -> Vec<(&'static str, LowerMinima)> {
    vec![("lanes", lower_minima)]
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(family: &ClassicFamily, residues: &[u32], minima: &mut [u32]) {
    lower_minima(family, residues, minima);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512(family: &ClassicFamily, residues: &[u32], minima: &mut [u32]) {
    lower_minima(family, residues, minima);
}

#[inline(always)]
fn lower_minima(family: &ClassicFamily, residues: &[u32], minima: &mut [u32]) {
    let Some(&last) = residues.last() else { return };
    let (pairs, rest) = residues.as_chunks::<{ 2 * LANES }>();
    // A repeated residue changes no minimum, so the last one pads the rest.
    let mut filled = [last; 2 * LANES];
    filled[..rest.len()].copy_from_slice(rest);

    let num_rows = family.rows().len();
    for (row, functions) in family.rows().iter().enumerate() {
        for (first_band, functions) in groups_of(family, functions) {
            let group_len = functions.len();
            let functions = [functions[0], *functions.get(1).unwrap_or(&functions[0])];
            let mut group = [[u32::MAX; LANES]; GROUP];
            let group = &mut group[..group_len];
            for pair in pairs {
                lower_group(functions, pair, group);
            }
            lower_group(functions, &filled, group);
            for (band, lanes) in (first_band..).zip(group.iter()) {
                let minimum = &mut minima[band * num_rows + row];
                *minimum = lanes.iter().fold(*minimum, |least, &value| least.min(value));
            }
        }
    }
}

/// The groups of bands that are processed together, each with the number of its first band. A group is a part of one
/// sequence.
fn groups_of<'f>(family: &ClassicFamily, functions: &'f [BandHash]) -> impl Iterator<Item = (usize, &'f [BandHash])> {
    let groups = functions.chunks(family.sequence_len()).flat_map(|sequence| sequence.chunks(GROUP));
    groups.scan(0, |next, group| {
        let first = *next;
        *next += group.len();
        Some((first, group))
    })
}

/// Lowers the minima of a group of bands.
///
/// * `functions`: the functions of the first two bands; a group of one band has its function twice.
#[inline(always)]
fn lower_group(functions: [BandHash; 2], residues: &[u32; 2 * LANES], group: &mut [Lanes]) {
    let (left, right) = residues.split_at(LANES);
    let (mut left, mut right) = (start(functions, left), start(functions, right));
    for minima in group {
        for lane in 0..LANES {
            minima[lane] = minima[lane].min(left[0][lane].min(right[0][lane]));
        }
        advance(&mut left);
        advance(&mut right);
    }
}

#[inline(always)]
fn start(functions: [BandHash; 2], residues: &[u32]) -> [Lanes; 2] {
    let mut values = [[0; LANES]; 2];
    for lane in 0..LANES {
        values[0][lane] = functions[0].hash(residues[lane]);
        values[1][lane] = functions[1].hash(residues[lane]);
    }
    values
}

#[inline(always)]
fn advance([value, next]: &mut [Lanes; 2]) {
    for lane in 0..LANES {
        // The sum never wraps; a check would prevent vectorisation in debug builds.
        let sum = value[lane].wrapping_add(next[lane]);
        value[lane] = next[lane];
        next[lane] = sum.min(sum.wrapping_sub(P31));
    }
}
