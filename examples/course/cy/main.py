"""Weather, by classes."""

from dataclasses import dataclass


@dataclass
class Day:
    name: str
    low: float
    high: float

    @property
    def middle(self):
        return (self.low + self.high) / 2


class Station:
    def __init__(self, days):
        self.days = list(days)

    def sorted_by_warmth(self):
        return sorted(self.days, key=Day.middle.fget)
