"""Near-duplicates of a data set on a Spark cluster: the pairs, groups and kept rows that `dedup` finds on one machine.

Spark owns partitions, shuffles, retries and storage; the filters of `dedup` own every decision. README.md beside this file says
how to run it. Needs Spark 3.5 or later; the plug `arrow` needs pyarrow and pandas.
    spark-submit --files dedup dedup_spark.py --input docs.parquet --output out --work work [flags of `dedup params` ...]
"""
import argparse
import hashlib
import itertools
import json
import os
import shlex
import subprocess
import tempfile
import threading

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
    ("--partitions", {"type": int}, "partitions behind a shuffle; default: one for 200,000 documents, and for each slot"),
    ("--group-bytes", {"type": float, "default": 64e6}, "text of a group of components, about"),
    ("--group-limit", {"type": float, "default": 4e9}, "text of a component above which pairs are verified one by one"),
    ("--memory", {"default": "512MiB"}, "memory of a verifying filter, --memory of `dedup verify`"),
]
NUMBERS = "jaccard DOUBLE, containment_a DOUBLE, containment_b DOUBLE, shared LONG, shingles_a LONG, shingles_b LONG"
VERIFIED = "a STRING, b STRING, ord_a STRING, ord_b STRING, line STRING"
FORM = r"ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' NULL DEFINED AS '\u0003'"
SEPARATOR = "\x1f"  # Between order, length and id in the names that are signed.


def arguments(words=None):
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    for name, kind, text in FLAGS:
        flags.add_argument(name, help=text, **kind)
    return flags.parse_known_args(words)


class Job:
    def __init__(self, spark, options, method):
        self.spark, self.options, self.rows = spark, options, {}
        ran = subprocess.run([local_path(options.binary), "params", "--json", *method], capture_output=True)
        if ran.returncode != 0:
            raise SystemExit(ran.stderr.decode(errors="replace").strip())
        params = json.loads(ran.stdout)
        self.threshold, stamp = json.loads(params["params"])["threshold"], shlex.join(["--params", params["hash"], *method])
        what = [options.input, options.id, options.text, options.order_by, options.group_bytes, options.group_limit]
        self.work = f"{options.work}/params={hashlib.sha256(json.dumps([params['hash'], *what]).encode()).hexdigest()[:16]}"
        self.sign, self.verify = f"sign {stamp}", f"verify --ends --memory {options.memory} {stamp}"
        self.cluster = f"cluster --edges --no-config --params {params['hash']}"
        kind = "json" if options.input.rstrip("*/").endswith((".jsonl", ".json")) else "parquet"
        self.input, self.partitions = spark.read.format(kind).load(options.input), options.partitions

    def stage(self, name, make, check=lambda: None):
        """A finished stage, or makes it. What is read of it must have the count and the sum of hashes of what was written."""
        path = f"{self.work}/{name}"
        try:
            expected = json.loads(self.spark.read.text(f"{path}.sums").first()[0])
        except (AnalysisException, TypeError):
            rows, written = make(), Observation()
            rows.observe(written, *sums(*rows.columns)).write.mode("overwrite").parquet(path)
            check()
            expected = plain(written.get)
            line = self.spark.createDataFrame([(json.dumps(expected),)], "sums STRING")
            line.coalesce(1).write.mode("overwrite").text(f"{path}.sums")
        rows = self.spark.read.parquet(path)
        found = plain(rows.agg(*sums(*rows.columns)).first().asDict())
        if found != expected:
            raise SystemExit(f"{path}: {expected} was written and {found} is read; delete --work and run again")
        self.rows[name] = int(expected["rows"])
        print(f"dedup: {name}: {expected['rows']} rows", flush=True)
        return rows

    def filter(self, rows, command, schema):
        """Rows through a filter: a row of these columns and types for each that it writes."""
        if self.options.plug == "arrow":
            return rows.mapInArrow(through(self.options.binary, f"{command} --pipe arrow"), schema)
        view, columns = f"rows_{id(rows)}", [column.split() for column in schema.split(", ")]
        rows = rows.withColumns({name: escaped(name) for name in rows.columns if "text" in name})
        rows.createOrReplaceTempView(view)
        # A filter that fails leaves the rest of the rows to `cat`, so that its own words are the message and not a broken pipe.
        script = f"{shlex.quote(self.options.binary)} {command} --pipe tsv || {{ code=$?; cat > /dev/null; exit $code; }}"
        script = script.translate({92: "\\\\", 39: "\\'"})
        given, found = (", ".join(f"`{name}`" for name in names) for names in (rows.columns, [name for name, _ in columns]))
        # Older readers of lines drop empty fields at the end of a line.
        rows = self.spark.sql(f"SELECT TRANSFORM({given}) {FORM} USING '{script}' AS ({found}) {FORM} FROM {view}").fillna("")
        cast = "cast(split(nullif({0}, ''), ',') AS {1}) {0}", "cast({0} AS {1}) {0}"
        return rows.selectExpr(*(cast["ARRAY" not in kind].format(name, kind) for name, kind in columns))

    def documents(self):
        """Order, id and text of the input, all strings."""
        options, rows, order = self.options, self.input, F.lit("")
        if options.order_by:
            column = F.col(options.order_by)
            # Numbers as 16 hexadecimal digits, whose bytes are in the order of the numbers.
            number = F.lpad(F.hex(column.cast("bigint").bitwiseXOR(F.lit(-(1 << 63)))), 16, "0")
            order = F.coalesce(column if dict(rows.dtypes)[options.order_by] == "string" else number, F.lit(""))
        name, text = F.col(options.id).cast("string"), F.coalesce(F.col(options.text), F.lit(""))
        rows = rows.select(order.alias("ord"), F.coalesce(name, F.lit("")).alias("id"), text.alias("text"))
        fault = F.raise_error(F.concat(F.lit("an id is null or empty, or it or its order has a tab, a line end or U+001F: "), "id"))
        is_bad = (F.col("id") == "") | F.concat("ord", "id").rlike("[\\t\\n\\r\\x1f]")
        return rows.withColumn("id", F.when(is_bad, fault).otherwise(F.col("id")))

    def signed(self):
        """All documents with text, with hashes and keys; `node` stands for the text."""
        before, after = Observation(), Observation()

        def make():
            name = F.concat_ws(SEPARATOR, "ord", F.octet_length("text"), "id").alias("id")
            rows = self.documents().select(name, "text").observe(before, *sums("id"))
            signed = self.filter(rows, self.sign, "id STRING, shingles LONG, text_hash STRING, keys ARRAY<LONG>")
            part, signed = F.split("id", SEPARATOR), signed.observe(after, *sums("id"))
            of_name = part[0].alias("ord"), part[2].alias("id"), part[1].cast("bigint").alias("bytes")
            return signed.select(*of_name, "shingles", F.col("text_hash").alias("hash"), "keys")

        def check():
            if plain(before.get) != plain(after.get):
                raise SystemExit(f"dedup sign: {plain(before.get)} went in and {plain(after.get)} came out")

        signed = self.stage("1-signed", make, check)
        twice = more_than_once(signed.select("id"), F.col("id")).groupBy("id").count().where("count > 1").take(10)
        if twice:
            raise SystemExit(f"ids that are there more than once: {', '.join(row.id for row in twice)}; make them unique")
        self.partitions = self.partitions or max(self.spark.sparkContext.defaultParallelism, self.rows["1-signed"] // 200_000 + 1)
        # 47 bits of the hash.
        node = F.shiftright(F.conv(F.substring("hash", 1, 12), 16, 10).cast("bigint"), 1)
        return signed.where("hash != ''").withColumn("node", node)

    def copies(self, signed):
        """Each document whose text an earlier one has, with the first of these."""
        of_text = Window.partitionBy("hash").orderBy("ord", "id").rowsBetween(Window.unboundedPreceding, 0)
        rows = more_than_once(signed.select("hash", "ord", "id", "shingles"), F.col("hash"))
        rows = rows.withColumn("first", F.first(F.struct("ord", "id")).over(of_text))
        rows = rows.where("first.id != id").selectExpr("first.id a", "id b", "first.ord ord_a", "ord ord_b", "shingles")
        return self.stage("2-copies", lambda: rows)

    def components(self, signed):
        """The texts that hang together by common keys, as numbers: those of each partition of keys, folded.

        48 bits of a key and the node travel as 64 and 31 bits, in the order of nodes, which makes them small.
        """
        keyed = signed.sortWithinPartitions("node").select("node", F.explode("keys").alias("key"))
        keyed = keyed.selectExpr("key & -65536 | node & 65535 low", "int(shiftright(node, 16)) high")
        key, node = F.shiftright("low", 16), F.expr("shiftleft(bigint(high), 16) | low & 65535")
        rows = keyed.repartition(self.partitions, key).select(key.alias("key"), node.alias("node"))
        return self.fold("3-components", rows, "LONG", "--by-key")

    def fold(self, name, rows, kind, by=""):
        """The least node of each node's component: each partition's rows make stars, which are edges of fewer partitions."""
        partitions = self.partitions
        while True:
            stars = self.stage(f"{name}-{partitions}", lambda: self.filter(rows, f"{self.cluster} {by}", f"node {kind}, root {kind}"))
            if partitions == 1:
                return stars
            partitions, by = partitions // 16 or 1, ""
            rows = stars.selectExpr("root a", "node b").repartition(partitions)

    def members(self, signed, components):
        """The first document of each text of a component, with the component and its bytes."""
        first, of_root = F.min(F.struct("ord", "id", "bytes", "shingles")).alias("first"), Window.partitionBy("root")
        texts = signed.join(components, "node").groupBy("root", "hash").agg(first).select("root", "first.*")
        texts = texts.withColumns({"all": F.sum("bytes").over(of_root), "texts": F.count("*").over(of_root)})
        return self.stage("4-members", lambda: texts.where("texts > 1").drop("texts"))

    def verified(self, name, rows, by, num_rows):
        """Rows through `dedup verify`, whose rows behind each group must count all rows and pairs."""
        everything = self.stage(name, lambda: self.filter(rows, f"{self.verify} --by {by}", VERIFIED))
        ends, pairs = everything.where("line = ''"), everything.where("line != ''")
        counts = ends.selectExpr("coalesce(sum(bigint(ord_a)), 0)", "coalesce(sum(bigint(ord_b)), 0)").first()
        if tuple(counts) != (num_rows, pairs.count()):
            raise SystemExit(f"{name}: dedup verify read {counts[0]} of {num_rows} rows, {pairs.count()} of {counts[1]} pairs are here")
        return pairs

    def pairs(self, signed, copies, members):
        texts, partitions, limit = self.documents().select("id", "text"), self.partitions, self.options.group_limit
        grouped, alone = members.where(F.col("all") <= limit), members.where(F.col("all") > limit)
        num_groups = int((grouped.agg(F.sum("bytes")).first()[0] or 0) // self.options.group_bytes) + 1
        grouped = grouped.withColumn("group", F.pmod(F.xxhash64("root"), F.lit(num_groups)).cast("string"))
        rows = grouped.join(texts, "id").select("group", "ord", "id", "text")
        rows = rows.repartition(partitions, "group").sortWithinPartitions("group", "ord", "id")
        pairs = self.verified("5-groups", rows, "group", grouped.count())
        pairs = pairs.unionByName(self.verified("5-copies", copies, "copy", copies.count()))
        if alone.isEmpty():
            return pairs
        keyed = alone.join(signed.select("id", "keys"), "id")
        keyed = keyed.selectExpr("ord", "id", "shingles", "explode(keys) key")
        x, y = (keyed.toDF(f"ord_{side}", side, f"shingles_{side}", "key") for side in "ab")
        is_near = f"least(shingles_a, shingles_b) >= greatest(shingles_a, shingles_b) * {self.threshold - 1e-9}D"
        found = x.join(y, "key").where(f"(ord_a < ord_b OR ord_a = ord_b AND a < b) AND {is_near}")
        found = self.stage("5-candidates", lambda: found.select("a", "b", "ord_a", "ord_b").distinct())
        rows = found.join(texts.toDF("a", "text_a"), "a").join(texts.toDF("b", "text_b"), "b")
        rows = rows.select("a", "b", "ord_a", "ord_b", "text_a", "text_b").repartition(partitions, "a").sortWithinPartitions("a")
        return pairs.unionByName(self.verified("5-pairs", rows, "pair", found.count()))

    def run(self):
        output, signed = self.options.output, self.signed()
        pairs = self.pairs(signed, self.copies(signed), self.members(signed, self.components(signed)))
        ordered = pairs.orderBy("ord_a", "a", "ord_b", "b")
        if self.options.lines:
            ordered.select("line").write.mode("overwrite").text(f"{output}/pairs")
        else:
            numbers = F.from_json("line", f"{NUMBERS}, estimate DOUBLE").alias("of")
            ordered.select("a", "b", numbers).select("a", "b", "of.*").write.mode("overwrite").parquet(f"{output}/pairs")
        stars = self.fold("6-clusters", pairs.select("a", "b").repartition(self.partitions), "STRING")
        stars = stars.join(signed.selectExpr("id node", "ord"), "node")
        first = F.min(F.struct("ord", F.col("node").alias("id"))).over(Window.partitionBy("root")).alias("first")
        clusters = stars.select("*", first).selectExpr("node id", "first.id first", "ord", "first.ord first_ord")
        clusters.write.mode("overwrite").parquet(f"{output}/clusters")
        others = self.spark.read.parquet(f"{output}/clusters").where("id != first").selectExpr("id `dedup id`")
        kept = self.input.join(others, F.col(f"`{self.options.id}`").cast("string") == F.col("`dedup id`"), "left_anti")
        kept.write.mode("overwrite").parquet(f"{output}/kept")


def local_path(binary):
    """The program on this machine: a file of --files, or a path."""
    shipped = SparkFiles.get(os.path.basename(binary))
    return shipped if os.path.basename(binary) == binary and os.path.exists(shipped) else binary


def more_than_once(rows, column):
    """Those rows whose value others have too, and hardly others: hashes of values travel to be counted."""
    rows = rows.withColumn("hashed", F.xxhash64(column))
    return rows.join(rows.groupBy("hashed").count().where("count > 1"), "hashed", "left_semi").drop("hashed")


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
        feeder = threading.Thread(target=feed)
        feeder.start()
        try:
            try:
                yield from pyarrow.ipc.open_stream(process.stdout)
            except (pyarrow.ArrowException, OSError) as error:
                failed.append(error)
            code = process.wait()
            feeder.join()
            if code != 0 or failed:
                said.seek(0)
                raise RuntimeError(f"{words[0]} ended with {code}: {said.read().decode(errors='replace').strip()} {failed or ''}")
        finally:
            process.kill()
            process.wait()
    return run


def session():
    """A session that shuffles wanted texts alone: a Bloom filter of their ids goes before the shuffle."""
    of = {"enabled": "true", "applicationSideScanSizeThreshold": "0", "creationSideThreshold": "4g"}
    conf = {f"spark.sql.optimizer.runtime.bloomFilter.{name}": value for name, value in of.items()}
    conf |= {"spark.io.compression.codec": "zstd", "spark.sql.adaptive.autoBroadcastJoinThreshold": "64m"}
    return SparkSession.builder.appName("dedup").config(map=conf).getOrCreate()


if __name__ == "__main__":
    Job(session(), *arguments()).run()
