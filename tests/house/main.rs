//! The house: the source against the table of rooms in `src/lib.rs`, and against the rules of its files.

mod architecture;
mod circles;
mod order;
mod source;
mod tidiness;
