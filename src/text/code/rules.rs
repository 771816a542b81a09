//! `Rules`: the rules by which the scanner reads a language; the table has a row for each.

/// A row of the table: how texts of a language are cut into tokens.
#[derive(Debug)]
pub(super) struct Rules {
    /// Openers of comments that end with the line.
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comments: &'static [BlockComment],
    /// Forms of strings, longer openers first.
    pub(super) strings: &'static [StringForm],
    /// Words that belong to a directly following string, in lower case.
    pub(super) prefixes: &'static [&'static str],
    /// Prefixes of strings that contain programs, and the marks that begin and end such a program.
    pub(super) templates: Option<Templates>,
    /// Forms that no other field describes.
    pub(super) specials: &'static [Special],
    /// Characters other than letters and `_` that may begin a name.
    pub(super) name_starts: &'static [u8],
    /// Keywords, sorted; in lower case if they are case-insensitive.
    pub(super) keywords: &'static [&'static str],
    pub(super) folds_case: bool,
    pub(super) imports: &'static [Import],
    /// Words that belong to a following import, together with brackets directly after them.
    pub(super) import_modifiers: &'static [&'static str],
}

/// Maximum number of string forms of a language.
pub(super) const MOST_STRINGS: usize = 8;

impl Rules {
    /// A row without rules; a language overrides the fields that it needs.
    pub(super) const NONE: Self = Self {
        line_comments: &[],
        block_comments: &[],
        strings: &[],
        prefixes: &[],
        templates: None,
        specials: &[],
        name_starts: &[],
        keywords: &[],
        folds_case: false,
        imports: &[],
        import_modifiers: &[],
    };

    pub(super) fn has(&self, special: Special) -> bool {
        self.specials.contains(&special)
    }
}

/// A comment that may have several lines.
#[derive(Debug)]
pub(super) struct BlockComment {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether comments nest.
    pub(super) nests: bool,
    /// Whether opener and closer are at the start of a line, and the closer's line belongs to the comment.
    pub(super) at_line_start: bool,
}

/// A form of string.
#[derive(Debug)]
pub(super) struct StringForm {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash escapes the following character.
    pub(super) escapes: bool,
    /// Whether two closers in a row are one literal closer in the string.
    pub(super) doubles: bool,
    /// Whether the string may have several lines.
    pub(super) has_lines: bool,
    /// Whether quotes directly after the closer belong to the string.
    pub(super) takes_quotes: bool,
    /// Whether `\z` skips the following white space, including line ends.
    pub(super) skips_space: bool,
    /// The marks that begin and end a program within the string.
    pub(super) inner: Option<Inner>,
}

/// The marks that begin and end a program within a string.
pub(super) type Inner = (&'static str, u8);

/// Strings whose prefix decides whether they contain programs.
#[derive(Debug)]
pub(super) struct Templates {
    /// Prefixes of such strings, in lower case; if empty, every name is such a prefix.
    pub(super) prefixes: &'static [&'static str],
    pub(super) inner: Inner,
}

/// A string on one line with backslash escapes.
pub(super) const fn quoted(quote: &'static str) -> StringForm {
    StringForm { escapes: true, has_lines: false, ..raw(quote, quote) }
}

/// A string that may have several lines, with backslash escapes.
pub(super) const fn lines(quote: &'static str) -> StringForm {
    StringForm { has_lines: true, ..quoted(quote) }
}

/// A string that may have several lines, without escapes.
pub(super) const fn raw(open: &'static str, close: &'static str) -> StringForm {
    StringForm {
        open,
        close,
        escapes: false,
        doubles: false,
        has_lines: true,
        takes_quotes: false,
        skips_space: false,
        inner: None,
    }
}

/// A string that may contain programs.
pub(super) const fn with_inner(form: StringForm, open: &'static str, close: u8) -> StringForm {
    StringForm { inner: Some((open, close)), ..form }
}

/// Forms that only a few languages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// `R"name(…)name"` of C++.
    CppRaw,
    /// `r"--(…)--"` of R, with round, square or curly brackets.
    RRaw,
    /// `r'…'` of Dart, without escapes.
    DartRaw,
    /// `q'[…]'` of Oracle.
    OracleQuotes,
    /// `?"`, a character of Ruby.
    Characters,
    /// `r##"…"##` and `r#name` of Rust.
    HashRaw,
    /// `#"…"#` of Swift.
    HashString,
    /// `'a'` is a character, and `'a` is a name.
    CharOrName,
    /// `[==[…]==]` of Lua; a comment after `--`.
    LongBrackets,
    /// `$name$…$name$` and `E'…'` of PostgreSQL.
    PostgresStrings,
    /// `"""…"""` of C#, also after `$`, with three or more quotes and the same number at the end.
    CountedQuotes,
    /// `<<NAME`, whose text begins on the next line.
    Heredoc(Heredocs),
    /// `%w[…]` of Ruby.
    PercentStrings,
    /// `/…/` where a value is expected.
    Regex,
    /// `` `a name` ``, which may be a keyword or contain spaces.
    QuotedNames,
    /// `[it's]`, a name of Transact-SQL. Other dialects have brackets around an index or the elements of an array.
    BracketedNames,
    /// `$'` and other variables of Ruby whose names are signs.
    SignNames,
    /// Backslashes escape in SQL strings if the text shows that they do, and `#` may begin a comment.
    MySql,
    /// Preprocessor lines that are skipped: `#` and one of these words.
    Directives(&'static [&'static str]),
    /// A backslash at the end of a line continues a line comment.
    ContinuedComments,
    /// The text after a line `__END__` is data.
    EndOfProgram,
    /// In the text of JSX, a quote directly after a name or a number is an apostrophe, and `http://` is not a comment.
    TextOfTags,
    /// The program is between `<?php` and `?>`.
    Tags,
    /// A string that is a statement is a comment.
    DocStrings,
    /// A line end ends a statement, so that a semicolon is redundant.
    LineEnds,
    /// `const a = require('b')` and `require('b')` are imports.
    Require,
    /// `'` groups the digits of a number.
    QuotedDigits,
    /// `#` begins a comment only where a word may begin, and `\` escapes a character outside of strings.
    ShellWords,
}

/// Forms of heredocs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heredocs {
    /// `<<NAME`, `<<-NAME`, `<<'NAME'`.
    Shell,
    /// `<<<NAME`, `<<<'NAME'`; the closer may be indented.
    Php,
    /// `<<~NAME`, `<<-NAME`, `<<NAME`, with a capital letter at the start.
    Ruby,
}

/// An import statement.
#[derive(Debug)]
pub(super) struct Import {
    /// The word that begins the import.
    pub(super) word: &'static str,
    /// Whether the import may begin anywhere, and not only at the start of a statement.
    pub(super) anywhere: bool,
    /// Whether the import ends with the line, unless brackets are open; otherwise only a semicolon ends it.
    pub(super) ends_with_line: bool,
    /// Whether the import may contain strings.
    pub(super) has_strings: bool,
    /// Keywords that the import may contain. Another keyword ends it, unless `path` is set.
    pub(super) words: &'static [&'static str],
    /// Characters that may not follow the word; if one does, the statement is not an import.
    pub(super) unless: &'static [u8],
    /// If the word may also begin a declaration: the characters between the names of an import. Another character, or
    /// two names in a row, make the statement a declaration.
    pub(super) path: Option<&'static [u8]>,
}

/// An import that ends with its line.
pub(super) const fn line(word: &'static str) -> Import {
    Import {
        word,
        anywhere: false,
        ends_with_line: true,
        has_strings: true,
        words: &["as", "from", "import", "static", "type"],
        unless: b"(.=:",
        path: None,
    }
}

/// An import that ends with a semicolon.
pub(super) const fn statement(word: &'static str) -> Import {
    Import { ends_with_line: false, has_strings: false, unless: b"(=", ..line(word) }
}
