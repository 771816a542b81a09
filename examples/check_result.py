#!/usr/bin/env python3
"""Checks pairs of `dedup scan` by a second program, which was written from the handbook's page of definitions alone.

    dedup scan notes > pairs.jsonl
    python3 check_result.py pairs.jsonl
    python3 check_result.py pairs.jsonl --shingle word --k 3
    python3 check_result.py pairs.jsonl --records articles.jsonl
    dedup scan notes --all-pairs > pairs.jsonl && python3 check_result.py pairs.jsonl --every notes

It reads the two documents of each line, cuts them into shingles, and counts the shared ones; it needs only the standard library.
It knows files of plain text and JSON Lines, and shingles of characters, lines, words of ASCII texts, and sets of words. Pairs
of other documents are counted as not checked, and the estimate is not looked at, since it depends on the signature and not on the
shingles. With --every it also compares every two files of a folder.

Exit codes: 0 all numbers agree, 1 a number differs or a pair is missing, 2 wrong usage, 3 some pairs were not checked.
"""
import argparse
import itertools
import json
import os
import re
import sys
import unicodedata
from collections import Counter
from fractions import Fraction

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
SPACES = re.compile(f"[{WHITE_SPACE}]+")
LINE_ENDS = re.compile("\r\n|[\n\v\f\r\x85\u2028\u2029]")
# One line end, with the white space beside it, between two characters.
SINGLE_LINE_END = re.compile("(?<=\\S)[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*(?:\r\n|\n|\r)"
                             "[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*(?=[^\\s])")
WITHOUT_SPACES = ("CJK ", "IDEOGRAPHIC ", "HIRAGANA ", "KATAKANA", "HALFWIDTH KATAKANA", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
# Words by UAX #29, for texts in ASCII: letters and digits; one of : . ' between letters; one of , ; . ' between digits.
WORDS = re.compile("[A-Za-z0-9_](?:[A-Za-z0-9_]|(?<=[A-Za-z])[:.'](?=[A-Za-z])|(?<=[0-9])[,;.'](?=[0-9]))*")
NOT_PLAIN = {".html", ".htm", ".xhtml", ".docx", ".docm", ".odt", ".rtf", ".pptx", ".odp", ".epub", ".ipynb", ".eml", ".mbox", ".pdf",
             ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather", ".srt", ".vtt", ".warc", ".wet",
             ".gz", ".zst", ".xz", ".bz2", ".zip", ".tar", ".tgz"}


class NotChecked(Exception):
    """A document that this program does not read."""


def has_no_spaces(character):
    """Whether a character is a letter or mark of a script that is written without spaces."""
    return unicodedata.category(character)[0] in "LM" and unicodedata.name(character, "").startswith(WITHOUT_SPACES)


def join_lines(text):
    """Drops single line ends between two letters of scripts without spaces."""
    def joined(match):
        before, after = text[match.start() - 1], text[match.end()]
        return "" if has_no_spaces(before) and has_no_spaces(after) else match.group()
    return SINGLE_LINE_END.sub(joined, text)


def fold(text):
    return SPACES.sub(" ", text).strip(" ")


def tokens(text, kind):
    if kind == "char":
        return fold(join_lines(text))
    if kind == "line":
        return [line for line in map(fold, LINE_ENDS.split(text)) if line]
    if kind == "set":
        return list(dict.fromkeys(fold(text).split(" "))) if fold(text) else []
    if not text.isascii():
        raise NotChecked("words of texts that are not ASCII")
    return [word for word in WORDS.findall(text) if any(map(str.isalnum, word))]


def shingles(text, kind, k, bag):
    """The shingles of a text as a Counter: each once, or with --bag as often as it occurs."""
    units = tokens(text, kind)
    if not units:
        return Counter()
    cut = units if kind == "char" else tuple(units)
    counts = Counter(cut[at:at + k] for at in range(max(1, len(cut) - k + 1)))
    return counts if bag else Counter(dict.fromkeys(counts, 1))


def decode(data, name):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
                           (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark):].decode(encoding)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotChecked(f"{name} is not UTF-8") from None


class Documents:
    """The shingles of documents by their names; each is read once."""

    def __init__(self, options):
        self.options, self.texts, self.known = options, {}, {}
        for file in options.records:
            with open(file, encoding="utf-8-sig", newline="\n") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        record = json.loads(line)
                        name = record.get(options.id_field)
                        place = f"{file}:{number}"
                        name = place if name is None else name if isinstance(name, str) else json.dumps(name)
                        self.texts[place if name in self.texts else name] = record[options.text_field]

    def shingles(self, name):
        if name not in self.known:
            options = self.options
            self.known[name] = shingles(self.text(name), options.shingle, options.k, options.bag)
        return self.known[name]

    def text(self, name):
        if isinstance(name, dict):
            raise NotChecked("a name that is not UTF-8")
        if name in self.texts:
            return self.texts[name]
        if os.path.splitext(name)[1].lower() in NOT_PLAIN or not os.path.isfile(name):
            if self.options.shingle == "set" and os.path.isfile(name.rpartition(":")[0]):
                file, _, number = name.rpartition(":")
                with open(file, "rb") as data:
                    return decode(data.read(), file).split("\n")[int(number) - 1]
            raise NotChecked(f"{name} is not a file of plain text")
        with open(name, "rb") as data:
            return decode(data.read(), name)


def numbers(a, b):
    """The numbers of a pair, as a line of `dedup scan` has them."""
    shared, size_a, size_b = (sum(counts.values()) for counts in (a & b, a, b))
    if not size_a or not size_b:
        return {"shared": 0, "shingles_a": size_a, "shingles_b": size_b}
    # A Fraction becomes the nearest floating-point number.
    return {"jaccard": float(Fraction(shared, size_a + size_b - shared)), "containment_a": float(Fraction(shared, size_a)),
            "containment_b": float(Fraction(shared, size_b)), "shared": shared, "shingles_a": size_a, "shingles_b": size_b}


def check_lines(lines, documents, threshold):
    """Prints each difference; returns the pairs, and the numbers of wrong lines and of pairs that were not checked."""
    seen, wrong, not_checked = set(), 0, 0
    for number, line in enumerate(lines, 1):
        try:
            pair = json.loads(line)
            names = pair["a"], pair["b"]
            expected = numbers(*map(documents.shingles, names))
        except NotChecked as reason:
            print(f"line {number}: not checked: {reason}", file=sys.stderr)
            not_checked += 1
            continue
        except (ValueError, KeyError, TypeError) as error:
            print(f"line {number}: is not a pair: {error!r}")
            wrong += 1
            continue
        # 3.0 is equal to 3 in Python, but a number of shingles has no point.
        faults = [f"{key} is {pair.get(key)}, counted {value}" for key, value in expected.items()
                  if pair.get(key) != value or type(pair.get(key)) is not type(value)]
        if expected.get("jaccard", 0) < threshold:
            faults.append(f"jaccard {expected.get('jaccard', 0)} is below the threshold {threshold}")
        if names[0] == names[1]:
            faults.append("both documents are the same one")
        elif names in seen or names[::-1] in seen:
            faults.append("an earlier line has this pair")
        seen.add(names)
        if faults:
            wrong += 1
            print(f"line {number}: {names[0]} {names[1]}: {'; '.join(faults)}")
    return seen, wrong, not_checked


def files_of(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, folders, files in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield from (os.path.join(folder, name) for name in files if not name.startswith("."))


def check_missing(documents, paths, seen, threshold):
    """Compares every two files; returns the number of pairs at the threshold that no line has."""
    sets, missing = {}, 0
    for name in sorted(files_of(paths)):
        try:
            if found := documents.shingles(name):
                sets[name] = found
        except NotChecked as reason:
            print(f"not checked: {reason}", file=sys.stderr)
    for a, b in itertools.combinations(sets, 2):
        if (a, b) not in seen and (b, a) not in seen:
            jaccard = numbers(sets[a], sets[b])["jaccard"]
            if jaccard >= threshold:
                missing += 1
                print(f"missing: {a} {b}: jaccard {jaccard}")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", help="a file of pairs, or - for standard input")
    parser.add_argument("--shingle", choices=["char", "word", "line", "set"], default="char")
    parser.add_argument("--k", type=int, help="tokens of a shingle [default: 9 characters, 5 words, 1 line]")
    parser.add_argument("--bag", action="store_true")
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--records", action="append", default=[], metavar="FILE", help="documents in a file of JSON Lines")
    parser.add_argument("--text-field", default="text")
    parser.add_argument("--id-field", default="id")
    parser.add_argument("--every", nargs="+", default=[], metavar="PATH", help="compare every two files of these paths, too")
    options = parser.parse_args()
    options.k = options.k or {"char": 9, "word": 5}.get(options.shingle, 1)
    documents = Documents(options)
    with sys.stdin if options.pairs == "-" else open(options.pairs, encoding="utf-8") as lines:
        seen, wrong, not_checked = check_lines(lines, documents, options.threshold)
    missing = check_missing(documents, options.every, seen, options.threshold)
    print(f"{len(seen)} pairs checked, {wrong} wrong lines, {missing} missing pairs, {not_checked} pairs not checked")
    sys.exit(1 if wrong or missing else 3 if not_checked else 0)


if __name__ == "__main__":
    main()
