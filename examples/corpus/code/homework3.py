"""Find holes in a calendar day."""

import sys


def to_minutes(text):
    """Turn '09:30' into minutes since midnight."""
    hh, mm = text.split(":")
    return int(hh) * 60 + int(mm)


def combine(intervals):
    """Join intervals which touch or overlap; the result is sorted."""
    result = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result


def holes(intervals, day_begin, day_finish):
    """Yield the stretches between day_begin and day_finish with no booking."""
    pos = day_begin
    for start, end in combine(intervals):
        if start > pos:
            yield pos, min(start, day_finish)
        pos = max(pos, end)
        if pos >= day_finish:
            return
    yield pos, day_finish


def main():
    intervals = []
    for line in sys.stdin:
        if not line.strip():
            continue
        a, b = line.split()
        intervals.append((to_minutes(a), to_minutes(b)))
    for start, end in holes(intervals, to_minutes("08:00"), to_minutes("18:00")):
        print(f"{start // 60:02}:{start % 60:02} to {end // 60:02}:{end % 60:02}")


if __name__ == "__main__":
    main()
