//! The source against its tables of layers and modules, and against the rules for its files.

mod circles;
mod dependencies;
mod flags;
mod order;
mod page;
mod public;
mod source;
mod tidiness;
