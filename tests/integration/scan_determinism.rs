//! scan_determinism
