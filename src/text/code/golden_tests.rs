//! Tests of the tokens of a small text in each language, written by hand.

use super::*;

/// The tokens of a text, separated by spaces: keywords after `:`, numbers after `#`, strings after `$` with `_` for
/// white space, names and operators unchanged.
fn written(text: &str, syntax: Syntax) -> String {
    let mut written: Vec<String> = Vec::new();
    for_each_token(text, Some(syntax), |token| {
        let mark = match token.kind {
            TokenKind::Name => "",
            TokenKind::Keyword => ":",
            TokenKind::Number => "#",
            TokenKind::String => "$",
            TokenKind::Operator => "",
        };
        written.push(format!("{mark}{}", text[token.bytes].split_whitespace().collect::<Vec<_>>().join("_")));
    });
    written.join(" ")
}

#[track_caller]
fn check(syntax: Syntax, text: &str, expected: &str) {
    assert_eq!(written(text, syntax), expected);
}

#[test]
fn c() {
    check(
        Syntax::C,
        "#include <stdio.h>\n  # include \"a.h\"\n#define MAX 10 // most\n/* it's */ int main(void) {\n  char c = '\\'';\n  \
         printf(L\"a \\\"b\\\" %d\\n\", x->y++ + 0x1Fu * 1.5e-3f);\n}",
        "# :define MAX #10 :int main ( :void ) { :char c = $'\\'' ; printf ( $L\"a_\\\"b\\\"_%d\\n\" , x -> y ++ + #0x1Fu * #1.5e-3f ) ; }",
    );
    check(Syntax::C, "a = b \\\n + .5;", "a = b + #.5 ;");
    check(Syntax::C, "a; // b \\\n it's \\\r\n c\nd; // e\\", "a ; d ;");
}

#[test]
fn cpp() {
    check(
        Syntax::Cpp,
        "#include <vector>\nusing namespace std;\nusing std::vector;\nusing Row = int;\nauto s = R\"x(a )\" b)x\"; int n = 1'000; \
         T<U<int>> v{u8\"a\"};",
        ":using Row = :int ; :auto s = $R\"x(a_)\"_b)x\" ; :int n = #1'000 ; T < U < :int > > v { $u8\"a\" } ;",
    );
}

#[test]
fn csharp() {
    check(
        Syntax::CSharp,
        "using System;\nusing static System.Math;\nusing A = B.C<int>;\nusing (var x = y) {}\nusing var f = g;\n\
         string s = @\"a\"\"\\\" + $\"b {c[\"d\"]}\" + \"\"\"e \"f\" \"\"\";",
        ":using ( :var x = y ) { } :using :var f = g ; :string s = $@\"a\"\"\\\" + $$\"b_{c[\"d\"]}\" + $\"\"\"e_\"f\"_\"\"\" ;",
    );
}

#[test]
fn strings_directives_and_imports_of_newer_csharp() {
    check(
        Syntax::CSharp,
        "global using System;\n#region It's\n#nullable enable\n#if X\na = $@\"b \"\"c\"\" {d[\"e\"]} \\\" + @$\"{f}\"\"\";\n#endif\n  #endregion\n\
         #pragma warning disable\ng = $\"\"\"h {i(\"j\")} \"\"\" + \"\"\"\"k\"\"\"l\"\"\"\" + $$\"\"\"{{m}}\"\"\"; global::System.X",
        "# :if X a = $$@\"b_\"\"c\"\"_{d[\"e\"]}_\\\" + $@$\"{f}\"\"\" ; # endif g = $$\"\"\"h_{i(\"j\")}_\"\"\" + $\"\"\"\"k\"\"\"l\"\"\"\" + \
         $$$\"\"\"{{m}}\"\"\" ; global :: System . X",
    );
    assert_eq!(written("a = \"\"\"b\nc", Syntax::CSharp), "a = \" \" \" b c");
}

#[test]
fn dart() {
    check(
        Syntax::Dart,
        "import 'dart:io' show stdin;\nlibrary a.b;\nvoid main() { /* a /* b */ */ print('x ${y['z']}' + r\"\\d\"); }",
        ":void main ( ) { print ( $'x_${y['z']}' + $r\"\\d\" ) ; }",
    );
}

#[test]
fn go() {
    check(
        Syntax::Go,
        "package main\n\nimport (\n\t\"fmt\"\n\tm \"math\" // it's\n)\nimport \"os\"\nimport . \"a\"\nfunc f(a []int) (r rune) {\n\tr := 'x'; s := `a\\`\n\tch <- 1\n}",
        ":func f ( a [ ] :int ) ( r :rune ) { r := $'x' s := $`a\\` ch <- #1 }",
    );
}

#[test]
fn java() {
    check(
        Syntax::Java,
        "package a.b;\nimport java.util.*;\nimport static a.B.c;\n/** it's */\n@Test public class A<T> { String s = \"\"\"\n a \"b\"\n \"\"\"; char c = '\"'; int $x = o.class; }",
        "@ Test :public :class A < T > { String s = $\"\"\"_a_\"b\"_\"\"\" ; :char c = $'\"' ; :int $x = o . class ; }",
    );
}

#[test]
fn javascript() {
    check(
        Syntax::JavaScript,
        "import {a,\n  b} from 'x'\nimport('y').then(z => z)\nconst r = /[/'\"]\\/+/gi.test(s) / 2 / t;\nlet u = `a ${b + `c ${'}'}`} d`;\np.catch(e)",
        ":import ( $'y' ) . then ( z => z ) :const r = $/[/'\"]\\/+/gi . test ( s ) / #2 / t :let u = $`a_${b_+_`c_${'}'}`}_d` p . catch ( e )",
    );
    // Regular expressions after conditions and keywords, divisions after calls and counters.
    check(
        Syntax::JavaScript,
        "if (a(b)) /c'/.test(d); return /e'/; while (f) /g/i.exec(h); i++ / 2 / j; k(l) / m / n",
        ":if ( a ( b ) ) $/c'/ . test ( d ) :return $/e'/ :while ( f ) $/g/i . exec ( h ) i ++ / #2 / j k ( l ) / m / n",
    );
    check(Syntax::JavaScript, "#!/usr/bin/env node\nimport a from'x'\nreturn'y'", ":return $'y'");
}

#[test]
fn typescript() {
    check(
        Syntax::TypeScript,
        "import type { A } from \"./a\";\nexport function f<T extends A>(x?: number | null): x is T { return <b c=\"d\">{x}</b> }",
        ":export :function f < T :extends A > ( x ?: :number | :null ) : x :is T { :return < b c = $\"d\" > { x } < / b > }",
    );
}

#[test]
fn what_the_layout_alone_needs_is_no_token() {
    let pairs = [
        (Syntax::JavaScript, "a(b);\nc = [d, e];\n", "a(\n  b,\n)\nc = [\n  d,\n  e, // f\n]"),
        (Syntax::Shell, "if a; then b; fi", "if a\nthen\n  b\nfi"),
        (Syntax::Go, "a(b); c()", "a(\n\tb,\n)\nc()"),
        (Syntax::Rust, "f(a, [b, c]);", "f(\n    a,\n    [\n        b,\n        c,\n    ],\n);"),
        (Syntax::Rust, "let a: R<Vec<u8>, B<dyn E>>;", "let a: R<\n    Vec<u8>,\n    B<\n        dyn E\n    >,\n>;"),
        (Syntax::TypeScript, "type A<B, C> = D<E<F>>", "type A<\n  B,\n  C,\n> = D<\n  E<F>\n>;"),
        (Syntax::Cpp, "char **a; b<c<d>> e;", "char* *a; b<c<d> > e;"),
        (Syntax::Python, "a = {b: c}; d", "a = {\n    b: c,\n}\nd"),
    ];
    for (syntax, a, b) in pairs {
        assert_eq!(written(a, syntax), written(b, syntax), "{syntax}");
    }
    // A semicolon may be a statement.
    check(
        Syntax::JavaScript,
        "while (a());\nfor (;;) b(); if (c);{d}",
        ":while ( a ( ) ) ; :for ( ; ; ) b ( ) :if ( c ) ; { d }",
    );
    check(Syntax::C, "for (;;) f(a, b,);", ":for ( ; ; ) f ( a , b ) ;");
    check(Syntax::C, "a,", "a ,");
    check(Syntax::C, "a, // b", "a ,");
}

#[test]
fn modules_that_are_required_are_imports() {
    for import in [
        "const a = require('a');",
        "const a = require('a')",
        "var { b,\n  c: d } = require(\"b\").e.f",
        "var a = require('a'),\n    b = require('b');",
        "let { a, // x\n b } = /* y */ require( 'fs', )\n  .c;",
        "require('a');",
        "import a, { default as b } from 'x' with { type: 'json' }",
    ] {
        check(Syntax::JavaScript, &format!("'use strict'\n{import}\nf(g)"), "$'use_strict' f ( g )");
        check(Syntax::JavaScript, import, "");
    }
    for (text, expected) in [
        ("let g = require('g')(h)", ":let g = require ( $'g' ) ( h )"),
        ("const i = requires('i')", ":const i = requires ( $'i' )"),
        ("const l = require(m)", ":const l = require ( m )"),
        ("var a = require('a'), b = 1", ":var a = require ( $'a' ) , b = #1"),
        ("f(const = require('a'))", "f ( :const = require ( $'a' ) )"),
        ("const { a", ":const { a"),
    ] {
        check(Syntax::JavaScript, text, expected);
    }
    check(Syntax::Lua, "const a = require('a')", "const a = require ( $'a' )");
}

#[test]
fn strings_within_templates_have_escapes() {
    check(Syntax::JavaScript, "f(`${` ${e}`.g(\"\\n\")}`); h(\"\")", "f ( $`${`_${e}`.g(\"\\n\")}` ) h ( $\"\" )");
}

#[test]
fn addresses_in_the_text_of_jsx_are_no_comments() {
    check(Syntax::TypeScript, "<a>http://b.c</a> // d", "< a > http : // b . c < / a >");
}

#[test]
fn apostrophes_in_the_text_of_jsx_open_no_strings() {
    let text = "<p>Don't</p><p>let's say dogs' 5' can't</p><b a='c'/>";
    let expected = "< p > Don ' t < / p > < p > :let ' s say dogs ' #5 ' can ' t < / p > < b a = $'c' / >";
    check(Syntax::JavaScript, text, expected);
    assert_eq!(for_each_token(text, Some(Syntax::TypeScript), |_| ()).number, 0);
}

#[test]
fn kotlin() {
    check(
        Syntax::Kotlin,
        "package a.b\nimport c.d.*\nfun f(x: Int?) = \"a ${g(\"b\")} c\" + \"\"\"d \\\"\"\" + 'e' // it's\nval y = x?.z ?: 1..2",
        ":fun f ( x : Int ? ) = $\"a_${g(\"b\")}_c\" + $\"\"\"d_\\\"\"\" + $'e' :val y = x ?. z ?: #1 .. #2",
    );
}

#[test]
fn lua() {
    check(
        Syntax::Lua,
        "-- it's\n--[==[ a\n]] b ]==] local x = [[a\n'b]] .. 'c' ~= nil",
        ":local x = $[[a_'b]] .. $'c' ~= :nil",
    );
}

#[test]
fn php() {
    check(
        Syntax::Php,
        "<h1>it's</h1>\n<?php\nnamespace A\\B;\nuse C\\D;\nrequire_once 'x.php';\nIF ($a->b) { echo \"c $d\" . <<<EOT\n e's \n EOT; } # it's ?> f <?= $g ?>",
        "$<h1>it's</h1> :IF ( $a -> b ) { :echo $\"c_$d\" . <<< EOT $e's ; } $f $g",
    );
    check(Syntax::Php, "$x = 1; // a", "$x = #1 ;");
}

#[test]
fn python() {
    check(
        Syntax::Python,
        "\"\"\"It's\na module.\"\"\"\nimport os, sys\nfrom a.b import (\n    c,  # it's\n    d)\n@e\ndef f(x: int = 1_000) -> None:\n    '''Doc.'''\n    \
         y = rb'\\'' + f\"{x}\" \"z\"  # end\n    return x if not y else ('a'\n        'b')",
        "@ e :def f ( x : int = #1_000 ) -> :None : y = $rb'\\'' + $f\"{x}\" $\"z\" :return x :if :not y :else ( $'a' $'b' )",
    );
}

#[test]
fn r() {
    check(
        Syntax::R,
        "library(dplyr)\nx <- function(a, `b c`) a %in% 'it\"s' # it's\n",
        "x <- :function ( a , $`b_c` ) a % :in % $'it\"s'",
    );
}

#[test]
fn ruby() {
    check(
        Syntax::Ruby,
        "require 'json'\n=begin\nit's\n=end\ndef f(x)\n  @y = %w[a b] + [\"c #{h[\"d\"]}\"]\n  puts <<~EOS, 1\n    it's\n  EOS\n  x =~ /a['\"]b/i\nend",
        ":def f ( x ) @y = $%w[a_b] + [ $\"c_#{h[\"d\"]}\" ] puts << EOS , #1 $it's x =~ $/a['\"]b/i :end",
    );
}

#[test]
fn data_behind_a_ruby_program_is_a_string() {
    check(
        Syntax::Ruby,
        "a = <<X\n__END__\nX\nb\n__END__x\n__END__\nit's /c\n",
        "a = << X $__END__ b __END__x $it's_/c",
    );
}

#[test]
fn labels_of_heredocs_are_names() {
    for (text, syntax) in [
        ("cat <<-LABEL\n a\nLABEL\nb", Syntax::Shell),
        ("<?php $a = <<<\"LABEL\"\n a\nLABEL;\nb", Syntax::Php),
        ("a <<~LABEL\n a\nLABEL\nb", Syntax::Ruby),
    ] {
        let mut labels = 0;
        for_each_token(text, Some(syntax), |token| {
            let has_label = text[token.bytes].contains("LABEL");
            assert!(!has_label || token.kind == TokenKind::Name, "{syntax}");
            labels += usize::from(has_label);
        });
        assert_eq!(labels, 1, "{syntax}");
    }
}

#[test]
fn rust() {
    check(
        Syntax::Rust,
        "use std::{fmt, io::{self, Read as R}};\nextern crate a;\npub use b::c;\n/* a /* b */ c */ fn f<'a>(x: &'a str) -> u8 { let r = r#\"a\"b\"#; b'\\'' + '\"' as u8 + 1..=2 }\nextern \"C\" { } r#type(r#\"r#match\"#)",
        ":fn f < 'a > ( x : & 'a :str ) -> :u8 { :let r = $r#\"a\"b\"# ; $b'\\'' + $'\"' :as :u8 + #1 ..= #2 } :extern $\"C\" { } r#type ( $r#\"r#match\"# )",
    );
}

#[test]
fn imports_go_with_what_stands_before_them() {
    check(
        Syntax::Rust,
        "#!/usr/bin/env cargo\npub use a;\npub(crate) use b::{c, d};\npub(in e::f) extern crate g;\npub fn h() { pub (use_) }",
        ":pub :fn h ( ) { :pub ( use_ ) }",
    );
    check(Syntax::Rust, "#![allow(x)] y", "# ! [ allow ( x ) ] y");
    check(
        Syntax::Cpp,
        "import std;\nexport import <vector>;\nimport \"a.h\";\nexport import b.c:d;\nexport int e; import(f);",
        "export :int e ; import ( f ) ;",
    );
}

#[test]
fn scala() {
    check(
        Syntax::Scala,
        "package a\nimport b.{c => d, _}\nobject X { def f(s: Symbol) = s\"a $b\" + \"\"\"c\"d\"\"\" + 'e' + 'sym }",
        ":object X { :def f ( s : Symbol ) = $s\"a_$b\" + $\"\"\"c\"d\"\"\" + $'e' + 'sym }",
    );
}

#[test]
fn shell() {
    check(
        Syntax::Shell,
        "#!/bin/sh\nsource lib.sh\nif [ \"$#\" -gt 0 ]; then # it's\n  cat <<'EOF' | grep -v x\nit's $y\nEOF\n  echo \"a $(basename \"$1\" 'b') c\" it\\'s ${x#y}\nfi",
        ":if [ $\"$#\" - gt #0 ] :then cat << EOF | grep - v x $it's_$y :echo $\"a_$(basename_\"$1\"_'b')_c\" it \\' s $ { x # y } :fi",
    );
}

#[test]
fn sql() {
    check(
        Syntax::Sql,
        "SELECT a.\"b c\", 'it''s' FROM t -- it's\nWHERE x >= 1.5 /* a */ AND f = $q$ it's $q$;",
        ":SELECT a . $\"b_c\" , $'it''s' :FROM t :WHERE x >= #1.5 :AND f = $$q$_it's_$q$ ;",
    );
}

#[test]
fn strings_of_postgres() {
    check(
        Syntax::Sql,
        "SELECT E'it\\'s' || e'a''b', 'c\\', $q1$it's$q1$, $1, a$b$ + $b$d$b$;",
        ":SELECT $E'it\\'s' || $e'a''b' , $'c\\' , $$q1$it's$q1$ , $ #1 , a $ b $ + $$b$d$b$ ;",
    );
    // The body of a function is a program.
    check(
        Syntax::Sql,
        "CREATE FUNCTION f() AS $body$\nBEGIN RETURN $1 + $$x$$; -- it's\nEND $body$ LANGUAGE plpgsql; DO $$ BEGIN END $$;",
        ":CREATE :FUNCTION f ( ) :AS $ :BEGIN :RETURN $ #1 + $$$x$$ ; :END $ LANGUAGE plpgsql ; DO $ :BEGIN :END $ ;",
    );
}

#[test]
fn swift() {
    check(
        Syntax::Swift,
        "import Foundation\nlet s = \"a \\(f(\"b\")) c\" + #\"d\"e\"# + \"\"\"\n  g \"h\"\n  \"\"\" // it's\nguard let x = y?.z else { return }",
        ":let s = $\"a_\\(f(\"b\"))_c\" + $#\"d\"e\"# + $\"\"\"_g_\"h\"_\"\"\" :guard :let x = y ?. z :else { :return }",
    );
}
