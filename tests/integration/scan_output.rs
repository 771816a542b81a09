//! scan_output
