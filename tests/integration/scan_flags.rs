//! scan_flags
