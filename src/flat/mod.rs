//! Small containers and sorts, each written once.

pub(crate) mod radix_sort;
