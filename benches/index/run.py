#!/usr/bin/env python3
"""Measures the index: build, add, remove, questions line by line and in a batch, one cold question, bytes on disk.

    python3 benches/index/run.py --program target/dist/dedup --documents 1000000 --folder /tmp/index-bench

Records have about 450 bytes of words; one in ten is a copy of another one with some words changed. Times are wall time; the
processor time of this process's children is beside them, since others may work on the machine.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import threading
import time


def words(generator, count):
    return [WORDS[int(generator.random() ** 2 * len(WORDS))] for _ in range(count)]


WORDS = []


def text_of(generator, earlier):
    if earlier and generator.random() < 0.1:
        text = list(generator.choice(earlier))
        for _ in range(3):
            text[generator.randrange(len(text))] = generator.choice(WORDS)
        return text
    return words(generator, generator.randint(50, 80))


def write_records(path, start, count, seed):
    generator = random.Random(seed)
    earlier = []
    with open(path, "w") as out:
        for number in range(start, start + count):
            text = text_of(generator, earlier)
            if len(earlier) < 5000:
                earlier.append(text)
            else:
                earlier[generator.randrange(5000)] = text
            out.write(json.dumps({"id": f"doc-{number:08}", "text": " ".join(text)}) + "\n")


def timed(label, command, count, **kwargs):
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{label:<42} {seconds:9.2f} s wall {cpu:9.2f} s cpu {count / seconds:12,.0f}/s wall", flush=True)
    return done.stdout


def follow(program, index, questions, label, flags=()):
    child = subprocess.Popen([program, "query", index, "--stdin", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    times = []
    for line in questions:
        started = time.perf_counter()
        child.stdin.write(line)
        child.stdin.flush()
        child.stdout.readline()
        times.append(time.perf_counter() - started)
    child.stdin.close()
    child.wait()
    times.sort()
    at = lambda share: 1000 * times[int(share * (len(times) - 1))]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{label:<42} median {at(0.5):.3f} ms, 99 % {at(0.99):.3f} ms, {len(times) / sum(times):,.0f}/s; "
          f"greatest child so far {peak:.0f} MiB", flush=True)


def batches_of_a_thousand(name, count, start):
    """Writes so many files of 1,000 records, numbered from `start` on; returns their names."""
    paths = [f"{name}-{number}.jsonl" for number in range(count)]
    for number, path in enumerate(paths):
        write_records(path, start + 1000 * number, 1000, start + number)
    return paths


def beside_a_writer(program, questions, start):
    """Questions line by line while other processes add 1,000 documents ten times a second, or as often as they can."""
    asked, added = threading.Event(), 0
    batches = batches_of_a_thousand("beside", 200, start)

    def write():
        nonlocal added
        for batch in batches:
            started = time.monotonic()
            subprocess.run([program, "index", "add", "bench.index", batch, "-q", "--wait", "60"], check=True)
            added += 1000
            if asked.wait(max(0, started + 0.1 - time.monotonic())):
                break

    writer, started = threading.Thread(target=write), time.monotonic()
    writer.start()
    follow(program, "bench.index", questions, "follow, beside a process that adds")
    assert writer.is_alive(), "the process that adds ended before the questions did; give it more batches"
    asked.set()
    print(f"{'  meanwhile added':<42} {added / (time.monotonic() - started):,.0f}/s", flush=True)
    writer.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--more", type=int, default=200_000, help="documents that are added to the index")
    parser.add_argument("--asked", type=int, default=100_000, help="questions of the batch")
    arguments = parser.parse_args()
    program, count = os.path.abspath(arguments.program), arguments.documents
    os.makedirs(arguments.folder, exist_ok=True)
    os.chdir(arguments.folder)
    generator = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    WORDS.extend("".join(generator.choice(letters) for _ in range(generator.randint(3, 10))) for _ in range(20000))
    for name, start, number, seed in [("corpus", 0, count, 2), ("more", count, arguments.more, 3), ("asked", 10 * count, arguments.asked, 2)]:
        if not os.path.exists(f"{name}.jsonl"):
            write_records(f"{name}.jsonl", start, number, seed)
    if os.path.exists("bench.index"):
        os.remove("bench.index")
    timed("build", [program, "index", "build", "bench.index", "corpus.jsonl", "--signature", "fast", "-q"], count)
    info = json.loads(subprocess.check_output([program, "index", "info", "bench.index", "--json"]))
    print(f"bytes a document: {info['bytes_a_document']:.0f}; parts {info['parts']}", flush=True)
    lines = open("asked.jsonl", "rb").read().splitlines(keepends=True)
    follow(program, "bench.index", lines[:5000], "follow, after build")
    timed("questions in a batch", [program, "query", "bench.index", "asked.jsonl", "-q"], arguments.asked)
    with open("one.jsonl", "wb") as out:
        out.write(lines[7])
    timed("one question, warm", [program, "query", "bench.index", "one.jsonl", "-q"], 1)
    with open("bench.index", "rb") as index:
        os.fsync(index.fileno())
        os.posix_fadvise(index.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    timed("one question, cold cache", [program, "query", "bench.index", "one.jsonl", "-q"], 1)
    timed("add in batches of 100,000", [program, "index", "add", "bench.index", "more.jsonl", "-q"], arguments.more)
    follow(program, "bench.index", lines[:2000], "follow, after adding")
    batches = batches_of_a_thousand("thousand", 20, 20 * count)
    started = time.monotonic()
    for batch in batches:
        subprocess.run([program, "index", "add", "bench.index", batch, "-q"], check=True)
    print(f"{'add 20 batches of 1,000, one command each':<42} {20_000 / (time.monotonic() - started):,.0f}/s", flush=True)
    beside_a_writer(program, lines[:5000], 30 * count)
    generator = random.Random(9)
    durable = [(json.dumps({"id": f"s{n}", "text": " ".join(words(generator, 65))}) + "\n").encode() for n in range(300)]
    follow(program, "bench.index", durable, "follow --add all --sync", ["--add", "all", "--sync"])
    with open("names", "w") as out:
        names = [f"doc-{number:08}\n" for number in range(0, count, max(1, count // 20_000))]
        out.writelines(names)
    timed("remove", [program, "index", "remove", "bench.index", "--ids-from", "names", "-q"], len(names))
    timed("compact", [program, "index", "compact", "bench.index"], 1)
    timed("check", [program, "index", "check", "bench.index"], count)


if __name__ == "__main__":
    main()
