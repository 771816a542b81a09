"""Near-duplicates of a data set on a Spark cluster: the pairs, groups and kept rows that `dedup` finds on one machine. See README.md."""
import argparse
import hashlib
import itertools
import json
import os
import shlex
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from pyspark import SparkFiles
from pyspark.errors import AnalysisException
from pyspark.sql import Observation, SparkSession, Window, functions as F

FLAGS = [
    ("--input", {"required": True}, "Parquet files, or JSON Lines where the name ends in .jsonl or .json"),
    ("--id", {"default": "id"}, "column of the id, unique and not null"),
    ("--text", {"default": "text"}, "column of the text"),
    ("--order-by", {}, "column of whole numbers or strings that documents are in order of, then by id; default: id"),
    ("--output", {"required": True}, "folder of the results"),
    ("--work", {"required": True}, "folder of finished stages, from which a rerun goes on"),
    ("--lines", {"action": "store_true"}, "write pairs as the lines of `dedup scan`, in their order"),
    ("--plug", {"choices": ["transform", "arrow"], "default": "transform"}, "how rows pass to filters"),
    ("--binary", {"default": "dedup"}, "the program: a file given to --files, or a path on all machines"),
    ("--partitions", {"type": int}, "partitions behind a shuffle; default: one for 200,000 documents, and for each slot"),
    ("--group-bytes", {"type": float, "default": 64e6}, "text of a group of components, about"),
    ("--group-limit", {"type": float, "default": 4e9}, "text of a component above which pairs are verified one by one"),
    ("--results", {"nargs": "+", "choices": ["pairs", "clusters", "kept"], "default": ["pairs", "clusters", "kept"]}, "which results to write"),
    ("--memory", {"default": "512MiB"}, "memory of a verifying filter, --memory of `dedup verify`"),
]
NUMBERS = "jaccard DOUBLE, containment_a DOUBLE, containment_b DOUBLE, shared LONG, shingles_a LONG, shingles_b LONG, estimate DOUBLE"
SIGNED = "ord STRING, id STRING, bytes LONG, text_hash BINARY, node LONG, part LONG, block BINARY"
VERIFIED = "a STRING, b STRING, ord_a STRING, ord_b STRING, line STRING"
FORM = r"ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\u0003'"
SEPARATOR = "\x1f"  # Between order and id in the names of documents: it is before all that an order has.
FEW = 1_000_000  # Rows that every machine gets all of, so that what they are joined with stays where it is.


def arguments(words=None):
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    for name, kind, text in FLAGS:
        flags.add_argument(name, help=text, **kind)
    return flags.parse_known_args(words)


class Job:
    def __init__(self, spark, options, method):
        self.spark, self.options, self.sums, self.checks = spark, options, {}, []
        ran = subprocess.run([local_path(options.binary), "params", "--json", *method], capture_output=True, text=True)
        if ran.returncode != 0:
            raise SystemExit(ran.stderr.strip())
        params = json.loads(ran.stdout)
        self.threshold, stamp = json.loads(params["params"])["threshold"], shlex.join(["--params", params["hash"], *method])
        options.group_bytes, options.group_limit = max(options.group_bytes, 1), int(min(options.group_limit, 1 << 62))
        self.input = spark.read.format("json" if options.input.rstrip("*/").endswith((".jsonl", ".json")) else "parquet").load(options.input)
        what = [sorted(self.input.inputFiles()), options.id, options.text, options.order_by, options.group_bytes, options.group_limit, SIGNED]
        self.work = f"{options.work}/params={hashlib.sha256(json.dumps([params['hash'], *what]).encode()).hexdigest()[:16]}"
        self.sign, self.verify = f"sign {stamp}", f"verify --ends --memory {options.memory} {stamp}"
        self.cluster = f"cluster --edges --ends --no-config --params {params['hash']}"
        self.slots, self.background = spark.sparkContext.defaultParallelism, ThreadPoolExecutor()

    def stage(self, name, make, check=lambda found: None, **more):
        """A finished stage, or makes it. Before the next is finished, what is read of it must have the sums of what was written."""
        path, reader = f"{self.work}/{name}", self.spark.read
        sums = {"rows": "count(1)", "hashes": "sum(shiftright(xxhash64({}), 32))", **more}
        measures = lambda rows: [F.expr(of.format(", ".join(rows.columns))).alias(sum_) for sum_, of in sums.items()]
        try:
            written = json.loads(reader.text(f"{path}.sums").first()[0])
        except (AnalysisException, TypeError):
            rows, seen = make(), Observation()
            rows.observe(seen, *measures(rows)).write.mode("overwrite").option("parquet.enable.dictionary", "false").parquet(path)
            written = {sum_: int(value or 0) for sum_, value in seen.get.items()}
            check(written)
            self.check()
            self.spark.range(1).coalesce(1).select(F.lit(json.dumps(written))).write.mode("overwrite").text(f"{path}.sums")
            reader = reader.schema(rows.schema)
        rows, self.sums[name] = reader.parquet(path), written
        read = lambda: {sum_: int(value or 0) for sum_, value in rows.agg(*measures(rows)).first().asDict().items()}
        self.checks.append((path, written, self.background.submit(read)))
        print(f"dedup: {name}: {written['rows']} rows", flush=True)
        return rows

    def check(self):
        """Waits for what is looked at in the background."""
        for path, written, found in self.checks:
            if found.result() != written:
                raise SystemExit(f"{path}: {written} was written and {found.result()} is read; delete --work and run again")
        self.checks = []

    def filter(self, rows, command, schema):
        """Rows through a filter: a row of these columns and types for each that it writes."""
        if self.options.plug == "arrow":
            return rows.mapInArrow(through(self.options.binary, f"{command} --pipe arrow"), schema)
        view, columns = f"rows_{id(rows)}", [column.split() for column in schema.split(", ")]
        rows = rows.withColumns({name: escaped(name) for name in rows.columns if "text" in name})
        rows = rows.withColumns({name: F.hex(name) for name, kind in rows.dtypes if kind == "binary"})
        rows.createOrReplaceTempView(view)
        # A filter that fails leaves the rest of the rows to `cat`, so that its own words are the message and not a broken pipe.
        script = f"{shlex.quote(self.options.binary)} {command} --pipe tsv || {{ code=$?; cat > /dev/null; exit $code; }}"
        script = script.translate({92: "\\\\", 39: "\\'"})
        given, found = (", ".join(f"`{name}`" for name in names) for names in (rows.columns, dict(columns)))
        # Older readers of lines drop empty fields at the end of a line.
        rows = self.spark.sql(f"SELECT TRANSFORM({given}) {FORM} USING '{script}' AS ({found}) {FORM} FROM {view}").fillna("")
        as_ = {"STRING": "{0}", "BINARY": "unhex(nullif({0}, '')) {0}", "ARRAY<LONG>": "cast(split(nullif({0}, ''), ',') AS {1}) {0}"}
        return rows.selectExpr(*(as_.get(kind, "cast(nullif({0}, '') AS {1}) {0}").format(name, kind) for name, kind in columns))

    def documents(self):
        """Order, id and text of the input, all strings."""
        options, order = self.options, F.lit("")
        if options.order_by:
            column, kind = F.col(options.order_by), self.input.select(options.order_by).dtypes[0][1]
            if kind not in ("string", "bigint", "int", "smallint", "tinyint"):
                raise SystemExit(f"--order-by {options.order_by}: a column of whole numbers or strings is needed, and this is {kind}")
            number = F.lpad(F.hex(column.cast("bigint").bitwiseXOR(F.lit(-(1 << 63)))), 16, "0")  # Bytes in the order of numbers.
            order = F.coalesce(column if kind == "string" else number, F.lit(""))
        name, text = F.col(options.id).cast("string"), F.coalesce(F.col(options.text), F.lit(""))
        return self.input.select(order.alias("ord"), F.coalesce(name, F.lit("")).alias("id"), text.alias("text"))

    def signed(self):
        """All documents with the hash of the text and the `node` that stands for it, and keys in blocks. A last row counts both."""
        before, parts = Observation(), self.options.partitions or max(self.slots, self.input.rdd.getNumPartitions())
        make = lambda: self.filter(self.documents().observe(before, F.expr("count(1) rows")), f"{self.sign} --blocks {parts}", SIGNED)
        given = lambda found: {"rows": int(before.get["rows"]), "documents": found["said_documents"], "blocks": found["said_blocks"]}
        check = lambda found: expect("dedup sign", given(found), {"rows": found["documents"], **{of: found[of] for of in ("documents", "blocks")}})
        said = {"said_documents": "sum(if(id = '', bytes, 0))", "said_blocks": "sum(if(id = '' AND block IS NULL, part, 0))"}
        signed = self.stage("1-signed", make, check, documents="count_if(id != '')", blocks="count(block)", **said)
        self.partitions = self.options.partitions or max(self.slots, self.sums["1-signed"]["documents"] // 200_000 + 1)
        return signed.where("id != ''"), signed.where("block IS NOT NULL").select("part", "block"), parts

    def components(self, documents, blocks, parts):
        """The texts that hang together by common keys, as numbers, and those of several documents."""
        partitions = min(parts, self.options.partitions or self.sums["1-signed"]["documents"] // 2_000_000 + 1)
        rows, below_zero = spread(blocks, partitions, "part").select("block"), "count_if(node < 0)"
        components = self.fold("2-components", rows, "LONG", partitions, "--by-block", below_zero=below_zero)
        if self.sums["2-components-1"]["below_zero"] and (twice := documents.groupBy("id").count().where("count > 1").take(10)):
            raise SystemExit(f"ids that are there more than once: {', '.join(row.id for row in twice)}; make them unique")
        return components.where("node >= 0")

    def fold(self, name, rows, kind, partitions, by="", **more):
        """The least node of each node's component: each partition's rows make stars, which are edges of fewer partitions."""
        is_end = "coalesce(cast(root AS STRING), '') = ''"  # Two rows behind those of a partition count what came in and went out.
        said = {"said": f"sum(if({is_end}, cast(node AS LONG), 0))", "ends": f"count_if({is_end})"}
        while True:
            before, read = Observation(), rows
            make = lambda: self.filter(read.observe(before, F.expr("count(1) rows")), f"{self.cluster} {by}", f"node {kind}, root {kind}")
            check = lambda found: expect("dedup cluster", int(before.get["rows"]) + found["rows"] - found["ends"], found["said"])
            stars = self.stage(f"{name}-{partitions}", make, check, **said, **more).where(f"NOT {is_end}")
            if partitions == 1:
                return stars
            partitions, by = 1 if self.sums[f"{name}-{partitions}"]["rows"] < 10 * FEW else partitions // 16 or 1, ""
            rows = stars.selectExpr("root a", "node b").repartition(partitions)

    def members(self, documents, components):
        """The documents of each component, with the first document of the same text, and the bytes of all texts of the component."""
        rows = documents.join(few(components, self.sums["2-components-1"]["rows"]), "node")
        of_text = Window.partitionBy("root", "text_hash").orderBy("ord", "id").rowsBetween(Window.unboundedPreceding, 0)
        rows = rows.repartition(self.partitions, "root").withColumn("first", F.first(F.struct("ord", "id")).over(of_text))
        rows = rows.selectExpr("root", "ord", "id", "first", "first.id = id is_first", "if(first.id = id, bytes, 0) bytes")
        rows, is_grouped = rows.withColumn("total", F.expr("sum(bytes) OVER (PARTITION BY root)")), f"total <= {self.options.group_limit}"
        return self.stage("3-members", lambda: rows, bytes=f"sum(if({is_grouped}, bytes, 0))", grouped=f"count_if({is_grouped})")

    def pairs(self, members):
        """The pairs of each group of components, and of components that are no part of a group."""
        texts, sums, limit = self.documents().select("id", "text"), self.sums["3-members"], self.options.group_limit
        groups = max(int(sums["bytes"] // self.options.group_bytes) + 1, 8 * self.partitions)
        rows = few(members.where(F.col("total") <= limit), sums["grouped"]).join(texts, "id")
        columns = "ord", "id", "if(is_first, text, '') text", "if(is_first, '', first.id) copy_of"
        rows = spread(rows.selectExpr(f"pmod(xxhash64(root), {groups}) group", *columns), self.partitions, "group")
        rows = rows.sortWithinPartitions("group", "ord", "id")
        alone = self.candidates(members.where(F.col("total") > limit), texts) if sums["grouped"] < sums["rows"] else None
        read = sums["grouped"] + (self.sums["4-candidates"]["rows"] if alone else 0)
        verify = lambda rows, by: self.filter(rows, f"{self.verify} --by {by}", VERIFIED)
        grouped = lambda: verify(rows, "group --copies")
        make = (lambda: grouped().unionByName(verify(alone, "pair"))) if alone else grouped
        check = lambda found: expect("dedup verify", {"rows": read, "pairs": found["said"]}, {"rows": found["read"], "pairs": found["pairs"]})
        # Behind each group is a row that counts its rows and pairs.
        said = {of: f"sum(if(line = '', cast({name} AS LONG), 0))" for of, name in [("read", "ord_a"), ("said", "ord_b")]}
        return self.stage("5-pairs", make, check, pairs="count_if(line != '')", **said).where("line != ''")

    def candidates(self, alone, texts):
        """Copies with the first document of their text, and pairs of first documents that share a key, with their texts."""
        firsts = alone.where("is_first").select("id", "ord").join(texts, "id")
        keys = self.filter(firsts.select("id", "text"), self.sign, "id STRING, shingles LONG, text_hash STRING, keys ARRAY<LONG>")
        keyed = firsts.drop("text").join(keys.selectExpr("id", "shingles", "explode(keys) key"), "id")
        x, y = (keyed.selectExpr(f"ord ord_{side}", f"id {side}", f"shingles shingles_{side}", "key") for side in "ab")
        is_near = f"least(shingles_a, shingles_b) >= greatest(shingles_a, shingles_b) * {self.threshold - 1e-9}D"
        found = x.join(y, "key").where(f"(ord_a < ord_b OR ord_a = ord_b AND a < b) AND {is_near}")
        copies = alone.where("NOT is_first").selectExpr("first.id a", "id b", "first.ord ord_a", "ord ord_b")
        stored = self.stage("4-candidates", lambda: found.select("a", "b", "ord_a", "ord_b").distinct().unionByName(copies))
        rows = stored.join(texts.toDF("a", "text_a"), "a").join(texts.toDF("b", "text_b"), "b")
        return rows.select("a", "b", "ord_a", "ord_b", "text_a", "text_b").repartition(self.partitions, "a").sortWithinPartitions("a")

    def clusters(self, pairs):
        """Each document of a pair, with the first document of its group."""
        edges = (F.concat(f"ord_{side}", F.lit(SEPARATOR), side).alias(side) for side in "ab")
        partitions = self.options.partitions or self.sums["5-pairs"]["pairs"] // (10 * FEW) + 1
        stars = self.fold("6-clusters", pairs.select(*edges).repartition(partitions), "STRING", partitions)
        part = {"ord": f"substring_index({{0}}, '{SEPARATOR}', 1) ", "id": f"substring({{0}}, instr({{0}}, '{SEPARATOR}') + 1) "}
        names = ("id", "node", "id"), ("id", "root", "first"), ("ord", "node", "ord"), ("ord", "root", "first_ord")
        return stars.selectExpr(*(part[of].format(column) + name for of, column, name in names))

    def write_pairs(self, pairs, path):
        order, is_few = ["ord_a", "a", "ord_b", "b"], self.sums["5-pairs"]["pairs"] < FEW
        ordered = pairs.coalesce(1).sortWithinPartitions(*order) if is_few else pairs.orderBy(*order)
        if self.options.lines:
            return ordered.select("line").write.mode("overwrite").text(path)
        ordered.select("a", "b", F.from_json("line", NUMBERS).alias("of")).select("a", "b", "of.*").write.mode("overwrite").parquet(path)

    def run(self):
        documents, *blocks = self.signed()
        pairs = self.pairs(self.members(documents, self.components(documents, *blocks)))
        output, results = self.options.output, self.options.results
        self.check()
        written = self.background.submit(self.write_pairs, pairs, f"{output}/pairs") if "pairs" in results else None
        clusters = self.clusters(pairs) if {"clusters", "kept"} & {*results} else None
        self.check()
        if "clusters" in results:
            clusters.write.mode("overwrite").parquet(f"{output}/clusters")
        if "kept" in results:
            others = few(clusters.where("id != first").selectExpr("id `dedup id`"), self.sums["6-clusters-1"]["rows"])
            is_other = F.col(self.options.id).cast("string") == F.col("`dedup id`")
            self.input.join(others, is_other, "left_anti").write.mode("overwrite").parquet(f"{output}/kept")
        return written and written.result()


def local_path(binary):
    """The program on this machine: a file of --files, or a path."""
    shipped = SparkFiles.get(os.path.basename(binary))
    return shipped if os.path.basename(binary) == binary and os.path.exists(shipped) else binary


def expect(what, given, found):
    """Ends a job in which rows were lost on the way."""
    if given != found:
        raise SystemExit(f"{what}: {given} is expected, and {found} came out")


def few(rows, count):
    """Rows that go to every machine, when they are few."""
    return F.broadcast(rows) if count < FEW else rows


def spread(rows, partitions, column):
    """Rows of one number in a column together, and numbers evenly where this Spark can do so."""
    by_number = getattr(rows, "repartitionById", None)
    return by_number(partitions, (F.col(column) % partitions).cast("int")) if by_number else rows.repartition(partitions, column)


def escaped(column):
    """A text as filters read it in TSV."""
    text = F.col(column)
    for character, stands in [("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")]:
        text = F.replace(text, F.lit(character), F.lit(stands))
    return text


def through(binary, command):
    """A function for mapInArrow that passes batches through a filter."""
    def run(batches):
        import pyarrow
        first = next(batches, None)
        if first is None:
            return
        words, said, failed = [local_path(binary), *shlex.split(command)], tempfile.TemporaryFile(), []
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        def feed():
            try:
                with pyarrow.ipc.new_stream(process.stdin, first.schema) as stream:
                    for batch in itertools.chain([first], batches):
                        stream.write_batch(batch)
                process.stdin.close()
            except BaseException as error:  # The rows end here, and so must the filter.
                failed.append(error)
                process.kill()
        (feeder := threading.Thread(target=feed)).start()
        try:
            try:
                yield from pyarrow.ipc.open_stream(process.stdout)
            except (pyarrow.ArrowException, OSError) as error:
                failed.append(error)
            code, _ = process.wait(), feeder.join()
            if code != 0 or failed:
                said.seek(0)
                raise RuntimeError(f"{words[0]} ended with {code}: {said.read().decode(errors='replace').strip()} {failed or ''}")
        finally:
            process.kill(), process.wait()
    return run


def session():
    """A session that shuffles wanted texts alone: a Bloom filter of their ids goes before the shuffle."""
    of = {"enabled": "true", "applicationSideScanSizeThreshold": "0", "creationSideThreshold": "4g"}
    conf = {f"spark.sql.optimizer.runtime.bloomFilter.{name}": value for name, value in of.items()}
    return SparkSession.builder.appName("dedup").config(map=conf).getOrCreate()


if __name__ == "__main__":
    Job(session(), *arguments()).run()
