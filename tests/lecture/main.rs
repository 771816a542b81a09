//! The numbers that chapter 3 of *Mining of Massive Datasets* and its lecture print, computed by the library.
//!
//! `shingles` compares kinds of shingles, `matrix` is the Boolean matrix by hand, `curve` the S-curve, `families` are the functions for other distances of `examples/hash_families`, `fingerprints` and
//! `entities` the applications.

#![allow(clippy::duplicate_mod, reason = "two examples of these tests include the functions for other distances too")]

mod curve;
mod entities;
mod families;
mod fingerprints;
#[path = "../../examples/hash_families/mod.rs"]
mod hash_families;
mod matrix;
mod shingles;
