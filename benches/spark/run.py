#!/usr/bin/env python3
"""Measures what the job of examples/spark takes beside `dedup scan` of the same records on the same cores.

    tests/spark/run --install
    ~/.cache/dedup/spark/bin/python benches/spark/run.py --program target/dist/dedup --input records.jsonl --folder /tmp/spark-bench

Wall time, and processor time of all processes: the JVM, its filters and its Python workers. The session alone, started and ended, is
beside it, and the job with the first thousand records, which is what a job takes before it does anything. Needs Linux.
"""

import argparse
import contextlib
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
from statistics import median

import pyarrow.json
import pyarrow.parquet

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/spark"))
from cluster import environment

JOB = os.path.join(HERE, "../../examples/spark/dedup_spark.py")
FEW = 1_000
SESSION = "from pyspark.sql import SparkSession; SparkSession.builder.getOrCreate().range(1).count()"
CONF = {
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


def adopt_orphans():
    """Makes this process the parent of what its children leave behind, such as Python workers, so that their time counts."""
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def measured(command, env):
    """Seconds of wall time and of processors that a command takes, with all that it starts."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wall = time.monotonic() - started
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0:
        sys.exit(f"{command[0]} ended with {ran.returncode}: {ran.stderr.decode()[-3000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(label, runs, count):
    wall, cpu = (median(times) for times in zip(*runs))
    print(f"{label:<34} {wall:8.2f} s wall {cpu:8.2f} s cpu {count / wall:12,.0f}/s wall", flush=True)
    return wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--input", required=True, help="JSON Lines with id and text")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--plug", default="arrow")
    parser.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="of Spark; beside those of this file")
    given, flags = parser.parse_known_args()
    adopt_orphans()
    program, folder = os.path.abspath(given.program), os.path.abspath(given.folder)
    os.makedirs(folder, exist_ok=True)
    rows = pyarrow.json.read_json(given.input).select(["id", "text"])
    for name, part in [("whole", rows), ("few", rows.slice(0, FEW))]:
        pyarrow.parquet.write_table(part, f"{folder}/{name}.parquet", row_group_size=100_000)
    env = environment()
    conf = [f"{name}={value}" for name, value in CONF.items()] + given.conf
    submit = [f"{env['SPARK_HOME']}/bin/spark-submit", "--master", f"local[{given.cores}]", "--driver-memory", "3g"]
    submit += [word for of in conf for word in ("--conf", of)]
    with open(f"{folder}/session.py", "w") as script:
        script.write(SESSION)

    def job(name):
        for of in ("work", "out"):
            shutil.rmtree(f"{folder}/{of}", ignore_errors=True)
        what = ["--input", f"{folder}/{name}.parquet", "--output", f"{folder}/out", "--work", f"{folder}/work"]
        return measured([*submit, JOB, *what, "--binary", program, "--plug", given.plug, *flags], env)

    scan = [program, "scan", given.input, "--quiet", "--collapse-exact", "--threads", str(given.cores)]
    kinds = {
        "dedup scan": (len(rows), lambda: measured(scan, env)),
        "session": (1, lambda: measured([*submit, f"{folder}/session.py"], env)),
        f"job of {FEW:,}": (FEW, lambda: job("few")),
        f"job of {len(rows):,}": (len(rows), lambda: job("whole")),
    }
    runs = {label: [] for label in kinds}
    for _ in range(given.runs):
        for label, (_, run) in kinds.items():
            runs[label].append(run())
    of_scan, session, few, whole = (report(label, runs[label], count) for label, (count, _) in kinds.items())
    for label, start in [("session", session), (f"job of {FEW:,}", few)]:
        wall, cpu = ((whole[of] - start[of]) / of_scan[of] for of in (0, 1))
        print(f"without the {label}: {wall:.1f} times the scan in wall time, {cpu:.1f} times in processor time")


if __name__ == "__main__":
    main()
