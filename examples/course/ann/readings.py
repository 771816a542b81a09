"""Reads the temperatures of a weather station."""


def read_rows(path):
    rows = []
    with open(path) as station:
        for line in station:
            day, low, high = line.split(",")
            rows.append((day, float(low), float(high)))
    return rows


def mean_of(rows, column):
    total = 0.0
    for row in rows:
        total += row[column]
    return total / len(rows)
