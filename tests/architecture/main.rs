//! The source against its tables of layers and modules, and against the rules for its files.

mod circles;
mod order;
mod page;
mod source;
mod tidiness;
