"""The job of examples/spark on a real cluster of this machine, against `dedup scan` on one machine: the same bytes, or a failure.

    tests/spark/run [--long] [--dedup PROGRAM]

The short form runs the job a few times; the long form in every combination, with kills and with large keys.
"""
import argparse
import contextlib
import glob
import importlib.util
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus
from cluster import Cluster, LocalCluster, Peaks, descendants, environment, kill, processes

HERE = os.path.dirname(os.path.abspath(__file__))
JOB = os.path.join(HERE, "../../examples/spark/dedup_spark.py")
# The tasks of one slow filter must not be given up before a kill is over.
CONF = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.executor.memory": "700m",
    "spark.executor.cores": "1",
    "spark.task.maxFailures": "8",
    "spark.stage.maxConsecutiveAttempts": "8",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
    "spark.log.level": "ERROR",
}


# Of small jobs most of the time is compiling what runs once.
QUICK = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
}


class Failed(Exception):
    pass


def say(*what):
    print(f"[{time.monotonic() - START:6.1f} s]", *what, flush=True)


class Checks:
    def __init__(self, folder, dedup, cluster):
        self.folder, self.dedup, self.cluster, self.number = folder, dedup, cluster, 0
        self.shipped = f"{folder}/bin/dedup"
        os.makedirs(f"{folder}/bin", exist_ok=True)
        shutil.copy(dedup, self.shipped)
        self.job = self.load()
        self.open_session()

    def load(self):
        spec = importlib.util.spec_from_file_location("dedup_spark", JOB)
        module = importlib.util.module_from_spec(spec)
        sys.modules["dedup_spark"] = module
        spec.loader.exec_module(module)
        from pyspark import cloudpickle

        cloudpickle.register_pickle_by_value(module)
        return module

    def open_session(self):
        from pyspark.sql import SparkSession

        os.environ.update(environment(self.cluster.home))
        builder = SparkSession.builder.master(self.cluster.url).config("spark.files", self.shipped)
        for name, value in {**CONF, **self.cluster.conf}.items():
            builder = builder.config(name, value)
        builder.getOrCreate()
        self.spark = self.job.session()
        self.spark.sparkContext.setLogLevel("OFF")

    # What one machine finds

    def expect(self, name, flags=(), **sizes):
        """A corpus with what `dedup` finds in it on one machine."""
        path = f"{self.folder}/{name}.jsonl"
        if not os.path.exists(path):
            corpus.write(path, **sizes)
        run = lambda *words: subprocess.run([self.dedup, *words, path, "--quiet", *flags], stdout=subprocess.PIPE, check=True).stdout
        pairs = run("scan", "--collapse-exact")
        groups = sorted([member for member in json.loads(line)["members"]] for line in run("cluster").decode().splitlines())
        return path, pairs, groups

    def shuffled(self, path):
        """The same as Parquet, in another order."""
        folder = path.replace(".jsonl", ".parquet")
        if not os.path.exists(folder):
            from pyspark.sql import functions as F

            self.spark.read.json(path).orderBy(F.xxhash64("id")).repartition(5).write.parquet(folder)
        return folder

    # Runs of the job

    def options(self, given, **others):
        self.number += 1
        names = {"output": f"{self.folder}/out-{self.number}", "work": f"{self.folder}/work-{self.number}", "lines": None, **others}
        flags = [word for name, value in names.items() for word in ([f"--{name.replace('_', '-')}"] + ([] if value is None else [str(value)]))]
        return [*flags, "--input", given]

    def run(self, given, method=(), **others):
        words = [*self.options(given, **others), *method]
        options, rest = self.job.arguments(words)
        self.spark.conf.set("spark.sql.shuffle.partitions", str(options.partitions or 200))
        with contextlib.redirect_stdout(io.StringIO()):
            self.job.Job(self.spark, options, rest).run()
        return options.output

    def compare(self, what, output, given, expected):
        path, pairs, groups = expected
        found = b"".join(open(part, "rb").read() for part in sorted(glob.glob(f"{output}/pairs/part-*")))
        if found != pairs:
            a, b = pairs.splitlines(), found.splitlines()
            missing, more = sorted(set(a) - set(b))[:3], sorted(set(b) - set(a))[:3]
            raise Failed(f"{what}: {len(a)} pairs on one machine and {len(b)} here; missing {missing}, more {more}")
        rows = self.spark.read.parquet(f"{output}/clusters").collect()
        found = {}
        for row in sorted(rows, key=lambda row: (row.ord.encode(), row.id.encode())):
            found.setdefault(row.first, []).append(row.id)
        if sorted(found.values()) != groups:
            raise Failed(f"{what}: {len(groups)} groups on one machine and {len(found)} here")
        removed = {name for members in groups for name in members[1:]}
        kept = self.spark.read.parquet(f"{output}/kept")
        read = self.spark.read.json(path)
        if sorted(kept.columns) != sorted(read.columns):
            raise Failed(f"{what}: rows that are kept have the columns {kept.columns}")
        ids = sorted(str(row.id) for row in kept.select("id").collect())
        if ids != sorted(str(row.id) for row in read.select("id").collect() if str(row.id) not in removed):
            raise Failed(f"{what}: {len(ids)} rows are kept")
        say(f"{what}: the same {len(pairs.splitlines())} pairs, {len(groups)} groups, {len(ids)} rows")

    def same(self, what, given, expected, method=(), **others):
        output = self.run(given, method, **others)
        self.compare(what, output, given, expected)

    # Filters that fail

    def script(self, name, text):
        path = f"{self.folder}/bin/{name}"
        with open(path, "w") as script:
            script.write(f"#!/bin/bash\n{text}\nexec {self.dedup} \"$@\"\n")
        os.chmod(path, 0o755)
        return path

    def fails(self, what, given, words, **others):
        try:
            output = self.run(given, **others)
        except BaseException as error:
            said = f"{error}"
            if any(word in said for word in words):
                return say(f"{what}: fails with {next(word for word in words if word in said)!r}")
            raise Failed(f"{what}: fails, but without {words}:\n{said[:3000]}")
        raise Failed(f"{what}: the job goes on and writes {output}")

    def filters_that_fail(self, given, plug):
        fails = lambda what, given, words, binary: self.fails(f"{plug}, {what}", given, words, plug=plug, partitions=2, binary=binary)
        on = lambda command, text: f'if [ "$1" = {command} ]; then {text}; fi'
        lose = {"transform": ["sed '$d'", "sed 1d"], "arrow": [f"{sys.executable} {HERE}/lose.py {which}" for which in ["last", "first"]]}[plug]
        lying = self.script("liar", on("sign", f'{self.dedup} "$@" | {lose[0]}; exit 0'))
        fails("a filter drops a row", given, ["dedup sign: "], lying)
        lying = self.script("liar-of-pairs", on("verify", f'{self.dedup} "$@" | {lose[1]}; exit 0'))
        fails("a filter drops a pair", given, ["dedup verify: "], lying)
        lying = self.script("liar-of-components", on("cluster", f'{self.dedup} "$@" | {lose[1]}; exit 0'))
        fails("a filter drops a node", given, ["dedup cluster: "], lying)
        lying = self.script("silent", on("cluster", "cat > /dev/null; exit 0"))
        fails("a filter writes nothing", given, ["dedup cluster: ", "ended with 0"], lying)
        half = self.script("half", on("sign", f'{self.dedup} "$@" | head -c 5000; exit 3'))
        fails("a filter stops within a row", given, ["status 3", "ended with 3", "exited with status 3"], half)
        fails("a filter is missing", given, ["No such file", "no-such"], f"{self.folder}/bin/no-such")
        fails("a filter of other parameters", given, ["parameters differ"], self.script("other", on("sign", 'set -- "$@" --k 7')))
        version = subprocess.run([self.dedup, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
        later = self.script("later", on("verify", f'set -- "${{@/{version}:/0.9.0:}}"'))
        fails("a filter of another version", given, ["version 0.9.0 is asked for"], later)

    def nested(self):
        """An id in a struct, no limit of components, and texts of which none has a pair."""
        path = f"{self.folder}/nested.jsonl"
        with open(path, "w") as lines:
            lines.writelines(json.dumps({"of": {"id": name}, "text": f"a text of {name * 9}"}) + "\n" for name in "abc")
        output = self.run(path, id="of.id", group_limit="inf", partitions=2)
        kept = self.spark.read.parquet(f"{output}/kept").count()
        if kept != 3:
            raise Failed(f"texts without pairs: {kept} of 3 are kept")
        say("texts without pairs, by an id in a struct: 3 are kept")

    def rows_that_fail(self, plug):
        for what, ids, words in [
            ("an id is there twice", ["a", "b", "c", "b"], ["more than once: b; make them unique"]),
            ("an id has a tab", ["a", "b\tc"], ["its id has a tab", "4 fields in place of 3"]),
            ("an id is null", ["a", None], ["the field id is empty"]),
        ]:
            path = f"{self.folder}/bad-{what.replace(' ', '-')}.jsonl"
            with open(path, "w") as lines:
                lines.writelines(json.dumps({"id": name, "text": f"text {number} of some words"}) + "\n" for number, name in enumerate(ids))
            self.fails(f"{plug}, {what}", path, words, plug=plug, partitions=2)
        path = f"{self.folder}/fraction.jsonl"
        with open(path, "w") as lines:
            lines.write('{"id": "a", "text": "one", "of": {"id": "x", "rank": 1.5}}\n')
        self.fails(f"{plug}, an order of fractions", path, ["a column of whole numbers or strings"], plug=plug, order_by="of.rank")

    # Kills

    def slow(self, command, by=""):
        """A program whose first filter of a kind waits until something was killed."""
        self.number += 1
        mark = f"{self.folder}/slow-{self.number}"
        test = f'[ "$1" = {command} ] && [[ "$*" == *"{by}"* ]] && mkdir {mark} 2>/dev/null'
        return self.script(f"slow-{self.number}", f"if {test}; then echo $$ > {mark}.pid; for i in {{1..300}}; do [ -e {mark}.go ] && break; sleep 0.1; done; fi"), mark

    def killing(self, what, command, by, given, expected, plug):
        binary, mark = self.slow(command, by)
        failed = []

        def wait_and_kill():
            try:
                end = time.time() + 240
                while not (os.path.exists(f"{mark}.pid") and open(f"{mark}.pid").read().strip()):
                    if time.time() > end:
                        raise Failed(f"{command} {by} was never run")
                    time.sleep(0.1)
                self.kill(what, int(open(f"{mark}.pid").read()))
            except BaseException as error:
                failed.append(error)
            finally:
                open(f"{mark}.go", "w").close()

        thread = threading.Thread(target=wait_and_kill)
        thread.start()
        try:
            self.same(f"{plug}, {what} killed in {command} {by}", given, expected, plug=plug, partitions=3, binary=binary)
        finally:
            thread.join()
        if failed:
            raise failed[0]

    def kill(self, what, filter_id):
        parents = {number: (parent, line) for number, parent, line in processes()}
        above, at = [], filter_id
        while at in parents:
            above.append(at)
            at = parents[at][0]
        if what == "filter":
            return kill(filter_id)
        executor = next(number for number in above if "CoarseGrainedExecutorBackend" in parents[number][1])
        worker = next(name for name, process in self.cluster.processes.items() if process.pid in above)
        before = self.cluster.log("master").count("Removing")
        orphans = descendants(executor)
        if what == "worker":
            self.cluster.kill(worker)
        else:
            kill(executor)
        for folder in glob.glob(f"{self.cluster.folder}/local-{worker}/*"):
            shutil.rmtree(folder, ignore_errors=True)
        if what == "worker":
            self.cluster.start_worker(int(worker.partition("-")[2]))
        end = time.time() + 60
        while self.cluster.log("master").count("Removing") == before:
            if time.time() > end:
                raise Failed(f"the master never lost the {what}")
            time.sleep(0.1)
        end = time.time() + 60
        while left := [line for number, _, line in processes() if number in orphans and "dedup" in line and "slow-" not in line]:
            if time.time() > end:
                raise Failed(f"filters outlive the {what}: {left}")
            time.sleep(0.1)

    def killed_driver(self, command, by, given, expected):
        """Kills spark-submit in a stage; the same command goes on from there."""
        binary, mark = self.slow(command, by)
        env = environment()
        conf = [word for name, value in CONF.items() for word in ("--conf", f"{name}={value}")]
        options = self.options(given, partitions=3, binary=binary)
        submit = [f"{env['SPARK_HOME']}/bin/spark-submit", "--master", self.cluster.url, *conf, JOB, *options]
        log = open(f"{mark}.log", "wb")
        self.spark.stop()
        driver = subprocess.Popen(submit, env=env, stdout=log, stderr=log)
        while not os.path.exists(f"{mark}.pid"):
            if driver.poll() is not None:
                raise Failed(f"the driver ended with {driver.returncode}:\n{open(f'{mark}.log').read()[-3000:]}")
            time.sleep(0.1)
        for process in [driver.pid, *descendants(driver.pid)]:
            kill(process)
        driver.wait()
        open(f"{mark}.go", "w").close()
        ran = subprocess.run(submit, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if ran.returncode != 0:
            raise Failed(f"the rerun ended with {ran.returncode}:\n{ran.stdout.decode()[-3000:]}")
        self.open_session()
        self.compare(f"driver killed in {command} {by} and run again", options[options.index("--output") + 1], given, expected)


# A few of everything.
SMALL = {"chain": 60, "template": 120, "pages": 150}


def short(checks):
    expected = checks.expect("small", **SMALL)
    path = expected[0]
    parquet = checks.shuffled(path)
    checks.same("arrow, Parquet in another order, all by pairs", parquet, expected, plug="arrow", partitions=2, group_limit=1)
    # By the other plug.
    text = f'if [ "$1" = sign ]; then {checks.dedup} "$@" | sed "\\$d"; exit 0; fi'
    checks.nested()
    checks.fails("a filter drops a row", path, ["dedup sign: "], partitions=2, binary=checks.script("bad-sign", text))


STAGES = [("sign", ""), ("cluster", ""), ("verify", "--by group")]
PLUGS = ["transform", "arrow"]


def matrix(checks):
    """Partitions, plugs, formats and orders of the input, sizes of groups, and another method."""
    expected = checks.expect("whole", **checks.sizes)
    path, parquet = expected[0], checks.shuffled(expected[0])
    for plug, partitions, given in itertools.product(checks.plugs, checks.partitions, [path, parquet]):
        how = {3: {"group_limit": 1}, 8: {"group_bytes": 20_000}}.get(partitions, {})
        what = f"{plug}, {partitions} partitions, {os.path.basename(given)} {how or ''}"
        checks.same(what, given, expected, plug=plug, partitions=partitions, **how)
    method = ["--shingle", "word", "--threshold", "0.5", "--lowercase"]
    checks.same("words", path, checks.expect("whole", method, **checks.sizes), method, partitions=3)


def failures(checks):
    """Filters that fail, lie, are missing or of another version."""
    path = checks.expect("whole", **checks.sizes)[0]
    for plug in checks.plugs:
        checks.filters_that_fail(path, plug)
        checks.rows_that_fail(plug)


def kills(checks):
    """A filter, an executor and a worker killed in each stage."""
    expected = checks.expect("whole", **checks.sizes)
    for plug, what, (command, by) in itertools.product(checks.plugs, ["filter", "executor", "worker"], STAGES):
        checks.killing(what, command, by, expected[0], expected, plug)


def drivers(checks):
    """The driver killed in each stage, and the same command again."""
    expected = checks.expect("whole", **checks.sizes)
    for command, by in STAGES:
        checks.killed_driver(command, by, expected[0], expected)


def keys(checks):
    """A key of 200,000 documents."""
    large(checks, "key", checks.count or 200_000, 3)


def components(checks):
    """A component of 100,000."""
    large(checks, "component", checks.count or 100_000, 60)


PARTS = [matrix, failures, kills, drivers, keys, components]


def long(checks):
    for part in PARTS:
        part(checks)


def large(checks, what, count, every):
    """One bucket of texts that all share keys, or a chain of as many."""
    path = f"{checks.folder}/{what}.jsonl"
    base = corpus.words(77, 400)
    with open(path, "w") as lines:
        for number in range(count):
            if what == "key":
                # Near to one another, but none near enough at the threshold of the run: candidates, hardly pairs.
                text = " ".join(base[:200]) + f" n{number} " + " ".join(corpus.words(number, 90))
            else:
                text = " ".join(f"v{place}" for place in range(4 * number, 4 * number + every))
            lines.write(json.dumps({"id": f"{number:07}", "text": text}) + "\n")
    start = time.monotonic()
    expected = checks.expect(what, ["--threshold", "0.9"])
    one = time.monotonic() - start
    for plug in checks.plugs:
        start = time.monotonic()
        with Peaks() as peaks:
            checks.same(f"{plug}, a {what} of {count}", path, expected, ["--threshold", "0.9"], partitions=8, plug=plug)
        took = time.monotonic() - start
        say(f"{plug}: {one:.0f} s for scan and cluster on one machine, {took:.0f} s here; most MB of a process: {peaks.most}")


if __name__ == "__main__":
    START = time.monotonic()
    flags = argparse.ArgumentParser()
    flags.add_argument("--dedup", required=True)
    flags.add_argument("--long", action="store_true")
    flags.add_argument("--only", choices=[part.__name__ for part in PARTS], help="one part of the long form")
    flags.add_argument("--plug", choices=PLUGS, help="with this plug alone")
    flags.add_argument("--partitions", type=int, help="the matrix for this number alone")
    flags.add_argument("--count", type=int, help="documents of the key or the component, of which there are 200,000 and 100,000")
    flags.add_argument("--small", action="store_true", help="the long form with the corpus of the short one")
    given = flags.parse_args()
    kind = Cluster if given.long or given.only else LocalCluster
    with tempfile.TemporaryDirectory(prefix="dedup-spark-") as folder, kind(f"{folder}/cluster") as cluster:
        if kind is LocalCluster:
            cluster.conf = QUICK
        checks = Checks(folder, os.path.abspath(given.dedup), cluster)
        say("the cluster is there")
        checks.sizes, checks.count = SMALL if given.small else {}, given.count
        checks.plugs = [given.plug] if given.plug else PLUGS
        checks.partitions = [given.partitions] if given.partitions else [1, 3, 8, 200]
        try:
            globals()[given.only](checks) if given.only else long(checks) if given.long else short(checks)
        except Failed as failed:
            sys.exit(f"FAILED {failed}")
        finally:
            checks.spark.stop()
    say("all passed")
