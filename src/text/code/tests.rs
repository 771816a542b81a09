//! Tests of properties of the tokens of any text, in any language.

use proptest::prelude::*;

use super::scanner::{MOST_READ, Scanner};
use super::*;

fn tokens(text: &str, syntax: Option<Syntax>) -> Vec<Token> {
    let mut tokens = Vec::new();
    for_each_token(text, syntax, |token| tokens.push(token));
    tokens
}

fn any_syntax() -> impl Strategy<Value = Option<Syntax>> {
    prop_oneof![1 => Just(None), 12 => prop::sample::select(Syntax::ALL).prop_map(Some)]
}

/// Openers, closers and words of all languages, and text between them.
const PIECES: &str = r#"("|'|`|"""|'''|\\|/\*|\*/|//|\#|--|--\[\[|\]\]|<<A\n|<<~A\n|<<<A\n|A|\n|\r\n|R"x\(|\)x"|r\#"|"\#|\$x\$|\$\(|\$\{|\#\{|\\\(|\{|\}|\(|\)|\[|\]|%w\[|/|<\?php|\?>|=begin\n|=end|__END__\n|//\\\n|\#!|\#region |\$\$"""|""""|E'|AS \$\$|\$\$|if \(|pub\(|pub |global |a'|import |use |using |from |\#include |;|[a-z]{1,3}|[0-9.]{1,3}|é|文|🙂|\u{301}|\u{85}|\u{200B}| ){0,60}"#;

#[track_caller]
fn check(text: &str, syntax: Option<Syntax>) {
    let mut end = 0;
    for token in tokens(text, syntax) {
        assert!(token.bytes.start >= end && token.bytes.start < token.bytes.end, "{token:?} behind {end}");
        assert!(!text[token.bytes.clone()].trim().is_empty(), "{token:?} is blank");
        end = token.bytes.end;
    }
    if syntax.is_none() {
        let all: String = tokens(text, syntax).iter().map(|token| &text[token.bytes.clone()]).collect();
        let expected: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
        assert_eq!(all, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn tokens_follow_one_another_between_characters(text in PIECES, syntax in any_syntax()) {
        check(&text, syntax);
    }

    #[test]
    fn any_text_has_tokens(text in any::<String>(), syntax in any_syntax()) {
        check(&text, syntax);
    }

    #[test]
    fn comments_and_white_space_between_tokens_make_no_difference(
        pieces in prop::collection::vec(
            (r#"[a-z]{2,8}|[0-9]{1,4}|"[a-z ]{0,5}"|[-+*=<;,(){}\[\]]"#, 0usize..5), 0..40),
        syntax in prop::sample::select(Syntax::ALL),
    ) {
        // Text between two tokens: a space separates them, so the rest must not matter.
        let gap = |number: usize| match (syntax, number) {
            (_, 0) => " ",
            (_, 1) => "  \t ",
            (Syntax::Python | Syntax::Ruby | Syntax::Shell | Syntax::R, _) => " # it's \"one\n ",
            (Syntax::Lua | Syntax::Sql, 2 | 3) => " -- it's \"one\n ",
            (Syntax::Lua, _) => " --[[ it's\n \"two ]] ",
            (_, 2) => " // it's \"one\n ",
            _ => " /* it's\n \"two */ ",
        };
        // Words that change the meaning of what follows: a Go or Python import ends with its line, a docstring is a
        // comment.
        let is_special = |piece: &str| syntax.rules().imports.iter().any(|import| import.word == piece);
        let pieces: Vec<(&str, usize)> =
            pieces.iter().filter(|(piece, _)| !is_special(piece)).map(|(piece, gap)| (piece.as_str(), *gap)).collect();
        let joined = |gap_of: &dyn Fn(usize) -> &'static str| -> String {
            let first = if syntax == Syntax::Php { "<?php x " } else { "x " };
            let mut text = first.to_owned();
            for &(piece, gap) in &pieces {
                // A string on its own line is a comment in Python, and `<` may open a heredoc.
                text.push_str(piece);
                text.push_str(gap_of(gap));
            }
            text
        };
        let strings = |text: &str| -> Vec<(TokenKind, String)> {
            tokens(text, Some(syntax)).into_iter().map(|token| (token.kind, text[token.bytes].to_owned())).collect()
        };
        let plain = strings(&joined(&|_| " "));
        if syntax == Syntax::Python && pieces.iter().any(|(piece, _)| piece.starts_with('"')) {
            return Ok(());
        }
        prop_assert_eq!(plain, strings(&joined(&gap)));
    }
}

#[test]
fn what_has_no_end_takes_linear_time() {
    let pieces = [
        "\"",
        "'",
        "`",
        "/*",
        "/* */",
        "//",
        "#",
        "<<A ",
        "<<AB\n",
        "<<<A\n",
        "\"${",
        "`${",
        "\"#{",
        "\"$(",
        "\"\\(",
        "R\"",
        "R\"a(",
        "r#\"",
        "#\"",
        "##\"",
        "$a$",
        "$b$ $c$",
        "[[",
        "[=[",
        "--[[",
        "%w[",
        "%q(",
        "/",
        "/[",
        "= /a",
        "'\\''",
        "\\",
        "\\\"",
        "'''",
        "\"\"\"",
        "<?",
        "?>",
        "=begin\n",
        "\n=begin\n",
        "import ",
        "import x\n",
        "using a",
        "using a.",
        "extern ",
        "use ",
        "from ",
        "#include",
        "# ",
        "{",
        "}",
        "(",
        "a",
        "1",
        ".",
        "1.",
        " ",
        "\n",
        "\r",
        "é",
        "文",
        "\u{301}",
        "\u{200B}",
        "$",
        "@",
        "@@",
        "$@\"",
        "'a",
        "<<-",
        "<<\"A",
        "0x",
        "1e+",
        "$(\"",
        "${'",
        "\"${\"",
        "\"${\" ",
        "`${\"",
        "\"{",
        "$\"{",
        "$@\"{\"",
        "E'",
        "E'\\'",
        "AS $a$ ",
        "AS $a$ $a$ ",
        "$$\"\"\"",
        "\"\"\"\" ",
        "pub(",
        "pub (use ",
        "global using ",
        "\n__END__",
        "#region\n",
        "//\\\n",
        "if(",
        "if(a)/",
        "let'",
        "f\"{{",
        "f\"{\"",
        "s\"${\"",
        "`a",
        "$'",
        "#/",
        "#\"\"\"",
        "'\\'a",
        "`'\\'a",
        "a=\"",
        "a='\\'",
        "\"\\z\n",
        "/* /* */ ",
        "%q^",
    ];
    for piece in pieces {
        let text = piece.repeat(20_000 / piece.len());
        for &syntax in Syntax::ALL {
            let mut scanner = Scanner::new(&text, syntax.rules(), |_| ());
            scanner.scan();
            let most = (MOST_READ + 24) * text.len();
            assert!(
                scanner.failed_bytes <= most,
                "{syntax}: {piece:?} read {} of {}",
                scanner.failed_bytes,
                text.len()
            );
        }
    }
}

#[test]
fn an_unclosed_string_or_comment_hides_nothing() {
    for (text, syntax, unclosed) in [
        ("a = \"x\nb = c", Syntax::C, 1),
        ("a /* b", Syntax::C, 1),
        ("a /* b\n/* c", Syntax::C, 1),
        ("x = '''a\nb", Syntax::Python, 1),
        ("a `b ${c", Syntax::JavaScript, 1),
        ("cat <<EOF\nb c\n", Syntax::Shell, 1),
        ("let r#\"a", Syntax::Rust, 2),
        ("int a; // it's", Syntax::C, 0),
    ] {
        let mut names = Vec::new();
        let found = for_each_token(text, Some(syntax), |token| names.push(text[token.bytes].to_owned()));
        assert_eq!(found.number, unclosed, "{text}");
        for word in ["a", "b", "c"] {
            let is_word = text.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
            assert!(!is_word || unclosed == 0 || names.iter().any(|name| name == word), "{word} of {text}: {names:?}");
        }
    }
}
