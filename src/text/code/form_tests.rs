//! Tests of each form of string in each language: the string is one token, and the tokens around it are unchanged.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use super::*;

/// A form of string: its opener and closer, and what its text may contain in addition to letters.
struct Form {
    syntax: Syntax,
    open: &'static str,
    close: &'static str,
    inside: &'static [&'static str],
}

const fn form(syntax: Syntax, open: &'static str, close: &'static str, inside: &'static [&'static str]) -> Form {
    Form { syntax, open, close, inside }
}

const ESCAPED: &[&str] = &["\\\"", "\\'", "\\\\", "#", "//"];
const QUOTES: &[&str] = &["\"", "'", "\\", "#", "/*", "--"];

#[rustfmt::skip]
const FORMS: &[Form] = &[
    form(Syntax::C, "\"", "\"", ESCAPED), form(Syntax::C, "u8\"", "\"", ESCAPED),
    form(Syntax::Cpp, "R\"(", ")\"", QUOTES), form(Syntax::Cpp, "u8R\"ab(", ")ab\"", QUOTES),
    form(Syntax::CSharp, "@\"", "\"", &["\\", "\"\"", "'", "\n"]), form(Syntax::CSharp, "$\"", "\"", &["{x[\"k\"]}", "'"]),
    form(Syntax::CSharp, "\"\"\"", "\"\"\"", &["'", "\\", "\n"]),
    form(Syntax::Dart, "r'", "'", &["\"", "\\", "$"]), form(Syntax::Dart, "r\"", "\"", &["'", "\\"]),
    form(Syntax::Dart, "r'''", "'''", &["\"", "\\", "\n"]), form(Syntax::Dart, "\"\"\"", "\"\"\"", &["'", "\n"]),
    form(Syntax::Go, "`", "`", &["\"", "'", "\\", "\n"]), form(Syntax::Java, "\"\"\"", "\"\"\"", &["'", "\n"]),
    form(Syntax::JavaScript, "`", "`", &["\"", "'", "${`x`}", "\n"]), form(Syntax::Kotlin, "\"\"\"", "\"\"\"", &["'", "\\", "\n"]),
    form(Syntax::Lua, "[[", "]]", &["\"", "'", "\n"]), form(Syntax::Lua, "[==[", "]==]", &["\"", "'", "]]"]),
    form(Syntax::Python, "rb\"", "\"", &["'", "\\n"]), form(Syntax::Python, "f'''", "'''", &["\"", "\n"]),
    form(Syntax::R, "r\"(", ")\"", QUOTES), form(Syntax::R, "R\"--[", "]--\"", &["\"", "'", "]\"", "]-\"", "\n"]),
    form(Syntax::R, "r'{", "}'", QUOTES), form(Syntax::Ruby, "%q(", ")", &["\"", "'", "(x)", "\n"]),
    form(Syntax::Ruby, "\"", "\"", &["#{h[\"k\"]}", "'"]),
    form(Syntax::Rust, "r#\"", "\"#", &["'", "\\", "\" ", "\n"]), form(Syntax::Rust, "br##\"", "\"##", &["\"#", "'"]),
    form(Syntax::Scala, "\"\"\"", "\"\"\"", &["'", "\\", "\n"]), form(Syntax::Shell, "$'", "'", &["\"", "\\'"]),
    form(Syntax::Shell, "\"", "\"", &["'", "$(f \"x\")"]), form(Syntax::Sql, "q'[", "]'", &["'", "\"", "'it'"]),
    form(Syntax::Sql, "nq'!", "!'", &["'", "\""]), form(Syntax::Sql, "E'", "'", &["\\'", "''"]),
    form(Syntax::C, "L'", "'", &["\\'", "\\\\"]), form(Syntax::CSharp, "@$\"", "\"", &["\"\"", "\n", "{x[\"k\"]}", "{{"]),
    form(Syntax::CSharp, "$\"", "\"", &["{{", "}}", "{x}"]), form(Syntax::CSharp, "$$\"\"\"", "\"\"\"", &["{{x}}", "\"\"", "\n"]),
    form(Syntax::Dart, "'''", "'''", &["\"", "${x['''k''']}", "\n"]), form(Syntax::Dart, "'", "'", &["\"", "${x['k']}"]),
    form(Syntax::Go, "'", "'", &["\\'", "\""]), form(Syntax::Java, "\"\"\"", "\"\"\"", &["\\\"\"\"", "\"\""]),
    form(Syntax::JavaScript, "/", "/g", &["\\/", "\"", "'", "[/\"]"]), form(Syntax::Kotlin, "\"", "\"", &["${m[\"k\"]}", "\\\""]),
    form(Syntax::Kotlin, "\"\"\"", "\"\"\"\"\"", &["\"", "${f(\"\"\"x\"\"\")}"]),
    form(Syntax::Lua, "\"", "\"", &["\\z\n  ", "\\\n", "\\\"", "'"]), form(Syntax::Lua, "'", "'", &["\\z \r\n\n", "\""]),
    form(Syntax::Php, "\"", "\"", &["{$a[\"b\"]}", "'", "\n", "\\\""]), form(Syntax::Php, "'", "'", &["\\'", "\"", "\n"]),
    form(Syntax::Python, "f\"", "\"", &["{x[\"k\"]}", "{{", "}}", "'"]), form(Syntax::Python, "rt'''", "'''", &["{x['''k''']}", "\n", "\""]),
    form(Syntax::Ruby, "%Q|", "|", &["\"", "'", "\n"]), form(Syntax::Ruby, "%r{", "}", &["{2}", "\"", "/"]),
    form(Syntax::Ruby, "%w^", "^", &["\"", "'"]), form(Syntax::Ruby, "/", "/x", &["\"", "'", "\n", "\\/", "[/]"]),
    form(Syntax::Rust, "cr#\"", "\"#", &["\\", "\n"]), form(Syntax::Rust, "c\"", "\"", ESCAPED),
    form(Syntax::Scala, "s\"", "\"", &["${m(\"k\")}", "'", "\\\\"]), form(Syntax::Scala, "raw\"\"\"", "\"\"\"", &["${m(\"\"\"k\"\"\")}", "\n"]),
    form(Syntax::Scala, "\"\"\"", "\"\"\"\"", &["\"", "'", "\n"]), form(Syntax::Shell, "'", "'", &["\"", "\\", "\n"]),
    form(Syntax::Sql, "'", "'", &["''", "\"", "\n", "\\'x"]), form(Syntax::Sql, "$a$", "$a$", &["'", "\"", "$b$ ", "\n"]),
    form(Syntax::Swift, "#\"\"\"", "\"\"\"#", &["\"#", "'", "\n"]), form(Syntax::Swift, "\"", "\"", &["\\(m[\"k\"])", "'"]),
    form(Syntax::Swift, "#/", "/#", &["\"", "'", "/ "]), form(Syntax::Swift, "/", "/", &["\"", "'", "\\/"]),
    form(Syntax::TypeScript, "`", "`", &["${a ? `\"` : '`'}", "\n"]),
    form(Syntax::Swift, "#\"", "\"#", &["\"", "'", "\\"]), form(Syntax::Swift, "\"\"\"", "\"\"\"", &["'", "\n"]),
];

/// The cases that failed once are tried first.
fn cases() -> ProptestConfig {
    let failed = FileFailurePersistence::Direct("tests/regressions/forms.txt");
    ProptestConfig { failure_persistence: Some(Box::new(failed)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_tokens_around_a_string_survive(
        form in 0..FORMS.len(),
        parts in prop::collection::vec((any::<prop::sample::Index>(), "[a-z ]{1,3}"), 0..8),
    ) {
        let Form { syntax, open, close, inside } = &FORMS[form];
        let content: String = parts.iter().map(|(part, letters)| format!("{}{letters}", part.get(inside))).collect();
        // In a raw string of Ruby or Rust, quotes are between letters.
        let string = format!("{open}a{content}a{close}");
        let text = format!("before = {string}\nbehind = 1\nlast = \"x\"\n");
        let mut tokens = Vec::new();
        for_each_token(&text, Some(*syntax), |token| tokens.push((token.kind, text[token.bytes].to_owned())));
        prop_assert_eq!(&tokens[2], &(TokenKind::String, string), "{:?}", text);
        prop_assert_eq!(tokens.len(), 9, "{:?}", tokens);
    }
}

#[test]
fn forms_that_are_no_strings_hide_nothing() {
    let names = |text: &str, syntax| {
        let mut names = Vec::new();
        let unclosed = for_each_token(text, Some(syntax), |token| names.push(text[token.bytes].to_owned()));
        assert_eq!(unclosed.number, 0, "{syntax}: {text}");
        names
    };
    for (text, syntax, expected) in [
        ("fun `it's a name`() = 1", Syntax::Kotlin, "fun|`it's a name`|(|)|=|1"),
        ("val `type` = 'c'", Syntax::Scala, "val|`type`|=|'c'"),
        ("case `don't`, `in`", Syntax::Swift, "case|`don't`|,|`in`"),
        ("a = $' + $\"\nb = $/", Syntax::Ruby, "a|=|$'|+|$\"|b|=|$/"),
        ("x = <<`EOS`\necho \"\nEOS\ny", Syntax::Ruby, "x|=|<<|EOS|echo \"|y"),
        ("cat <<END-A\nEND it's\nEND-A\nls", Syntax::Shell, "cat|<<|END-A|END it's|ls"),
        ("<?php #[A('x')]\nfunction f() {} # it's", Syntax::Php, "#|[|A|(|'x'|)|]|function|f|(|)|{|}"),
        ("# it's MySQL\nselect `a`, 'it\\'s', 'b\\\\'", Syntax::Sql, "select|`a`|,|'it\\'s'|,|'b\\\\'"),
        ("select [it's], a[1], [b] from t", Syntax::Sql, "select|[it's]|,|a|[|1|]|,|[|b|]|from|t"),
        ("<?php f(); __halt_compiler(); it's \"data", Syntax::Php, "f|(|)|;|__halt_compiler|it's \"data"),
        ("a = /[[b]/'\"]/v; c", Syntax::JavaScript, "a|=|/[[b]/'\"]/v|c"),
        ("select 'C:\\', 'it\\'s' /* a /* b */, c", Syntax::Sql, "select|'C:\\'|,|'it\\'s'|,|c"),
        ("#error don't\nint a = 1'000;", Syntax::C, "int|a|=|1'000|;"),
        ("#warning it's\nchar a = '\"';", Syntax::CSharp, "char|a|=|'\"'|;"),
        ("<a b=\"c\n d's\" e='f'>it's</a>", Syntax::JavaScript, "<|a|b|=|\"c\n d's\"|e|=|'f'|>|it|'|s|<|/|a|>"),
        ("x / 2 / y\nlet a = b / c", Syntax::Swift, "x|/|2|/|y|let|a|=|b|/|c"),
        ("fn f<'a>(x: &'a str) -> char { '\\'' }", Syntax::Rust, "fn|f|<|'a|>|(|x|:|&|'a|str|)|->|char|{|'\\''|}"),
        ("let r#type = 'static; b'\"'", Syntax::Rust, "let|r#type|=|'static|;|b'\"'"),
        ("f\"{{\" + x + \"}}\"", Syntax::Python, "f\"{{\"|+|x|+|\"}}\""),
    ] {
        assert_eq!(names(text, syntax).join("|"), expected, "{syntax}");
    }
}
