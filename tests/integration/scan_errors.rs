//! scan_errors
