"""Near-duplicates of a data set on a Spark cluster: the pairs, groups and kept rows that `dedup` finds on one machine.

Spark owns partitions, shuffles, retries and storage; the filters of `dedup` own every decision. README.md beside this file says
how to run it. Needs Spark 3.5 or later; the plug `arrow` needs pyarrow on the executors.
    spark-submit --files dedup dedup_spark.py --input docs.parquet --output out --work work [flags of `dedup params` ...]
"""
import argparse
import hashlib
import json
import os
import shlex
import subprocess
import threading
import uuid

from pyspark import SparkFiles
from pyspark.errors import AnalysisException
from pyspark.sql import Observation, SparkSession, Window
from pyspark.sql import functions as F

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
    ("--partitions", {"type": int, "default": 200}, "partitions behind a shuffle"),
    ("--group-bytes", {"type": float, "default": 64e6}, "text of a group of components, about"),
    ("--group-limit", {"type": float, "default": 4e9}, "text of a component above which pairs are verified one by one"),
    ("--memory", {"default": "512MiB"}, "memory of a verifying filter, --memory of `dedup verify`"),
]
NUMBERS = "jaccard DOUBLE, containment_a DOUBLE, containment_b DOUBLE, shared LONG, shingles_a LONG, shingles_b LONG"
FORM = r"ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\u0003'"
SEPARATOR = "\x1f"  # Between order, length and id in the names that are signed.


def arguments(words=None):
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    for name, kind, text in FLAGS:
        flags.add_argument(name, help=text, **kind)
    return flags.parse_known_args(words)


class Job:
    def __init__(self, spark, options, method):
        self.spark, self.options = spark, options
        ran = subprocess.run([local_path(options.binary), "params", "--json", *method], capture_output=True)
        if ran.returncode != 0:
            raise SystemExit(ran.stderr.decode(errors="replace").strip())
        params = json.loads(ran.stdout)
        self.threshold = json.loads(params["params"])["threshold"]
        what = [options.input, options.id, options.text, options.order_by, options.group_bytes, options.group_limit]
        self.work = f"{options.work}/params={hashlib.sha256(json.dumps([params['hash'], *what]).encode()).hexdigest()[:16]}"
        stamp = shlex.join(["--params", params["hash"]])
        self.sign = f"sign --pipe tsv {stamp} {shlex.join(method)}"
        self.verify = f"verify --pipe tsv --ends --memory {options.memory} {stamp} {shlex.join(method)}"
        self.cluster = f"cluster --edges --no-config {stamp}"

    def stage(self, name, make, check=lambda: None):
        """A finished stage, or makes it. What is read of it must have the count and the sum of hashes of what was written."""
        path = f"{self.work}/{name}"
        if not self.sums_of_stage(path):
            rows, written = make(), Observation()
            rows.observe(written, *sums(*rows.columns)).write.mode("overwrite").parquet(path)
            check()
            line = self.spark.createDataFrame([(json.dumps(plain(written.get)),)], "sums STRING")
            line.coalesce(1).write.mode("overwrite").text(f"{path}.sums")
        rows, expected = self.spark.read.parquet(path), self.sums_of_stage(path)
        found = plain(rows.agg(*sums(*rows.columns)).first().asDict())
        if found != expected:
            raise SystemExit(f"{path}: {expected} was written and {found} is read; delete --work and run again")
        print(f"dedup: {name}: {expected['rows']} rows", flush=True)
        return rows

    def sums_of_stage(self, path):
        try:
            line = self.spark.read.text(f"{path}.sums").first()
        except AnalysisException:
            return None
        return line and json.loads(line[0])

    def filter(self, rows, command, columns):
        """Rows of strings through a filter; columns of strings with these names out."""
        schema = ", ".join(f"{name} STRING" for name in columns.split())
        if self.options.plug == "arrow":
            return rows.mapInArrow(through(self.options.binary, command, columns.split()), schema)
        view = f"rows_{uuid.uuid4().hex}"
        rows.createOrReplaceTempView(view)
        # A filter that fails leaves the rest of the rows to `cat`, so that its own words are the message and not a broken pipe.
        script = f"{shlex.quote(self.options.binary)} {command} || {{ code=$?; cat > /dev/null; exit $code; }}"
        script = script.translate({92: "\\\\", 39: "\\'"})
        given = ", ".join(f"`{name}`" for name in rows.columns)
        # Older readers of lines drop empty fields at the end of a line.
        return self.spark.sql(f"SELECT TRANSFORM({given}) {FORM} USING '{script}' AS ({schema}) {FORM} FROM {view}").fillna("")

    def input(self):
        path = self.options.input
        kind = "json" if path.rstrip("*/").endswith((".jsonl", ".json")) else "parquet"
        return self.spark.read.format(kind).load(path)

    def documents(self):
        """Order, id and text of the input, all strings."""
        options, rows, order = self.options, self.input(), F.lit("")
        if options.order_by:
            column = F.col(options.order_by)
            # Numbers as 16 hexadecimal digits, whose bytes are in the order of the numbers.
            number = F.lpad(F.hex(column.cast("bigint").bitwiseXOR(F.lit(-(1 << 63)))), 16, "0")
            order = F.coalesce(column if dict(rows.dtypes)[options.order_by] == "string" else number, F.lit(""))
        name, text = F.col(options.id).cast("string"), F.coalesce(F.col(options.text), F.lit(""))
        rows = rows.select(order.alias("ord"), F.coalesce(name, F.lit("")).alias("id"), text.alias("text"))
        fault = F.concat(F.lit("an id is null or empty, or it or its order has a tab, a line end or U+001F: "), F.col("id"))
        is_bad = (F.col("id") == "") | F.concat("ord", "id").rlike("[\\t\\n\\r\\x1f]")
        return rows.withColumn("id", F.when(is_bad, F.raise_error(fault)).otherwise(F.col("id")))

    def signed(self):
        """All documents with text, with hashes and keys; `node` stands for the text."""
        before, after = Observation(), Observation()

        def make():
            name = F.concat_ws(SEPARATOR, "ord", F.octet_length("text"), "id")
            rows = self.documents().select(name.alias("name"), escaped("text").alias("text")).observe(before, *sums("name"))
            signed = self.filter(rows, self.sign, "name shingles hash keys").observe(after, *sums("name"))
            part, keys = F.split("name", SEPARATOR), F.split("keys", ",").cast("array<bigint>")
            of_name = part[0].alias("ord"), part[2].alias("id"), part[1].cast("bigint").alias("bytes")
            return signed.select(*of_name, "shingles", "hash", F.when(F.col("keys") != "", keys).alias("keys"))

        def check():
            if plain(before.get) != plain(after.get):
                raise SystemExit(f"dedup sign: {plain(before.get)} went in and {plain(after.get)} came out")

        signed = self.stage("1-signed", make, check)
        twice = signed.groupBy("id").count().where("count > 1").take(10)
        if twice:
            raise SystemExit(f"ids that are there more than once: {', '.join(row.id for row in twice)}; make them unique")
        return signed.where("hash != ''").withColumn("node", F.conv(F.substring("hash", 1, 16), 16, -10).cast("bigint"))

    def copies(self, signed):
        """Each document whose text an earlier one has, with the first of these."""
        of_text = Window.partitionBy("hash").orderBy("ord", "id").rowsBetween(Window.unboundedPreceding, 0)
        rows = signed.select("hash", "ord", "id", "shingles").withColumn("first", F.first(F.struct("ord", "id")).over(of_text))
        rows = rows.where("first.id != id").selectExpr("first.id a", "id b", "first.ord ord_a", "ord ord_b", "shingles")
        return self.stage("2-copies", lambda: rows)

    def components(self, signed):
        """The texts that hang together by common keys, as numbers: a chain through each bucket, folded to stars."""
        keyed = signed.select("node", F.explode("keys").alias("key")).repartition(self.options.partitions, "key")
        before = F.lag("node").over(Window.partitionBy("key").orderBy("node"))
        edges = keyed.withColumn("before", before).where("before != node")
        return self.fold("3-components", edges.selectExpr("string(before) a", "string(node) b"))

    def fold(self, name, edges):
        """The least node of each node's component: each partition's edges make stars, which are edges of fewer partitions."""
        partitions, part = self.options.partitions, 0
        while True:
            stars = self.stage(f"{name}-{part}", lambda: self.filter(edges, self.cluster, "node root"))
            if partitions == 1:
                return stars
            partitions, part = partitions // 16 or 1, part + 1
            edges = stars.selectExpr("root a", "node b").repartition(partitions)

    def members(self, signed, components):
        """The first document of each text of a component, with the group that verifies it; none for a large component."""
        def make():
            texts = signed.join(components.selectExpr("bigint(node) node", "root"), "node")
            first = F.min(F.struct("ord", "id", "bytes", "shingles")).alias("first")
            texts = texts.groupBy("hash", "root").agg(first).select("root", "first.*")
            sizes = texts.groupBy("root").agg(F.sum("bytes").alias("all"), F.count("*").alias("texts")).where("texts > 1")
            is_small = F.col("all") <= self.options.group_limit
            of_groups = sizes.where(is_small).agg(F.sum("all")).first()[0] or 0
            group = F.pmod(F.xxhash64("root"), F.lit(int(of_groups // self.options.group_bytes) + 1)).cast("string")
            return texts.join(sizes, "root").select("ord", "id", "shingles", F.when(is_small, group).alias("group"))

        return self.stage("4-members", make)

    def verified(self, name, rows, by, num_rows):
        """Rows through `dedup verify`, whose rows behind each group must count all rows and pairs."""
        everything = self.stage(name, lambda: self.filter(rows, f"{self.verify} --by {by}", "a b ord_a ord_b line"))
        ends, pairs = everything.where("line = ''"), everything.where("line != ''")
        counts = ends.selectExpr("coalesce(sum(bigint(ord_a)), 0)", "coalesce(sum(bigint(ord_b)), 0)").first()
        if tuple(counts) != (num_rows, pairs.count()):
            raise SystemExit(f"{name}: dedup verify read {counts[0]} of {num_rows} rows, {pairs.count()} of {counts[1]} pairs are here")
        return pairs

    def pairs(self, signed, copies, members):
        texts, partitions = self.documents().select("id", escaped("text").alias("text")), self.options.partitions
        grouped, alone = members.where("group IS NOT NULL"), members.where("group IS NULL")
        rows = texts.join(grouped, "id").select("group", "ord", "id", "text")
        rows = rows.repartition(partitions, "group").sortWithinPartitions("group", "ord", "id")
        pairs = self.verified("5-groups", rows, "group", grouped.count())
        pairs = pairs.unionByName(self.verified("5-copies", copies, "copy", copies.count()))
        if alone.isEmpty():
            return pairs
        keyed = alone.join(signed.select("id", "keys"), "id")
        keyed = keyed.selectExpr("ord", "id", "bigint(shingles) shingles", "explode(keys) key")
        x, y = (keyed.toDF(f"ord_{side}", f"id_{side}", f"shingles_{side}", "key") for side in "ab")
        least, most = "least(shingles_a, shingles_b)", "greatest(shingles_a, shingles_b)"
        wanted = f"(ord_a < ord_b OR ord_a = ord_b AND id_a < id_b) AND {least} >= {most} * {self.threshold - 1e-9}D"
        candidates = x.join(y, "key").where(wanted).select("id_a", "id_b", "ord_a", "ord_b").distinct()
        candidates = self.stage("5-candidates", lambda: candidates)
        rows = candidates.join(texts.toDF("id_a", "text_a"), "id_a").join(texts.toDF("id_b", "text_b"), "id_b")
        rows = rows.select("id_a", "id_b", "ord_a", "ord_b", "text_a", "text_b").repartition(partitions, "id_a")
        return pairs.unionByName(self.verified("5-pairs", rows.sortWithinPartitions("id_a"), "pair", candidates.count()))

    def run(self):
        output, signed = self.options.output, self.signed()
        copies = self.copies(signed)
        pairs = self.pairs(signed, copies, self.members(signed, self.components(signed)))
        ordered = pairs.orderBy("ord_a", "a", "ord_b", "b")
        if self.options.lines:
            ordered.select("line").write.mode("overwrite").text(f"{output}/pairs")
        else:
            ordered = ordered.select("a", "b", F.from_json("line", f"{NUMBERS}, estimate DOUBLE").alias("of")).select("a", "b", "of.*")
            ordered.write.mode("overwrite").parquet(f"{output}/pairs")
        stars = self.fold("6-clusters", pairs.select("a", "b").repartition(self.options.partitions))
        stars = stars.join(signed.selectExpr("id node", "ord"), "node")
        first = F.min(F.struct("ord", F.col("node").alias("id"))).over(Window.partitionBy("root"))
        clusters = stars.withColumn("first", first).selectExpr("node id", "first.id first", "ord", "first.ord first_ord")
        clusters.write.mode("overwrite").parquet(f"{output}/clusters")
        others = self.spark.read.parquet(f"{output}/clusters").where("id != first").selectExpr("id `dedup id`")
        kept = self.input().join(others, F.col(f"`{self.options.id}`").cast("string") == F.col("`dedup id`"), "left_anti")
        kept.write.mode("overwrite").parquet(f"{output}/kept")


def local_path(binary):
    """The program on this machine: a file of --files, or a path."""
    shipped = SparkFiles.get(os.path.basename(binary))
    return shipped if os.path.basename(binary) == binary and os.path.exists(shipped) else binary


def sums(*columns):
    """The number of rows and the sum of their hashes, whatever their order."""
    return F.count(F.lit(1)).alias("rows"), F.sum(F.xxhash64(*columns).cast("decimal(38,0)")).alias("hashes")


def plain(found):
    return {name: str(value or 0) for name, value in found.items()}


def escaped(column):
    """A text as filters read it in TSV."""
    text = F.col(column)
    for character, stands in [("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")]:
        text = F.replace(text, F.lit(character), F.lit(stands))
    return text


def through(binary, command, names):
    """A function for mapInArrow that passes rows through a filter."""
    def run(batches):
        import pyarrow
        from pyarrow import compute, csv

        words = [local_path(binary), *shlex.split(command)]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, failed = [], []
        def feed():
            try:
                for batch in batches:
                    lines = compute.binary_join_element_wise(*batch.columns, "\t").to_pylist()
                    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
                process.stdin.close()
            except BaseException as error:  # The rows end here, and so must the filter.
                failed.append(error)
                process.kill()
        threads = [threading.Thread(target=feed), threading.Thread(target=lambda: said.append(process.stderr.read()))]
        for thread in threads:
            thread.start()
        strings = csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False)
        form = csv.ParseOptions(delimiter="\t", quote_char=False, newlines_in_values=False)
        try:
            rest = b""
            while block := process.stdout.read(1 << 22):
                whole, end, rest = (rest + block).rpartition(b"\n")
                if end:
                    reading = csv.ReadOptions(column_names=names, block_size=len(whole) + 1, use_threads=False)
                    yield from csv.read_csv(pyarrow.BufferReader(whole + end), reading, form, strings).to_batches()
            code = process.wait()
            for thread in threads:
                thread.join()
            if code != 0 or failed or rest:
                raise RuntimeError(f"{words[0]} ended with {code}: {said[0].decode(errors='replace').strip()} {failed or ''}")
        finally:
            process.kill()
            process.wait()
    return run


def session():
    """A session that shuffles wanted texts alone: a Bloom filter of their ids goes before the shuffle."""
    of = {"enabled": "true", "applicationSideScanSizeThreshold": "0", "creationSideThreshold": "4g"}
    conf = {f"spark.sql.optimizer.runtime.bloomFilter.{name}": value for name, value in of.items()}
    return SparkSession.builder.appName("dedup").config(map=conf).getOrCreate()


if __name__ == "__main__":
    Job(session(), *arguments()).run()
