#!/usr/bin/env python3
"""Measures what run.py measures of the index with datasketch, in memory or on Redis, on the same records.

    python3 benches/index/rivals.py --folder /tmp/index-bench --storage memory --documents 100000
    python3 benches/index/rivals.py --folder /tmp/index-bench --storage redis --documents 20000

The records are those that run.py wrote into the folder. datasketch and the client of Redis are installed into the environment of
benches/compare. `redis-server` has to be there (Debian: apt-get install redis-server); one is started on a socket in a temporary
folder, without a network, and ended at the end. Documents are sets of their distinct runs of nine characters, and there are 20 bands
of 5 rows, as the index has them.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = pathlib.Path.home() / ".cache" / "dedup" / "rivals"


def in_environment(folder):
    """Goes on in the environment of the rivals."""
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix) != folder:
        sys.path.insert(0, str(HERE.parent / "compare"))
        from environment import Environment

        done = Environment(folder).install("redis")
        if done.returncode != 0:
            sys.exit(f"the client of Redis is not installed: {done.stderr.strip()}")
        os.execv(python, [str(python), *sys.argv])


def records(path, count):
    with open(path) as lines:
        for _, line in zip(range(count), lines):
            record = json.loads(line)
            yield record["id"], record["text"]


def signed(datasketch, text):
    minhash = datasketch.MinHash(num_perm=100)
    minhash.update_batch({text[at : at + 9].encode() for at in range(len(text) - 8)})
    return minhash


def show(what, seconds, count):
    print(f"{what:<42} {seconds:9.2f} s {count / seconds:12,.0f}/s", flush=True)


def memory_of(process="self"):
    with open(f"/proc/{process}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields["VmRSS"].split()[0]) / 1024


def measure(datasketch, arguments, storage, server):
    lsh = datasketch.MinHashLSH(num_perm=100, params=(20, 5), storage_config=storage)
    before, started = memory_of(), time.monotonic()
    signing = 0.0
    session = lsh.insertion_session(buffer_size=10_000) if server else lsh
    for name, text in records("corpus.jsonl", arguments.documents):
        at = time.monotonic()
        minhash = signed(datasketch, text)
        signing += time.monotonic() - at
        session.insert(name, minhash)
    if server:
        session.close()
    seconds = time.monotonic() - started
    show("build", seconds, arguments.documents)
    show("of that, without signing", seconds - signing, arguments.documents)
    taken = memory_of(server.pid) if server else memory_of() - before
    print(f"bytes of memory a document: {taken * 2**20 / arguments.documents:,.0f}", flush=True)
    asked = list(records("asked.jsonl", arguments.asked))
    times = []
    for _, text in asked:
        started = time.perf_counter()
        lsh.query(signed(datasketch, text))
        times.append(time.perf_counter() - started)
    times.sort()
    at = lambda share: 1000 * times[int(share * (len(times) - 1))]
    print(f"{'questions, one after another':<42} median {at(0.5):.3f} ms, 99 % {at(0.99):.3f} ms, "
          f"{len(times) / sum(times):,.0f}/s", flush=True)
    started = time.monotonic()
    for name, text in records("more.jsonl", arguments.asked):
        lsh.insert(name, signed(datasketch, text))
    show("add, one after another", time.monotonic() - started, arguments.asked)
    names = [name for name, _ in records("corpus.jsonl", min(arguments.asked, arguments.documents))]
    started = time.monotonic()
    for name in names:
        lsh.remove(name)
    show("remove", time.monotonic() - started, len(names))
    if not server:
        import pickle

        started = time.monotonic()
        kept = pickle.dumps(lsh, protocol=5)
        print(f"bytes of a pickle a document: {len(kept) / arguments.documents:,.0f}; "
              f"written in {time.monotonic() - started:.1f} s", flush=True)
        started = time.monotonic()
        pickle.loads(kept).query(signed(datasketch, asked[0][1]))
        print(f"one question from a cold start, by way of the pickle: {time.monotonic() - started:.1f} s", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"greatest memory of the process: {peak:.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="that run.py wrote its records to")
    parser.add_argument("--storage", choices=["memory", "redis"], required=True)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=2000)
    parser.add_argument("--env", type=pathlib.Path, default=ENVIRONMENT)
    arguments = parser.parse_args()
    in_environment(arguments.env.resolve())
    import datasketch

    print(f"datasketch {datasketch.__version__}, {arguments.storage}, {arguments.documents:,} documents", flush=True)
    os.chdir(arguments.folder)
    if arguments.storage == "memory":
        return measure(datasketch, arguments, {"type": "dict"}, None)
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/socket"
        command = ["redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "", "--appendonly", "no"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while not os.path.exists(socket):
                if server.poll() is not None:
                    sys.exit("redis-server has ended")
                time.sleep(0.05)
            storage = {"type": "redis", "basename": b"bench", "redis": {"unix_socket_path": socket}}
            measure(datasketch, arguments, storage, server)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
