import csv

from main import Day, Station


def station_of(path):
    with open(path, newline="") as handle:
        reader = csv.DictReader(handle, fieldnames=["name", "low", "high"])
        days = (Day(row["name"], float(row["low"]), float(row["high"])) for row in reader)
        return Station(days)
