//! The numbers that chapter 3 of *Mining of Massive Datasets* and its lecture print, computed by the library.
//!
//! `matrix` is the Boolean matrix by hand, `curve` the S-curve, `fingerprints` and `entities` the applications. The numbers of
//! families of functions stand with the families.

mod curve;
mod entities;
mod fingerprints;
mod matrix;
