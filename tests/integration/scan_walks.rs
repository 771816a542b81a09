//! scan_walks
