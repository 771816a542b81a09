"""Writes the development corpus: programs in six languages, copies of them at seven levels, and programs of their own.

    python3 generate.py FOLDER [--programs 12] [--seed 14]

FOLDER/programs gets a file for each program, FOLDER/labels.tsv a line for each copy: the original, the copy, its level. Any other
two programs were made independently. The same seed writes the same bytes.
"""

import argparse
import pathlib
import random

from languages import LANGUAGES
from programs import Maker, exchanged, padded, renamed, reordered, split, translated

LEVELS = {
    "renamed": [renamed],
    "comments": [renamed, translated],
    "reordered": [renamed, translated, reordered],
    "dead code": [renamed, translated, padded],
    "loops": [renamed, translated, exchanged],
    "split": [renamed, translated, split],
    "all": [renamed, translated, reordered, padded, exchanged, split],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=12, help="originals in each language, and as many that nobody copied")
    parser.add_argument("--seed", type=int, default=14)
    args = parser.parse_args()
    folder = args.folder / "programs"
    folder.mkdir(parents=True)
    labels = []
    for language in LANGUAGES:
        for number in range(2 * args.programs):
            own = random.Random(f"{args.seed} {language.suffix} {number}")
            program = Maker(own).program(own.randrange(4, 9))
            name = f"{language.suffix}{number:03}-original.{language.suffix}"
            (folder / name).write_text(language.text(program))
            if number >= args.programs:
                continue
            for level, steps in LEVELS.items():
                copy = program
                for step in steps:
                    copy = step(copy, own)
                copied = f"{language.suffix}{number:03}-{level.replace(' ', '-')}.{language.suffix}"
                (folder / copied).write_text(language.text(copy))
                labels.append(f"{name}\t{copied}\t{level}\n")
    (args.folder / "labels.tsv").write_text("".join(labels))


if __name__ == "__main__":
    main()
