"""Programs as trees: made at random, disguised step by step, and written in six languages.

A statement is a tuple whose first item is its kind:

    ("let", name, value)          ("set", name, operator, value)     ("put", array, index, value)
    ("for", name, from, to, body) ("while", condition, body)         ("if", condition, body, otherwise)
    ("call", function, arguments) ("print", text, value)             ("return", value)
    ("break",)                    ("comment", words)

A value is a number, a name, or ("op", sign, left, right), ("at", array, index), ("len", array), ("call", function, arguments).
A function is (name, parameters, body); parameters that begin with "a" are arrays. A program is a list of functions.
"""

NOUNS = "count total limit index value score price width height depth weight speed level rank order group state code".split()
VERBS = "compute update collect adjust merge filter measure balance resolve assign combine reduce expand check find scale".split()
WORDS = {
    "english": "walk over all values and keep the largest one so that later steps need not look at them again".split(),
    "german": "gehe alle Werte durch und merke den jeweils besten damit spaetere Schritte ihn nicht mehr suchen".split(),
}
SIGNS = ["+", "-", "*", "/", "%"]
TESTS = ["<", ">", "<=", ">=", "==", "!="]


class Maker:
    """Makes programs of its own random numbers."""

    def __init__(self, random):
        self.random = random
        self.numbers = 0

    def name(self, words):
        self.numbers += 1
        return f"{self.random.choice(words)}{self.numbers}"

    def value(self, names, arrays, depth=0):
        kind = self.random.randrange(10 if depth < 2 else 4)
        if kind < 2 or not names:
            return self.random.randrange(1, 100)
        if kind < 4:
            return self.random.choice(names)
        if kind < 6 and arrays:
            return ("at", self.random.choice(arrays), self.value(names, arrays, depth + 1))
        if kind < 7 and arrays:
            return ("len", self.random.choice(arrays))
        sign = self.random.choice(SIGNS)
        return ("op", sign, self.value(names, arrays, depth + 1), self.value(names, arrays, depth + 1))

    def condition(self, names, arrays):
        test = ("op", self.random.choice(TESTS), self.value(names, arrays, 1), self.value(names, arrays, 1))
        if self.random.random() < 0.2:
            return ("op", self.random.choice(["&&", "||"]), test, self.condition(names, arrays))
        return test

    def body(self, names, arrays, calls, length, depth):
        names, body = list(names), []
        for _ in range(length):
            if self.random.random() < 0.12:
                body.append(("comment", self.random.sample(range(len(WORDS["english"])), 7)))
            kind = self.random.randrange(12)
            inner = lambda: self.body(names, arrays, calls, self.random.randrange(1, 4), depth + 1)
            if kind < 3 or not names:
                name = self.name(NOUNS)
                body.append(("let", name, self.value(names, arrays)))
                names.append(name)
            elif kind < 6:
                body.append(("set", self.random.choice(names), self.random.choice(["=", "+=", "-=", "*="]), self.value(names, arrays)))
            elif kind < 7 and arrays:
                body.append(("put", self.random.choice(arrays), self.value(names, arrays, 1), self.value(names, arrays)))
            elif kind < 8 and calls:
                function, parameters = self.random.choice(calls)
                body.append(("call", function, self.arguments(parameters, names, arrays)))
            elif kind < 9:
                body.append(("print", self.name(["result", "step", "done"]), self.value(names, arrays)))
            elif depth < 2 and kind == 9:
                name = self.name(["i", "j", "k"])
                names.append(name)
                body.append(("for", name, 0, ("len", arrays[0]) if arrays else self.random.randrange(5, 50), inner()))
            elif depth < 2 and kind == 10:
                body.append(("while", self.condition(names, arrays), inner()))
            elif depth < 2:
                body.append(("if", self.condition(names, arrays), inner(), inner() if self.random.random() < 0.4 else []))
        return body

    def arguments(self, parameters, names, arrays):
        own = {"a": arrays or ["a0"], "v": names or [1]}
        return [self.random.choice(own[parameter[0]]) for parameter in parameters]

    def program(self, functions):
        calls, program = [], []
        for _ in range(functions):
            name = self.name(VERBS)
            parameters = [f"a{n}" for n in range(self.random.randrange(0, 2))]
            parameters += [f"v{n}" for n in range(self.random.randrange(1, 3))]
            arrays = [p for p in parameters if p[0] == "a"]
            names = [p for p in parameters if p[0] == "v"]
            body = self.body(names, arrays, calls, self.random.randrange(5, 10), 0)
            body.append(("return", self.value(names, arrays)))
            program.append((name, parameters, body))
            calls.append((name, parameters))
        return program


def mapped(statements, change):
    """The statements with `change` done to each, from the innermost on; it returns a list in the place of one."""
    out = []
    for statement in statements:
        if statement[0] in ("for", "while", "if"):
            statement = tuple(mapped(part, change) if isinstance(part, list) and is_body(part) else part for part in statement)
        out += change(statement)
    return out


def is_body(part):
    return all(isinstance(item, tuple) for item in part)


def renamed(program, random):
    """Other names, numbers and texts."""
    names = {}

    def name(old):
        if old not in names:
            names[old] = f"{random.choice('abcdefghkmnpqrstuvwxyz')}{random.choice(['', 'x', 'tmp', 'My', 'Val'])}{len(names)}"
        return names[old]

    def value(old):
        if isinstance(old, int):
            return old if old < 2 else old + random.randrange(1, 9)
        if isinstance(old, str):
            return name(old)
        if old[0] == "op":
            return ("op", old[1], value(old[2]), value(old[3]))
        if old[0] == "call":
            return ("call", name(old[1]), [value(item) for item in old[2]])
        return (old[0],) + tuple(value(item) for item in old[1:])

    def change(statement):
        kind = statement[0]
        if kind in ("comment", "break"):
            return [statement]
        if kind == "set":
            return [("set", name(statement[1]), statement[2], value(statement[3]))]
        if kind == "call":
            return [("call", name(statement[1]), [value(item) for item in statement[2]])]
        if kind == "print":
            return [("print", f"text {random.randrange(1000)}", value(statement[2]))]
        return [(kind,) + tuple(part if isinstance(part, list) else value(part) for part in statement[1:])]

    kept = {parameter for _, parameters, _ in program for parameter in parameters}
    names.update({parameter: ("arr" if parameter[0] == "a" else "in") + parameter[1:] for parameter in kept})
    return [(name(function), [name(p) for p in parameters], mapped(body, change)) for function, parameters, body in program]


def translated(program, _):
    """Comments in another language."""
    change = lambda s: [("comment", s[1], "german")] if s[0] == "comment" else [s]
    return [(function, parameters, mapped(body, change)) for function, parameters, body in program]


def names_in(part):
    if isinstance(part, str):
        return {part}
    if isinstance(part, (tuple, list)):
        return set().union(set(), *(names_in(item) for item in part))
    return set()


def reordered(program, random):
    """Functions in another order, and statements that do not touch the same names."""
    def swap(body):
        body = [tuple(swap(p) if isinstance(p, list) and is_body(p) and s[0] in ("for", "while", "if") else p for p in s) for s in body]
        at = 0
        while at + 1 < len(body):
            a, b = body[at], body[at + 1]
            is_free = not {a[0], b[0]} & {"return", "break", "comment", "print"} and not names_in(a[1:]) & names_in(b[1:])
            if is_free and random.random() < 0.8:
                body[at], body[at + 1] = b, a
                at += 1
            at += 1
        return body

    program = [(function, parameters, swap(list(body))) for function, parameters, body in program]
    random.shuffle(program)
    return program


def padded(program, random):
    """Statements and functions that do nothing."""
    maker = Maker(random)
    maker.numbers = 5000

    def change(statement):
        if random.random() > 0.16:
            return [statement]
        name = maker.name(["debug", "unused", "spare"])
        more = [("let", name, random.randrange(1000))]
        if random.random() < 0.4:
            more.append(("if", ("op", ">", 0, 1), [("set", name, "+=", 1)], []))
        return more + [statement]

    program = [(function, parameters, mapped(body, change)) for function, parameters, body in program]
    program.insert(random.randrange(len(program) + 1), (maker.name(VERBS), ["v0"], maker.body(["v0"], [], [], 6, 0) + [("return", 0)]))
    return program


OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def exchanged(program, random):
    """One kind of loop for another, and conditions the other way round."""
    def change(statement):
        if statement[0] == "for":
            _, name, start, end, body = statement
            return [("let", name, start), ("while", ("op", "<", name, end), body + [("set", name, "+=", 1)])]
        if statement[0] == "while":
            return [("while", 1, [("if", ("not", statement[1]), [("break",)], [])] + statement[2])]
        if statement[0] == "if" and statement[3] and statement[1][1] in OPPOSITE:
            _, test, body, otherwise = statement
            return [("if", ("op", OPPOSITE[test[1]], test[2], test[3]), otherwise, body)]
        return [statement]

    return [(function, parameters, mapped(body, change)) for function, parameters, body in program]


def split(program, random):
    """Parts of functions as functions of their own."""
    out = []
    for number, (function, parameters, body) in enumerate(program):
        if len(body) > 5:
            start = random.randrange(1, len(body) - 4)
            end = start + random.randrange(2, min(5, len(body) - start - 1))
            helper = f"{function}Part{number}"
            out.append((helper, parameters, body[start:end] + [("return", 0)]))
            body = body[:start] + [("call", helper, list(parameters))] + body[end:]
        out.append((function, parameters, body))
    return out
