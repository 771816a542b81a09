//! scan_records
