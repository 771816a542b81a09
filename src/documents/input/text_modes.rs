//! Settings that decide which parts of a document are its text.

/// Which documents are HTML pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HtmlMode {
    /// Files with the extension `.html`, `.htm` or `.xhtml`.
    #[default]
    Auto,
    /// All documents, including records.
    Strip,
    /// No documents.
    Raw,
    /// The files of `Auto` and all records are pages, and the text of a page is its main text.
    Main,
}

impl HtmlMode {
    /// Whether the texts of records are pages.
    pub(crate) fn strips_records(self) -> bool {
        matches!(self, Self::Strip | Self::Main)
    }

    /// Whether a document is a page.
    ///
    /// * `is_page`: whether its name or header says so.
    pub(crate) fn is_page(self, is_page: bool) -> bool {
        match self {
            Self::Auto | Self::Main => is_page,
            Self::Strip => true,
            Self::Raw => false,
        }
    }
}

/// Whether markup is part of the text of files with an extension of Markdown or LaTeX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkupMode {
    /// It is part of the text.
    #[default]
    Keep,
    /// It is removed.
    Strip,
}

/// The cells of Jupyter notebooks that are read. Their outputs are never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NotebookCells {
    /// All cells.
    #[default]
    All,
    /// Cells with text, such as Markdown.
    Text,
    /// Cells with programs.
    Code,
}

/// Whether the text of a mail message has the replies that it quotes, and its signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailQuotes {
    /// Lines that begin with `>`, the line before them that says who wrote them, and the signature are ignored.
    #[default]
    Strip,
    /// The whole text is compared.
    Keep,
}
