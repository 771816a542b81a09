//! Texts as cells of a table that a spreadsheet may open.
//!
//! A spreadsheet computes a cell that begins like a formula, so a file name could execute code. Such a text gets an
//! apostrophe before it, as OWASP advises.

/// The text as a cell, with an apostrophe before it if a spreadsheet could treat it as a formula.
pub(crate) fn harmless_cell(text: String) -> String {
    if is_guarded(&text) { format!("'{text}") } else { text }
}

/// The text of a cell that [`harmless_cell`] made.
pub(crate) fn text_of_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_guarded(text)).unwrap_or(cell)
}

/// Whether a text gets an apostrophe before it.
fn is_guarded(text: &str) -> bool {
    let first = text.trim_start().chars().next();
    let is_formula = matches!(first, Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠'));
    is_formula || text.starts_with(['\t', '\r', '\n', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_leads_back_to_its_text_and_is_no_formula() {
        for text in ["", "a.txt", "=1", " +1", "-", "@x", "＝1", "\tx", "'x", "''", "'=1", "it's", "\u{3000}=1"] {
            let cell = harmless_cell(text.to_owned());
            assert_eq!(text_of_cell(&cell), text);
            assert!(!cell.trim_start().starts_with(['=', '+', '-', '@', '＝']), "{cell:?}");
        }
        // A person may type an apostrophe.
        assert_eq!(text_of_cell("'tis"), "'tis");
    }
}
