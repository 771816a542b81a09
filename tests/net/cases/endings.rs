//! How a run ends: wrong usage, broken reads, pipes that end early, outputs that cannot be written.

use super::{Case, dedup, shell};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = usage();
    cases.extend(reads());
    cases.extend(writes());
    cases
}

/// Wrong usage, many command lines to a case: each is followed by its exit code.
fn usage() -> Vec<Case> {
    let all = |command_lines: &[&str]| -> String {
        let one = |line: &&str| format!("dedup {line}; echo {} >&2", "$?");
        command_lines.iter().map(one).collect::<Vec<_>>().join("\n")
    };
    vec![
        shell(
            "usage/commands",
            &all(&["", "scna .", "unique", "compare families", "scan --bnds 3 .", "scan . .. --against", "curve ."]),
        ),
        shell(
            "usage/values",
            &all(&[
                "scan . --threshold 1.5",
                "scan . --threshold 180%",
                "scan . --threshold nan",
                "scan . --bands 0",
                "scan . --bands 5000 --rows 2",
                "scan . --k 0",
                "scan . --k -3",
                "scan . --threads 0",
                "scan . --threads two",
                "scan . --memory 1MiB",
                "scan . --memory much",
                "scan . --seed -1",
                "scan . --max-df 0.5",
                "scan . --max-df 200%",
                "scan . --max-document-bytes 0",
                "scan . --filter-timeout 0",
            ]),
        ),
        shell(
            "usage/words",
            &all(&[
                "scan . --shingle lines",
                "scan . --signature sha1",
                "scan . --input-format xml",
                "scan . --encoding utf-9",
                "scan . --filter pdftotext",
                "scan . --delimiter ab",
                "scan . --language xx --shingle stopword",
                "scan . --skip-lines '('",
                "scan . --group-by '('",
                "scan . --group-by dir:0",
                "scan . --include '['",
            ]),
        ),
        shell(
            "usage/combinations",
            &all(&[
                "scan . --nfc --nfkc",
                "scan . --language de",
                "scan . --within-groups",
                "scan . -0",
                "scan . --shingle set --k 2",
                "scan . --ignore-between start",
                "scan . --ignore-between '' end",
                "scan . --list-documents --exit-code",
                "scan - -",
                "scan . --files-from nowhere.txt",
                "scan . --stopwords nowhere.txt --shingle stopword",
                "scan names --template nowhere.txt",
                "compare - --against - --input-format text",
            ]),
        ),
    ]
}

fn reads() -> Vec<Case> {
    vec![
        dedup("reads/missing", "scan nowhere families/ann elsewhere.txt"),
        dedup("reads/all-missing", "scan nowhere elsewhere.txt"),
        dedup("reads/stdin-without-format", "scan - < names/a.txt"),
        dedup("reads/empty-stdin", "scan - --input-format jsonl"),
        // Pipes whose writer goes away in the middle of a record, a member, a text.
        shell("reads/pipe-ends-in-a-record", "head -c 20000 records.jsonl | dedup scan - --input-format jsonl"),
        shell("reads/pipe-ends-in-a-member", "head -c 6000 archives/a.tar | dedup scan -"),
        shell("reads/pipe-ends-in-a-table", "head -c 9000 tables/comma.csv | dedup scan - --input-format csv"),
        shell("reads/pipe-ends-in-a-block", "head -c 700 examples/formats/pages.tar.gz | dedup scan -"),
        shell(
            "reads/fifo-ends-in-a-record",
            "mkfifo $RUN/pipe.jsonl\n\
             (head -c 30000 records.jsonl > $RUN/pipe.jsonl &)\n\
             dedup scan $RUN/pipe.jsonl families/ann",
        ),
        shell(
            "reads/fifos",
            "mkfifo $RUN/one.jsonl $RUN/two\n\
             (cat records.jsonl > $RUN/one.jsonl &)\n\
             (cat archives/b.tgz > $RUN/two &)\n\
             dedup scan $RUN/one.jsonl $RUN/two --collapse-exact",
        ),
        shell(
            "reads/fifo-without-a-word",
            "mkfifo $RUN/pipe.txt\n(: > $RUN/pipe.txt &)\ndedup scan $RUN/pipe.txt names/a.txt --input-format text",
        ),
        shell("reads/fifo-in-a-folder", "mkfifo $RUN/pipe\ndedup scan $RUN --exclude 'std*'"),
        // A file that becomes another one while later ones are read.
        shell(
            "reads/changed-meanwhile",
            "cp changes/* $RUN\n\
             dedup scan $RUN --exclude 'std*' --filter late=\"cat; echo more >> $RUN/b.txt\" --threads 1 --threshold 0.3",
        ),
        shell(
            "reads/gone-meanwhile",
            "cp changes/* $RUN\n\
             dedup scan $RUN --exclude 'std*' --filter late=\"cat; rm $RUN/b.txt\" --threads 1 --threshold 0.3",
        ),
        // A pipe holds less than these records: when they are written, the program is reading.
        shell(
            "reads/terminated",
            "mkfifo $RUN/pipe.jsonl\n\
             dedup scan $RUN/pipe.jsonl & id=$!\n\
             exec 3> $RUN/pipe.jsonl\n\
             cat records.jsonl >&3\n\
             kill -TERM $id\n\
             wait $id",
        ),
        shell("reads/no-room-for-stdin", "TMPDIR=/nowhere dedup scan - --input-format text < names/a.txt"),
        shell("reads/closed-stdin", "dedup scan - --input-format text <&-"),
    ]
}

fn writes() -> Vec<Case> {
    vec![
        // More than a pipe holds.
        shell("writes/reader-has-enough", "{ dedup scan crowd.jsonl --quiet; echo $? >&2; } | head -n 3"),
        shell("writes/full-disk", "dedup scan crowd.jsonl > /dev/full"),
        shell(
            "writes/full-disk-of-help",
            "dedup --help > /dev/full; echo $? >&2; dedup curve > /dev/full; echo $? >&2",
        ),
        shell("writes/closed-stdout", "dedup scan families/ann >&-"),
        shell("writes/closed-stderr", "dedup scan families/ann nowhere 2>&-"),
        shell("writes/summary-in-no-folder", "dedup scan families/ann --summary nowhere/summary.json"),
        shell("writes/summary-on-a-full-disk", "dedup scan families/ann --quiet --summary /dev/full"),
        shell("writes/summary-of-a-failure", "dedup scan nowhere --summary $SUMMARY"),
        shell("writes/own-output", "cp names/a.txt names/é.txt $RUN\ndedup scan $RUN --exclude stderr"),
    ]
}
