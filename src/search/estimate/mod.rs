//! Estimates from samples: the recall of a run, and the distribution of similarities.

pub(crate) mod audit;
pub(crate) mod similarities;
