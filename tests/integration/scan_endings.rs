//! scan_endings
