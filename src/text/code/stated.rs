//! `StatedSyntax`: the language that a document states itself, such as the language of a notebook.

use super::syntax::Syntax;

/// The language that a document states itself, whatever its name is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum StatedSyntax {
    /// It states none, so that its name decides.
    #[default]
    None,
    Known(Syntax),
    /// A language without rules here.
    Other,
}

impl StatedSyntax {
    /// The language with a name that the kernels of notebooks use, such as `R`, `python3` or `C++17`.
    pub(crate) fn of_kernel(name: &str) -> Self {
        let name = name.trim().to_ascii_lowercase();
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let syntax = match name {
            "" => return Self::None,
            "c#" => Some(Syntax::CSharp),
            "c++" => Some(Syntax::Cpp),
            "ipython" | "sage" | "sagemath" => Some(Syntax::Python),
            "ir" => Some(Syntax::R),
            name => name.parse().ok(),
        };
        syntax.map_or(Self::Other, Self::Known)
    }

    /// The language of a document.
    ///
    /// * `name`: the name of the document.
    pub(crate) fn or_of_name(self, name: &[u8]) -> Option<Syntax> {
        match self {
            Self::None => Syntax::of_name(name),
            Self::Known(syntax) => Some(syntax),
            Self::Other => None,
        }
    }

    /// A word without spaces for the language: the inverse of [`of_word`](Self::of_word).
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Known(syntax) => syntax.name(),
            Self::Other => "?",
        }
    }

    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "" => Self::None,
            word => word.parse().map_or(Self::Other, Self::Known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_languages_under_other_names() {
        for (name, expected) in [
            ("python", StatedSyntax::Known(Syntax::Python)),
            ("python3", StatedSyntax::Known(Syntax::Python)),
            (" R ", StatedSyntax::Known(Syntax::R)),
            ("C++17", StatedSyntax::Known(Syntax::Cpp)),
            ("C#", StatedSyntax::Known(Syntax::CSharp)),
            ("bash", StatedSyntax::Known(Syntax::Shell)),
            ("julia-1.6", StatedSyntax::Other),
            ("qsharp", StatedSyntax::Other),
            ("", StatedSyntax::None),
        ] {
            assert_eq!(StatedSyntax::of_kernel(name), expected, "{name}");
        }
    }

    #[test]
    fn a_stated_language_overrides_the_name_and_has_a_word() {
        assert_eq!(StatedSyntax::None.or_of_name(b"a.rs"), Some(Syntax::Rust));
        assert_eq!(StatedSyntax::Known(Syntax::R).or_of_name(b"a.rs"), Some(Syntax::R));
        assert_eq!(StatedSyntax::Other.or_of_name(b"a.rs"), None);
        let known = Syntax::ALL.iter().copied().map(StatedSyntax::Known);
        for stated in known.chain([StatedSyntax::None, StatedSyntax::Other]) {
            assert_eq!(StatedSyntax::of_word(stated.word()), stated);
            assert!(!stated.word().contains(' '));
        }
    }
}
