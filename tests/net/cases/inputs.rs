//! Which files and records become documents: formats, compression, encodings, filters, lists, links and names.

use super::{Case, dedup, shell};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = tables();
    cases.extend(archives());
    cases.extend(texts());
    cases.extend(paths());
    cases
}

fn tables() -> Vec<Case> {
    vec![
        dedup("inputs/csv-and-tsv", "scan tables/comma.csv tables/tabs.tsv")
            .same_with(&["--threads 1", "--threads 16"]),
        dedup("inputs/delimiter", "scan tables/semicolon.csv --delimiter ';' --id-field title"),
        dedup("inputs/no-quoting", "scan tables/comma.csv --no-quoting"),
        dedup("inputs/nested-fields", "scan tables/nested.jsonl --text-field title --text-field doc.parts.text"),
        dedup("inputs/field-that-is-nowhere", "scan tables/comma.csv tables/nested.jsonl --text-field body"),
        dedup("inputs/id-that-is-nowhere", "scan tables/comma.csv --id-field key"),
        dedup("inputs/parquet", "scan examples/formats/evening.parquet tables/comma.csv").needs_parquet(),
        shell("inputs/parquet-on-stdin", "dedup scan - --list-documents < examples/formats/evening.parquet")
            .needs_parquet(),
        dedup("inputs/records-as-text", "scan tables encodings/records.jsonl --input-format text"),
        dedup("inputs/records-on-stdin", "scan - --stdin-format jsonl families/ann < records.jsonl"),
        dedup("inputs/text-on-stdin", "scan - --input-format text families/ben < families/.gitignore"),
        dedup("inputs/records-with-faults", "scan broken/records.jsonl"),
        dedup("inputs/records-without-text", "scan broken/no-text.jsonl"),
        dedup("inputs/tables-with-faults", "scan broken --include '*.csv'"),
        dedup("inputs/strict", "scan families/ann broken/records.jsonl --strict"),
        shell("inputs/array-of-records", "dedup scan broken/array.json --list-documents"),
    ]
}

fn archives() -> Vec<Case> {
    vec![
        dedup("inputs/compressed", "scan packed").same_with(&["--threads 1", "--threads 16"]),
        dedup("inputs/archives", "scan archives").same_with(&["--threads 1", "--threads 16"]),
        shell("inputs/members-listed", "dedup scan archives --list-documents"),
        dedup(
            "inputs/members-chosen",
            "scan archives --include '*.md' --include 'other/*' --exclude '*.jsonl' --hidden",
        ),
        dedup("inputs/tar-on-stdin", "scan - < archives/b.tgz"),
        dedup("inputs/zip-on-stdin", "scan - < archives/c.zip"),
        dedup("inputs/compressed-stdin", "scan - --input-format jsonl < packed/e.jsonl.gz"),
        dedup("inputs/compressed-stdin-without-format", "scan - < packed/e.jsonl.gz"),
        dedup("inputs/most-bytes", "scan archives packed --max-document-bytes 1000"),
        dedup(
            "inputs/cut-and-damaged",
            "scan broken --include '*.gz' --include '*.zst' --include '*.zip' --include '*.tar'",
        )
        .same_with(&["--threads 1", "--threads 16"]),
        dedup("inputs/cut-parquet", "scan broken/cut.parquet").needs_parquet(),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        dedup("inputs/encodings", "scan encodings"),
        dedup("inputs/latin1", "scan encodings --encoding latin1"),
        dedup("inputs/replaced", "scan encodings --invalid replace"),
        shell("inputs/shift-jis", "dedup scan encodings/shift-jis.txt --encoding shift_jis --list-documents"),
        dedup("inputs/pages", "scan pages"),
        dedup("inputs/pages-stripped", "scan pages --html strip --threshold 0.5"),
        dedup("inputs/pages-raw", "scan pages --html raw --threshold 0.5"),
        dedup(
            "inputs/filters",
            "scan filters --filter caps='tr A-Z a-z' --filter fails='echo no such fox >&2; exit 4' --filter quiet=true \
             --lowercase",
        ),
        dedup("inputs/slow-filter", "scan filters/a.caps --filter caps='sleep 60' --filter-timeout 1"),
        dedup("inputs/faults", "scan broken --include '*.txt' broken/binary.txt nowhere.txt"),
    ]
}

fn paths() -> Vec<Case> {
    vec![
        shell("inputs/everything-listed", "dedup scan examples families tables pages --list-documents"),
        shell("inputs/sides-listed", "dedup compare families/ann --against families/ben pages --list-documents"),
        shell("inputs/faults-listed", "dedup scan broken/records.jsonl broken/cut.jsonl.gz encodings --list-documents"),
        dedup("inputs/names", "scan names --collapse-exact"),
        shell("inputs/dash", "cd names && dedup scan -- -dash.txt a.txt"),
        dedup("inputs/list-of-lines", "scan --files-from lists/lines.txt"),
        dedup("inputs/list-of-nul", "scan names/é.txt --files-from lists/nul.txt -0"),
        dedup("inputs/include", "scan families --include 'ann/**' --include '1*.txt' --exclude drafts"),
        dedup("inputs/hidden", "scan families --hidden --threshold 1"),
        dedup("inputs/gitignore", "scan families --gitignore --threshold 1"),
        dedup("inputs/links", "scan links"),
        dedup("inputs/links-followed", "scan links --follow-links"),
        dedup("inputs/twice", "scan names/a.txt names ./names/a.txt links/../names/a.txt"),
        dedup("inputs/nothing", "scan lists --include '*.none'"),
    ]
}
