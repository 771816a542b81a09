//! The table: a row of rules for each language.

use super::keywords;
use super::rules::{
    BlockComment, Heredocs, Import, Rules, Special, StringForm, Templates, line, lines, quoted, raw, statement,
    with_inner,
};
use super::syntax::Syntax;

/// The comment `/* … */`.
const SLASH_STAR: BlockComment = BlockComment { open: "/*", close: "*/", nests: false, at_line_start: false };
const NESTED: BlockComment = BlockComment { nests: true, ..SLASH_STAR };

/// Rules that most languages with C syntax share.
const LIKE_C: Rules = Rules {
    line_comments: &["//"],
    block_comments: &[SLASH_STAR],
    strings: &[quoted("\""), quoted("'")],
    ..Rules::NONE
};

/// A string in which two quotes in a row are one literal quote.
const fn doubled(quote: &'static str) -> StringForm {
    StringForm { doubles: true, ..raw(quote, quote) }
}

/// `"""…"""` without escapes, which may end with more quotes than necessary.
const THREE_QUOTES: StringForm = StringForm { takes_quotes: true, ..raw("\"\"\"", "\"\"\"") };

impl Syntax {
    /// The rules of the language.
    pub(super) const fn rules(self) -> &'static Rules {
        match self {
            Self::C => &C,
            Self::Cpp => &CPP,
            Self::CSharp => &CSHARP,
            Self::Dart => &DART,
            Self::Go => &GO,
            Self::Java => &JAVA,
            Self::JavaScript => &JAVASCRIPT,
            Self::Kotlin => &KOTLIN,
            Self::Lua => &LUA,
            Self::Php => &PHP,
            Self::Python => &PYTHON,
            Self::R => &R,
            Self::Ruby => &RUBY,
            Self::Rust => &RUST,
            Self::Scala => &SCALA,
            Self::Shell => &SHELL,
            Self::Sql => &SQL,
            Self::Swift => &SWIFT,
            Self::TypeScript => &TYPESCRIPT,
        }
    }
}

const INCLUDES: Special = Special::Directives(&["include", "import", "include_next", "error", "warning"]);

const C: Rules = Rules {
    prefixes: &["l", "u", "u8"],
    specials: &[INCLUDES, Special::ContinuedComments, Special::QuotedDigits],
    keywords: keywords::C,
    ..LIKE_C
};

const CPP: Rules = Rules {
    specials: &[INCLUDES, Special::ContinuedComments, Special::QuotedDigits, Special::CppRaw],
    keywords: keywords::CPP,
    imports: &[
        Import { words: &["namespace"], path: Some(b":"), ..statement("using") },
        Import { has_strings: true, path: Some(b".:<>/\""), ..statement("import") },
    ],
    import_modifiers: &["export"],
    ..C
};

const CSHARP: Rules = Rules {
    strings: &[
        with_inner(StringForm { open: "$@\"", ..doubled("\"") }, "{", b'}'),
        with_inner(StringForm { open: "@$\"", ..doubled("\"") }, "{", b'}'),
        StringForm { open: "@\"", ..doubled("\"") },
        with_inner(StringForm { open: "$\"", ..quoted("\"") }, "{", b'}'),
        quoted("\""),
        quoted("'"),
    ],
    specials: &[
        Special::CountedQuotes,
        Special::Directives(&["region", "endregion", "pragma", "nullable", "line", "r", "load", "error", "warning"]),
    ],
    keywords: keywords::CSHARP,
    imports: &[Import { words: &["static"], path: Some(b".=<>,:"), ..statement("using") }],
    import_modifiers: &["global"],
    ..LIKE_C
};

const DART: Rules = Rules {
    block_comments: &[NESTED],
    strings: &[
        with_inner(lines("\"\"\""), "${", b'}'),
        with_inner(lines("'''"), "${", b'}'),
        with_inner(quoted("\""), "${", b'}'),
        with_inner(quoted("'"), "${", b'}'),
    ],
    specials: &[Special::DartRaw],
    keywords: keywords::DART,
    imports: &[
        Import { has_strings: true, ..statement("import") },
        Import { has_strings: true, ..statement("library") },
        Import { has_strings: true, ..statement("part") },
    ],
    ..LIKE_C
};

const GO: Rules = Rules {
    strings: &[quoted("\""), quoted("'"), raw("`", "`")],
    specials: &[Special::LineEnds],
    keywords: keywords::GO,
    imports: &[Import { unless: b"=:", ..line("import") }, line("package")],
    ..LIKE_C
};

const JAVA: Rules = Rules {
    strings: &[lines("\"\"\""), quoted("\""), quoted("'")],
    name_starts: b"$",
    keywords: keywords::JAVA,
    imports: &[statement("import"), statement("package")],
    ..LIKE_C
};

const JAVASCRIPT: Rules = Rules {
    strings: &[quoted("\""), quoted("'"), with_inner(lines("`"), "${", b'}')],
    specials: &[Special::Regex, Special::TextOfTags, Special::LineEnds, Special::Require],
    name_starts: b"$",
    keywords: keywords::JAVASCRIPT,
    imports: &[Import { words: &["as", "default", "from", "import", "type", "with"], ..line("import") }],
    ..LIKE_C
};

const TYPESCRIPT: Rules = Rules { keywords: keywords::TYPESCRIPT, ..JAVASCRIPT };

const KOTLIN: Rules = Rules {
    block_comments: &[NESTED],
    strings: &[with_inner(THREE_QUOTES, "${", b'}'), with_inner(quoted("\""), "${", b'}'), quoted("'")],
    specials: &[Special::QuotedNames, Special::LineEnds],
    keywords: keywords::KOTLIN,
    imports: &[line("import"), line("package")],
    ..LIKE_C
};

const LUA: Rules = Rules {
    line_comments: &["--"],
    strings: &[StringForm { skips_space: true, ..quoted("\"") }, StringForm { skips_space: true, ..quoted("'") }],
    specials: &[Special::LongBrackets, Special::LineEnds],
    keywords: keywords::LUA,
    ..Rules::NONE
};

const PHP: Rules = Rules {
    line_comments: &["//", "#"],
    strings: &[with_inner(lines("\""), "{$", b'}'), lines("'"), lines("`")],
    prefixes: &["b"],
    specials: &[Special::Tags, Special::Heredoc(Heredocs::Php)],
    name_starts: b"$",
    keywords: keywords::PHP,
    folds_case: true,
    imports: &[
        Import { words: &["function", "const", "as"], ..statement("use") },
        statement("namespace"),
        Import { has_strings: true, unless: b"", ..statement("include") },
        Import { has_strings: true, unless: b"", ..statement("include_once") },
        Import { has_strings: true, unless: b"", ..statement("require") },
        Import { has_strings: true, unless: b"", ..statement("require_once") },
    ],
    ..LIKE_C
};

const PYTHON: Rules = Rules {
    line_comments: &["#"],
    strings: &[lines("\"\"\""), lines("'''"), quoted("\""), quoted("'")],
    prefixes: &["b", "br", "f", "fr", "r", "rb", "rf", "rt", "t", "tr", "u"],
    templates: Some(Templates { prefixes: &["f", "fr", "rf", "rt", "t", "tr"], inner: ("{", b'}') }),
    specials: &[Special::DocStrings, Special::LineEnds],
    keywords: keywords::PYTHON,
    imports: &[line("import"), Import { unless: b"(=:", ..line("from") }],
    ..Rules::NONE
};

const R: Rules = Rules {
    line_comments: &["#"],
    strings: &[lines("\""), lines("'"), raw("`", "`")],
    specials: &[Special::RRaw, Special::LineEnds],
    keywords: keywords::R,
    imports: &[Import { unless: b"=.", ..line("library") }, Import { unless: b"=.", ..line("require") }],
    ..Rules::NONE
};

const RUBY: Rules = Rules {
    line_comments: &["#"],
    block_comments: &[BlockComment { open: "=begin", close: "=end", nests: false, at_line_start: true }],
    strings: &[with_inner(lines("\""), "#{", b'}'), lines("'"), with_inner(lines("`"), "#{", b'}')],
    specials: &[
        Special::Heredoc(Heredocs::Ruby),
        Special::PercentStrings,
        Special::Characters,
        Special::SignNames,
        Special::Regex,
        Special::EndOfProgram,
        Special::LineEnds,
    ],
    name_starts: b"@$",
    keywords: keywords::RUBY,
    imports: &[Import { unless: b"=.", ..line("require") }, Import { unless: b"=.", ..line("require_relative") }],
    ..Rules::NONE
};

const RUST: Rules = Rules {
    block_comments: &[NESTED],
    strings: &[lines("\"")],
    prefixes: &["b", "c"],
    specials: &[Special::HashRaw, Special::CharOrName],
    keywords: keywords::RUST,
    imports: &[
        Import { words: &["as", "crate", "self", "super"], anywhere: true, unless: b"<(=", ..statement("use") },
        Import { words: &["as", "crate", "self"], path: Some(b""), ..statement("extern") },
    ],
    import_modifiers: &["pub"],
    ..LIKE_C
};

const SCALA: Rules = Rules {
    block_comments: &[NESTED],
    strings: &[THREE_QUOTES, quoted("\"")],
    prefixes: &["f", "raw", "s"],
    templates: Some(Templates { prefixes: &[], inner: ("${", b'}') }),
    specials: &[Special::CharOrName, Special::QuotedNames, Special::LineEnds],
    keywords: keywords::SCALA,
    imports: &[line("import"), line("package")],
    ..LIKE_C
};

const SHELL: Rules = Rules {
    line_comments: &["#"],
    strings: &[StringForm { open: "$'", ..lines("'") }, with_inner(lines("\""), "$(", b')'), raw("'", "'")],
    specials: &[Special::ShellWords, Special::Heredoc(Heredocs::Shell), Special::LineEnds],
    name_starts: b"$",
    keywords: keywords::SHELL,
    imports: &[line("source")],
    ..Rules::NONE
};

const SQL: Rules = Rules {
    line_comments: &["--"],
    block_comments: &[NESTED],
    strings: &[doubled("'"), doubled("\""), raw("`", "`")],
    prefixes: &["b", "n", "u", "x"],
    specials: &[Special::PostgresStrings, Special::OracleQuotes, Special::MySql, Special::BracketedNames],
    keywords: keywords::SQL,
    folds_case: true,
    ..Rules::NONE
};

const SWIFT: Rules = Rules {
    block_comments: &[NESTED],
    strings: &[with_inner(lines("\"\"\""), "\\(", b')'), with_inner(quoted("\""), "\\(", b')')],
    specials: &[Special::HashString, Special::QuotedNames, Special::Regex, Special::LineEnds],
    keywords: keywords::SWIFT,
    imports: &[line("import")],
    ..LIKE_C
};

#[cfg(test)]
mod tests {
    use super::super::rules::MOST_STRINGS;
    use super::*;

    #[test]
    fn rows_are_in_order() {
        for &syntax in Syntax::ALL {
            let rules = syntax.rules();
            assert!(rules.keywords.is_sorted_by(|a, b| a < b), "{syntax}: keywords");
            assert!(rules.strings.len() <= MOST_STRINGS, "{syntax}");
            for (number, form) in rules.strings.iter().enumerate() {
                let hidden = rules.strings[..number].iter().find(|before| form.open.starts_with(before.open));
                assert!(hidden.is_none(), "{syntax}: {} is behind {}", form.open, hidden.unwrap().open);
            }
            if rules.folds_case {
                assert!(rules.keywords.iter().all(|word| *word == word.to_lowercase()), "{syntax}");
            }
        }
    }
}
