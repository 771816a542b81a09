//! `Styles`: which styles of a document hide their text, directly or because they are based on a style that does.

use std::collections::HashMap;

/// Maximum length of a chain of styles, each based on the next one.
const MOST_BASES: usize = 20;

/// The styles of a document by their names.
#[derive(Debug, Default)]
pub(super) struct Styles(HashMap<String, TextStyle>);

#[derive(Debug, Default)]
struct TextStyle {
    /// Whether it hides its text, if it says so.
    hides: Option<bool>,
    /// The style that it is based on.
    base: Option<String>,
}

impl Styles {
    pub(super) fn set_hides(&mut self, name: &str, hides: bool) {
        self.0.entry(name.to_owned()).or_default().hides = Some(hides);
    }

    pub(super) fn set_base(&mut self, name: &str, base: String) {
        self.0.entry(name.to_owned()).or_default().base = Some(base);
    }

    /// Whether the style with this name hides its text; `None` if neither it nor its bases say so.
    pub(super) fn hides(&self, name: &str) -> Option<bool> {
        let bases = std::iter::successors(self.0.get(name), |style| self.0.get(style.base.as_ref()?));
        bases.take(MOST_BASES).find_map(|style| style.hides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_has_what_its_bases_say_unless_it_says_otherwise() {
        let mut styles = Styles::default();
        styles.set_hides("hidden", true);
        styles.set_base("inner", "hidden".to_owned());
        styles.set_base("seen", "inner".to_owned());
        styles.set_hides("seen", false);
        styles.set_base("circle", "circle".to_owned());
        let hides = ["inner", "seen", "circle", "unknown"].map(|name| styles.hides(name));
        assert_eq!(hides, [Some(true), Some(false), None, None]);
    }
}
