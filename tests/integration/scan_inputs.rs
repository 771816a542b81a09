//! scan_inputs
