//! The program as its users meet it: one file per theme.

mod curve;
