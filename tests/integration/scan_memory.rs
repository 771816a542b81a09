//! Memory: what is foreseen and what does not fit, and runs that are short of other things.

use crate::support::*;

/// So many records of about 40 bytes, no two alike.
fn records(number: usize) -> String {
    (0..number).map(|i| format!("{{\"text\":\"record {:x}\"}}\n", i * 0x9E37_79B9)).collect()
}

#[test]
fn tables_that_do_not_fit_are_foreseen_and_end_the_run_with_a_line() {
    // 32 KiB of band keys a document, and 1 GB of address space, of which the program and its threads take a part.
    let corpus = Workspace::new("no_room").file("r.jsonl", records(60_000));
    let flags = ["scan", "-q", "r.jsonl", "--signature", "fast", "--bands", "4096", "--rows", "1", "--threads", "2"];
    let run = corpus.dedup_limited("-v 1000000", &[&flags[..], &["--memory", "100MiB"]].concat());
    run.stdout("")
        .stderr_with(|stderr| {
            let lines: Vec<&str> = stderr.lines().collect();
            let [warning, error] = lines[..] else { panic!("{stderr}") };
            let (start, end) = warning.split_once(" documents, whose tables take about ").expect(warning);
            let number = start.strip_prefix("dedup: warning: the inputs come to about ").expect(start);
            // Ids are shorter in the beginning.
            assert!(["60,000", "61,000", "62,000", "63,000"].contains(&number), "{number}");
            assert!(
                end.ends_with(
                    " GB; with 104.86 MB of shingle sets (--memory) that is more than the 1.02 GB of memory that there \
                     are; scan the corpus in parts, or lower --bands or --memory"
                ),
                "{end}"
            );
            assert!(error.starts_with("dedup: out of memory: there is no room for "), "{error}");
            assert!(error.ends_with("; scan the corpus in parts, or give the program more memory"), "{error}");
        })
        .exit_code(2);
    // With less to keep it all fits.
    let flags = ["scan", "-q", "r.jsonl", "--threads", "2", "--threshold", "1"];
    corpus.dedup_limited("-v 1000000", &flags).stdout("").stderr("").exit_code(0);
}

#[test]
fn packed_records_are_foreseen_too() {
    let records = records(60_000);
    let corpus =
        Workspace::new("packed_forecast").file("r.jsonl.zst", zstd::encode_all(records.as_bytes(), 1).unwrap());
    let flags = ["scan", "-q", ".", "--bands", "4096", "--rows", "1", "--signature", "fast", "--threads", "2"];
    corpus
        .dedup_limited("-v 1000000", &flags)
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("dedup: warning: the inputs come to about "), "{stderr}");
            assert!(stderr.contains("\ndedup: out of memory: "), "{stderr}");
        })
        .exit_code(2);
}

#[test]
fn few_files_at_a_time_are_no_reason_to_panic() {
    let corpus = Workspace::new("few_files").file("a", FOX).file("b", FOX);
    for flags in [&["a", "b"][..], &["a", "b", "--memory", "1GiB"]] {
        let flags = [&["scan", "-q", "--threads", "1"], flags].concat();
        corpus.dedup_limited("-n 5", &flags).pairs(&["a b"]).stderr("").exit_code(0);
    }
}
