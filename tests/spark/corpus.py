"""A corpus that is as hard on the job as data can be, as JSON Lines in the order of the ids, from a seed."""
import json
import random


def words(seed, count):
    chosen = random.Random(seed)
    return [f"w{chosen.randrange(9000)}" for _ in range(count)]


def documents(chain=300, template=800, pages=1200):
    """The documents as (id, text)."""
    # A chain: each is near to the next one, and the ends have nothing in common.
    long = words(1, 60 + 6 * chain)
    for number in range(chain):
        yield f"chain-{number:05}", " ".join(long[6 * number : 6 * number + 60])
    # A form, filled in in many ways.
    form = words(2, 60)
    for number in range(template):
        filled = list(form)
        for place in range(0, number % 7):
            filled[(number * 13 + place * 7) % 60] = f"x{number % 90}"
        yield f"form-{number:05}", " ".join(filled)
    # Pages without a word of their own.
    page = " ".join(words(3, 40))
    for number in range(pages):
        yield f"page-{number:05}", page
    # Exact copies, but for white space.
    for number in range(40):
        text = " ".join(words(100 + number // 2, 30))
        yield f"copy-{number:05}", text if number % 2 == 0 else text.replace(" ", "\n\t", 3) + " \r\n"
    # Texts by themselves.
    for number in range(200):
        yield f"alone-{number:05}", " ".join(words(1000 + number, 30))
    odd = "nul \0 line \u2028 para \u2029 next \u0085 tab \t back \\ slash \\n quote \" ' 中文 𝄞 é " + " ".join(words(4, 25))
    yield from [("odd-a", odd), ("odd-b", odd + " more"), ("odd-\U0001f600", odd + " most"), ("odd-\uffee", odd + " other")]
    yield from [("7", odd + " seven"), ("10", odd + " ten"), ("-1.5", odd + " minus"), ("0", "")]
    yield from [("empty-a", ""), ("empty-b", " \n\t"), ("short-a", "x"), ("short-b", "x"), ("short-c", "y z")]
    yield from [("id \\ back", odd), ("id\"quote'", odd + " quote"), ("id ünï\u2028cödé", odd + " line"), ("\\N", odd + " null")]
    large = " ".join(words(5, 180_000))
    yield from [("large-a", large), ("large-b", large[:-200]), ("large-c", large + " end")]


def write(path, **sizes):
    """Writes the documents in the order of the bytes of their ids; gives their number."""
    rows = sorted(documents(**sizes), key=lambda row: row[0].encode())
    with open(path, "w", encoding="utf-8") as lines:
        for number, (name, text) in enumerate(rows):
            lines.write(json.dumps({"id": name, "text": text, "date": -number, "more": {"n": number}}, ensure_ascii=number % 2 == 0) + "\n")
    return len(rows)
