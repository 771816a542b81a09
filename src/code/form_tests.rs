//! Each form of string that a language has: the string is one token, and the tokens around it survive.

use proptest::prelude::*;

use super::*;

/// A form of string by what begins and ends it, and what a text in it may have beside letters.
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
    form(Syntax::Swift, "#\"", "\"#", &["\"", "'", "\\"]), form(Syntax::Swift, "\"\"\"", "\"\"\"", &["'", "\n"]),
];

proptest! {
    #[test]
    fn the_tokens_around_a_string_survive(
        form in 0..FORMS.len(),
        parts in prop::collection::vec((any::<prop::sample::Index>(), "[a-z ]{1,3}"), 0..8),
    ) {
        let Form { syntax, open, close, inside } = &FORMS[form];
        let content: String = parts.iter().map(|(part, letters)| format!("{}{letters}", part.get(inside))).collect();
        // A raw string of Ruby or Rust has its quotes between letters.
        let string = format!("{open}a{content}a{close}");
        let text = format!("before = {string}\nbehind = 1\nlast = \"x\"\n");
        let mut tokens = Vec::new();
        for_each_token(&text, Some(*syntax), |token| tokens.push((token.kind, text[token.bytes].to_owned())));
        prop_assert_eq!(&tokens[2], &(TokenKind::String, string), "{:?}", text);
        prop_assert_eq!(tokens.len(), 9, "{:?}", tokens);
    }
}
