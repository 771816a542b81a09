"""Merge overlapping bookings and report the free time left in a day."""

import sys


def parse_clock(text):
    """Turn '09:30' into minutes since midnight."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def merge(bookings):
    """Join bookings which touch or overlap; the result is sorted."""
    merged = []
    for start, end in sorted(bookings):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def gaps(bookings, opening, closing):
    """Yield the stretches between opening and closing with no booking."""
    cursor = opening
    for start, end in merge(bookings):
        if start > cursor:
            yield cursor, min(start, closing)
        cursor = max(cursor, end)
        if cursor >= closing:
            return
    yield cursor, closing


def main():
    bookings = []
    for line in sys.stdin:
        if not line.strip():
            continue
        first, last = line.split()
        bookings.append((parse_clock(first), parse_clock(last)))
    for start, end in gaps(bookings, parse_clock("08:00"), parse_clock("18:00")):
        print(f"{start // 60:02}:{start % 60:02} to {end // 60:02}:{end % 60:02}")


if __name__ == "__main__":
    main()
