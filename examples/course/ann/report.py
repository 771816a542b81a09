"""Prints the coldest and the warmest day."""

from readings import read_rows, mean_of


def extremes(rows):
    coldest = min(rows, key=lambda row: row[1])
    warmest = max(rows, key=lambda row: row[2])
    return coldest[0], warmest[0]


def print_report(path):
    rows = read_rows(path)
    cold, warm = extremes(rows)
    print("mean", mean_of(rows, 1), mean_of(rows, 2))
    print("coldest", cold, "warmest", warm)
