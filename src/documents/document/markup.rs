//! `Markup`: the markup that a document is read without.

/// The markup of a document, which is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    /// The document is its own text.
    None,
    Html,
    Markdown,
    Latex,
}

impl Markup {
    /// All kinds of markup.
    pub(crate) const ALL: [Self; 4] = [Self::None, Self::Html, Self::Markdown, Self::Latex];
}
