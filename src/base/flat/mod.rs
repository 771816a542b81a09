//! Small containers and sorting algorithms for the rest of the program; they do not know about documents.

pub(crate) mod bit_set;
pub(crate) mod chunked_rows;
pub(crate) mod distinct;
pub(crate) mod hash_index;
pub(crate) mod line_starts;
pub(crate) mod log2;
pub(crate) mod offset_map;
pub(crate) mod offset_trace;
pub(crate) mod packed_numbers;
pub(crate) mod per_thread;
pub(crate) mod prefetch;
pub(crate) mod radix_sort;
pub(crate) mod ragged;
pub(crate) mod ranked_set;
pub(crate) mod spread;
pub(crate) mod union_find;
