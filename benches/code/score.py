"""Scores ways to find copied programs on the corpus of generate.py, level by level.

    python3 score.py FOLDER target/dist/dedup

For each level the corpus is all originals and the copies of that level. Precision, recall and F1 are of the pairs that are
reported; average precision is of the ranking of all pairs by the number that decides. The table is Markdown, as in the handbook.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

METHODS = {
    "characters": ("jaccard", 0.5, ["--threshold"]),
    "words": ("jaccard", 0.5, ["--shingle", "word", "--threshold"]),
    "`--preset code`": ("jaccard", 0.5, ["--preset", "code", "--threshold"]),
    "`--preset code --match passages`": ("coverage", 0.3, ["--preset", "code", "--match", "passages", "--coverage"]),
}
# Pairs below this are not ranked.
LEAST = 0.01


def pairs(dedup, flags, least, files):
    """All pairs of files from a number on."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(map(str, files)) + "\n")
        names.flush()
        command = [dedup, "scan", "--quiet", *flags, str(least), "--files-from", names.name]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def number_of(pair, key):
    return max(pair["coverage_a"], pair["coverage_b"]) if key == "coverage" else pair[key]


def scores(ranked, positives, threshold):
    """Precision, recall, F1 at the threshold, and average precision; `ranked` is of (number, is a copy)."""
    ranked.sort(key=lambda entry: (-entry[0], entry[1]))
    found = [is_copy for number, is_copy in ranked if number >= threshold]
    hits = sum(found)
    precision = hits / len(found) if found else 0.0
    recall = hits / positives
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    seen = average = 0
    for rank, (_, is_copy) in enumerate(ranked, 1):
        if is_copy:
            seen += 1
            average += seen / rank
    return precision, recall, f1, average / positives


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("dedup", nargs="?", default="dedup")
    args = parser.parse_args()
    copies = {}
    for line in (args.folder / "labels.tsv").read_text().splitlines():
        original, copy, level = line.split("\t")
        copies.setdefault(level, set()).add((original, copy))
    programs = args.folder / "programs"
    originals = sorted(path.name for path in programs.glob("*-original.*"))
    print("| Level | Found by | Precision | Recall | F1 | Average precision |")
    print("| --- | --- | --- | --- | --- | --- |")
    for level, labels in copies.items():
        files = sorted(originals + [copy for _, copy in labels])
        for method, (key, threshold, flags) in METHODS.items():
            found = pairs(args.dedup, flags, LEAST, [programs / name for name in files])
            ranked = []
            for pair in found:
                names = tuple(pathlib.Path(pair[side]).name for side in "ab")
                ranked.append((number_of(pair, key), names in labels or names[::-1] in labels))
            numbers = scores(ranked, len(labels), threshold)
            print(f"| {level} | {method} | " + " | ".join(f"{number:.2f}" for number in numbers) + " |")


if __name__ == "__main__":
    main()
