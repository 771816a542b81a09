"""All of the exercise in one file."""


def warm_and_cold(values):
    low_day = min(values, key=lambda value: value[1])
    high_day = max(values, key=lambda value: value[2])
    return low_day[0], high_day[0]


def histogram(values, width):
    counts = {}
    for value in values:
        bucket = int(value[2] // width)
        counts[bucket] = counts.get(bucket, 0) + 1
    return counts
