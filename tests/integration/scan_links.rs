//! scan_links
