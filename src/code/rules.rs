//! `Rules`: what the scanner has to know of a language; a row of the table for each.

/// A row of the table: how texts of a language are cut into tokens.
#[derive(Debug)]
pub(super) struct Rules {
    /// What begins a comment up to the end of the line.
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comments: &'static [BlockComment],
    /// The longer openers first.
    pub(super) strings: &'static [StringForm],
    /// Words that belong to a string right behind them, in small letters.
    pub(super) prefixes: &'static [&'static str],
    /// The prefixes of strings that have programs within, and the marks that begin and end such a program.
    pub(super) templates: Option<Templates>,
    /// What no other column says.
    pub(super) specials: &'static [Special],
    /// What may begin a name beside letters and `_`.
    pub(super) name_starts: &'static [u8],
    /// Sorted; in small letters where case does not matter.
    pub(super) keywords: &'static [&'static str],
    pub(super) folds_case: bool,
    pub(super) imports: &'static [Import],
    /// Words before that of an import which belong to it, with what is in brackets behind them.
    pub(super) import_modifiers: &'static [&'static str],
}

/// Openers of strings that one row may have.
pub(super) const MOST_STRINGS: usize = 8;

impl Rules {
    /// A row without anything; a language overrides what it has.
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
    /// Whether one may be within another.
    pub(super) nests: bool,
    /// Whether opener and closer stand at the start of a line, and the closer's line belongs to the comment.
    pub(super) at_line_start: bool,
}

/// How a string is written.
#[derive(Debug)]
pub(super) struct StringForm {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash takes the meaning of the character behind it.
    pub(super) escapes: bool,
    /// Whether the closer stands for itself where it is there twice.
    pub(super) doubles: bool,
    /// Whether it may have several lines.
    pub(super) has_lines: bool,
    /// Whether the quotes that follow the closer directly belong to the string.
    pub(super) takes_quotes: bool,
    /// Whether `\z` skips the white space that follows it, line ends included.
    pub(super) skips_space: bool,
    /// What begins and ends a program within the string.
    pub(super) inner: Option<Inner>,
}

/// The marks that begin and end a program within a string.
pub(super) type Inner = (&'static str, u8);

/// Strings whose prefix decides whether they have programs within.
#[derive(Debug)]
pub(super) struct Templates {
    /// These prefixes, in small letters; every name is one when there are none.
    pub(super) prefixes: &'static [&'static str],
    pub(super) inner: Inner,
}

/// A string on one line, in which a backslash escapes.
pub(super) const fn quoted(quote: &'static str) -> StringForm {
    StringForm { escapes: true, has_lines: false, ..raw(quote, quote) }
}

/// A string of lines, in which a backslash escapes.
pub(super) const fn lines(quote: &'static str) -> StringForm {
    StringForm { has_lines: true, ..quoted(quote) }
}

/// A string of lines, in which nothing escapes.
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

/// A string with programs within.
pub(super) const fn with_inner(form: StringForm, open: &'static str, close: u8) -> StringForm {
    StringForm { inner: Some((open, close)), ..form }
}

/// What a few languages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// `R"name(…)name"` of C++.
    CppRaw,
    /// `r"--(…)--"` of R, with any of three brackets.
    RRaw,
    /// `r'…'` of Dart, in which nothing escapes.
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
    /// `[==[…]==]` of Lua; behind `--` it is a comment.
    LongBrackets,
    /// `$name$…$name$` and `E'…'` of PostgreSQL.
    PostgresStrings,
    /// `"""…"""` with as many quotes, also behind `$`, of C#.
    CountedQuotes,
    /// `<<NAME`, whose text begins on the next line.
    Heredoc(Heredocs),
    /// `%w[…]` of Ruby.
    PercentStrings,
    /// `/…/` where a value is expected.
    Regex,
    /// `` `a name` ``, which may be a keyword or have spaces.
    QuotedNames,
    /// `$'` and other variables of Ruby whose names are a sign.
    SignNames,
    /// Backslashes escape in strings of SQL where the text shows that they do, and `#` may begin a comment.
    MySql,
    /// Lines for a preprocessor that are left out: `#` and one of these words.
    Directives(&'static [&'static str]),
    /// A comment up to the end of the line goes on behind a backslash there.
    ContinuedComments,
    /// What stands behind a line of `__END__` is data.
    EndOfProgram,
    /// In the text of JSX a quote right behind a name or a number is an apostrophe, and `http://` no comment.
    TextOfTags,
    /// The program is between `<?php` and `?>`.
    Tags,
    /// A string that is a statement is a comment.
    DocStrings,
    /// The end of a line ends a statement, so that a semicolon says nothing.
    LineEnds,
    /// `const a = require('b')` and `require('b')` are imports.
    Require,
    /// `'` groups the digits of a number.
    QuotedDigits,
    /// `#` begins a comment only where a word may begin, and `\` escapes a character outside of strings.
    ShellWords,
}

/// How heredocs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heredocs {
    /// `<<NAME`, `<<-NAME`, `<<'NAME'`.
    Shell,
    /// `<<<NAME`, `<<<'NAME'`; the closer may be indented.
    Php,
    /// `<<~NAME`, `<<-NAME`, `<<NAME`, with capital letters.
    Ruby,
}

/// A statement that imports.
#[derive(Debug)]
pub(super) struct Import {
    /// The word that it begins with.
    pub(super) word: &'static str,
    /// Whether it may begin anywhere, and not only where a statement does.
    pub(super) anywhere: bool,
    /// Whether it ends with the line, unless brackets are open; else only at a semicolon.
    pub(super) ends_with_line: bool,
    /// Whether strings may be in it.
    pub(super) has_strings: bool,
    /// The keywords that may be in it. Any other ends it, as it is something else, unless it was looked at as a path.
    pub(super) words: &'static [&'static str],
    /// What follows the word where it is something else.
    pub(super) unless: &'static [u8],
    /// Where it may also be a declaration: the characters that an import has between names. Any other, or two names behind
    /// each other, make it a declaration.
    pub(super) path: Option<&'static [u8]>,
}

/// An import up to the end of its line.
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

/// An import up to a semicolon.
pub(super) const fn statement(word: &'static str) -> Import {
    Import { ends_with_line: false, has_strings: false, unless: b"(=", ..line(word) }
}
