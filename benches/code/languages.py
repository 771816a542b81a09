"""Programs in six languages; see programs.py for what a program is."""

from programs import WORDS


class Language:
    """C, and what the others have in common with it."""

    suffix = "c"
    start = '#include <stdio.h>\n#include <stdlib.h>\n#include "tools.h"\n\n'
    end = ""
    step = "    "
    comment = "// "
    number, array = "int {}", "int *{}"
    let = "int {} = {};"
    loop = "for (int {0} = {1}; {0} < {2}; {0}++) {{"
    call = "{}({});"
    show = 'printf("{} %d\\n", {});'
    length = "{}_len"
    function = "int {}({}) {{"
    test = "({})"
    forever = "while (1) {"
    close = "}"
    signs = {}

    def value(self, value):
        if not isinstance(value, tuple):
            return str(value)
        kind = value[0]
        if kind == "op":
            sides = [self.value(side) for side in value[2:]]
            sides = [f"({side})" if isinstance(part, tuple) and part[0] == "op" else side for side, part in zip(sides, value[2:])]
            return f"{sides[0]} {self.signs.get(value[1], value[1])} {sides[1]}"
        if kind == "at":
            return f"{value[1]}[{self.value(value[2])}]"
        if kind == "len":
            return self.length.format(value[1])
        if kind == "not":
            return f"{self.signs.get('!', '!')}({self.value(value[1])})"
        return f"{value[1]}({', '.join(self.value(item) for item in value[2])})"

    def lines(self, body, depth):
        for statement in body:
            yield from self.statement(statement, self.step * depth, depth)

    def block(self, head, body, indent, depth):
        yield indent + head
        yield from self.lines(body, depth + 1)
        if self.close:
            yield indent + self.close

    def statement(self, statement, indent, depth):
        kind, rest = statement[0], statement[1:]
        end = "" if self.close == "" or type(self) is Go else ";"
        if kind == "comment":
            language = rest[1] if len(rest) > 1 else "english"
            yield indent + self.comment + " ".join(WORDS[language][word % len(WORDS[language])] for word in rest[0])
        elif kind == "let":
            yield indent + self.let.format(rest[0], self.value(rest[1]))
        elif kind == "set":
            yield f"{indent}{rest[0]} {rest[1]} {self.value(rest[2])}{end}"
        elif kind == "put":
            yield f"{indent}{rest[0]}[{self.value(rest[1])}] = {self.value(rest[2])}{end}"
        elif kind == "call":
            yield indent + self.call.format(rest[0], ", ".join(self.value(item) for item in rest[1]))
        elif kind == "print":
            yield indent + self.show.format(rest[0], self.value(rest[1]))
        elif kind == "return":
            yield f"{indent}return {self.value(rest[0])}{end}"
        elif kind == "break":
            yield f"{indent}break{end}"
        elif kind == "for":
            head = self.loop.format(rest[0], self.value(rest[1]), self.value(rest[2]))
            yield from self.block(head, rest[3], indent, depth)
        elif kind == "while":
            head = self.forever if rest[0] == 1 else self.head("while", rest[0])
            yield from self.block(head, rest[1], indent, depth)
        elif kind == "if":
            lines = list(self.block(self.head("if", rest[0]), rest[1], indent, depth))
            if rest[2]:
                otherwise = self.head("else", None)
                lines[-1:] = [indent + "} " + otherwise] if self.close else [lines[-1], indent + otherwise]
                lines += list(self.lines(rest[2], depth + 1)) + ([indent + self.close] if self.close else [])
            yield from lines

    def head(self, word, test):
        return f"{word} {self.test.format(self.value(test))} {{" if test is not None else f"{word} {{"

    def text(self, program):
        depth = 1 if type(self) is Java else 0
        lines = []
        for function, parameters, body in program:
            written = ", ".join((self.array if p.startswith("a") else self.number).format(p) for p in parameters)
            lines += list(self.block(self.function.format(function, written), body, self.step * depth, depth)) + [""]
        return self.start + "\n".join(lines) + self.end


class Java(Language):
    suffix = "java"
    start = "package work;\n\nimport java.util.*;\nimport java.io.IOException;\n\npublic class Main {\n"
    end = "}\n"
    array = "int[] {}"
    show = 'System.out.println("{} " + {});'
    length = "{}.length"
    function = "public static int {}({}) {{"
    forever = "while (true) {"


class JavaScript(Language):
    suffix = "js"
    start = 'import { log } from "./tools.js";\n\n'
    step = "  "
    number = array = "{}"
    let = "let {} = {};"
    loop = "for (let {0} = {1}; {0} < {2}; {0}++) {{"
    show = "console.log(`{}`, {});"
    length = "{}.length"
    function = "export function {}({}) {{"
    forever = "while (true) {"
    signs = {"==": "===", "!=": "!=="}


class Python(Language):
    suffix = "py"
    start = "import sys\nfrom tools import log\n\n\n"
    comment = "# "
    number = array = "{}"
    let = "{} = {}"
    loop = "for {0} in range({1}, {2}):"
    call = "{}({})"
    show = 'print("{}", {})'
    length = "len({})"
    function = "def {}({}):"
    forever = "while True:"
    close = ""
    signs = {"&&": "and", "||": "or", "/": "//", "!": "not "}

    def head(self, word, test):
        return f"{word} {self.value(test)}:" if test is not None else f"{word}:"

    def lines(self, body, depth):
        body = body if any(statement[0] != "comment" for statement in body) else body + [("call", "log", [0])]
        yield from super().lines(body, depth)


class Go(Language):
    suffix = "go"
    start = 'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n'
    step = "\t"
    number, array = "{} int", "{} []int"
    let = "{} := {}"
    loop = "for {0} := {1}; {0} < {2}; {0}++ {{"
    call = "{}({})"
    show = 'fmt.Println("{}", {})'
    length = "len({})"
    function = "func {}({}) int {{"
    test = "{}"
    forever = "for {"

    def head(self, word, test):
        return super().head({"while": "for"}.get(word, word), test)


class Rust(Language):
    suffix = "rs"
    start = "use std::collections::HashMap;\nuse std::io::{self, Read};\n\n"
    number, array = "{}: i64", "{}: &mut [i64]"
    let = "let mut {} = {};"
    loop = "for {} in {}..{} {{"
    show = 'println!("{} {{}}", {});'
    length = "{}.len()"
    function = "fn {}({}) -> i64 {{"
    test = "{}"
    forever = "loop {"


LANGUAGES = [Language(), Java(), JavaScript(), Python(), Go(), Rust()]
