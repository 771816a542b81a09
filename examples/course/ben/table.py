import sys


def load(name):
    table = []
    with open(name) as source:
        for text in source:
            date, least, most = text.split(",")
            table.append((date, float(least), float(most)))
    return table


def average(table, number):
    result = 0.0
    for entry in table:
        result += entry[number]
    return result / len(table)


if __name__ == "__main__":
    print(len(load(sys.argv[1])))
