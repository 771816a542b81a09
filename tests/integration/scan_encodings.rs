//! scan_encodings
