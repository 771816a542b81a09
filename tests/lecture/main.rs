//! The numbers that chapter 3 of *Mining of Massive Datasets* and its lecture print, computed by the library.
//!
//! `shingles` compares kinds of shingles, `matrix` is the Boolean matrix by hand, `curve` the S-curve, `families` are functions for other distances, `fingerprints` and
//! `entities` the applications.

mod curve;
mod entities;
mod families;
mod fingerprints;
mod matrix;
mod shingles;
