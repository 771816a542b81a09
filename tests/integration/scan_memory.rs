//! Memory: the forecast, the warning when a corpus will not fit, and runs that may open few files.

use crate::support::*;

/// So many records of about 30 bytes, no two alike.
fn records(number: usize) -> String {
    (0..number).map(|i| format!("{{\"text\":\"record {:x}\"}}\n", (i + 999) * 0x9E37_79B9)).collect()
}

#[test]
fn what_will_not_fit_is_foreseen_from_the_first_records() {
    let records = records(5_000);
    let corpus = Workspace::new("forecast")
        .file("r.jsonl", &records)
        .file("r.jsonl.zst", zstd::encode_all(records.as_bytes(), 1).unwrap());
    for file in ["r.jsonl", "r.jsonl.zst"] {
        let flags = ["scan", "-q", file, "--bands", "1", "--threshold", "1", "--threads", "2"];
        let run = corpus.dedup_limited("-v 1000000", &[&flags[..], &["--memory", "1000MiB"]].concat());
        run.stdout("")
            .stderr_with(|warning| {
                let start = "dedup: warning: the inputs have about ";
                let rest = warning.strip_prefix(start).unwrap_or_else(|| panic!("{warning}"));
                let (number, rest) = rest.split_once(" documents, which need about ").expect(warning);
                assert!(["4,900", "5,000", "5,100"].contains(&number), "{number}");
                let end = " kB of tables; with 1.05 GB of shingle sets (--memory) that is more than the 1.02 GB of available memory; scan the corpus in parts, or lower --bands or --memory\n";
                // One band, and names of some 15 bytes: about 57 bytes a document.
                let tables: f64 = rest.strip_suffix(end).expect(warning).parse().unwrap();
                assert!((230.0..350.0).contains(&tables), "{tables}");
            })
            .exit_code(0);
        corpus.dedup_limited("-v 1000000", &flags).stdout("").stderr("").exit_code(0);
    }
}

#[test]
fn tables_without_room_end_the_run_with_a_line() {
    let corpus = Workspace::new("no_room").file("r.jsonl", records(50));
    let command = |kibibytes: u64, bands: &str| {
        let flags = ["scan", "-q", "r.jsonl", "--rows", "1", "--bands", bands, "--threshold", "1", "--threads", "1"];
        let mut command = corpus.limited_command(&format!("-v {kibibytes}"), &flags);
        // Else each thread asks for address space far ahead.
        command.env("MALLOC_ARENA_MAX", "1").env("RUST_BACKTRACE", "0");
        command
    };
    // As little as the program needs, and up to 4 MiB more.
    let (mut too_little, mut enough) = (0, 1 << 20);
    while enough - too_little > 4 << 10 {
        let middle = (too_little + enough) / 2;
        let is_enough = command(middle, "10").output().unwrap().status.success();
        *(if is_enough { &mut enough } else { &mut too_little }) = middle;
    }
    // The first band keys need 16 MiB; there is room for what else a longer signature needs, and for a search that was
    // lucky once with too little.
    corpus
        .run_shown(command(enough + (10 << 10), "4096"))
        .stdout("")
        .stderr_with(|error| {
            let rest = error.strip_prefix("dedup: out of memory: no room for ");
            let rest = rest.unwrap_or_else(|| panic!("{error}"));
            assert!(
                rest.ends_with(" of band keys; scan the corpus in parts, or give the program more memory\n"),
                "{rest}"
            );
        })
        .exit_code(2);
}

#[test]
fn band_keys_without_room_go_to_the_disk_and_the_pairs_are_the_same() {
    // An eighth of 16 MiB has room for the keys of 22,795 documents. Some of the last texts are copies with one more
    // word.
    const RECORDS: usize = 100_000;
    let text =
        |i: usize| -> String { (0..12).map(|word| format!("{:x} ", (12 * i + word + 999) * 0x9E37_79B9)).collect() };
    let record = |i: usize| {
        let is_copy = i >= 60_000 && i.is_multiple_of(50);
        let text = if is_copy { format!("{}again", text(i - 60_000)) } else { text(i) };
        format!("{{\"text\":\"{text}\"}}\n")
    };
    let records: String = (0..RECORDS).map(record).collect();
    let corpus = Workspace::new("spilled_keys").file("r.jsonl", records);
    let scan = |flags: &[&'static str]| [&["scan", "-q", "r.jsonl"], flags].concat();
    // In memory, no folder for temporary files is needed.
    let mut in_memory = String::new();
    let keep = |pairs: &str| in_memory = pairs.to_owned();
    let run = corpus.dedup_with(&scan(&["--memory", "128MiB"]), "TMPDIR", "/nowhere");
    run.stdout_with(keep).stderr("").exit_code(0);
    assert_eq!(in_memory.lines().count(), 800);
    for threads in ["1", "2", "7"] {
        let run = corpus.dedup(&scan(&["--memory", "16MiB", "--threads", threads]));
        run.stdout(&in_memory).stderr("").exit_code(0);
    }
    let run = corpus.dedup(&scan(&["--memory", "16MiB", "--summary", "s.json"]));
    run.stdout(&in_memory).stderr("").exit_code(0);
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    let spilled = summary["memory"]["spilled"].as_u64().unwrap_or_default();
    // 152 bytes each, and the checksums of all pieces.
    assert!((152 * (RECORDS as u64 - 22_795)..155 * RECORDS as u64).contains(&spilled), "{spilled}");
    let tables = summary["memory"]["tables"].as_u64().unwrap();
    for share in ["--forecast=10%", "--forecast=50%"] {
        let show = |text: &str| assert!(text.contains(" MB of band keys on the disk\n"), "{text}");
        let run = corpus.dedup(&scan(&["--memory", "16MiB", share, "--summary", "f.json"]));
        run.stdout_with(show).stderr("").exit_code(0);
        let forecast: serde_json::Value = serde_json::from_str(&corpus.read("f.json")).unwrap();
        std::fs::remove_file(corpus.path("f.json")).unwrap();
        let expected = |name: &str| forecast["memory"][name].as_u64().unwrap();
        assert!(spilled.abs_diff(expected("spilled")) < spilled / 20, "{spilled} {forecast}");
        // Without a limit of the keys, these would be twice as much.
        assert!(tables.abs_diff(expected("tables_high")) < tables / 5, "{tables} {forecast}");
        assert!(expected("tables_low") <= tables, "{tables} {forecast}");
    }
    let missing = "dedup: /nowhere: cannot keep the band keys: there is no such folder; set TMPDIR to a writable folder with \
                   enough space, or give more memory\n";
    corpus.dedup_with(&scan(&["--memory", "16MiB"]), "TMPDIR", "/nowhere").stdout("").stderr(missing).exit_code(2);
}

/// Tables that have no room within `--memory` are on the disk, with the same pairs. An error says that their folder is missing.
#[test]
#[cfg(target_os = "linux")]
fn tables_without_room_in_memory_go_to_the_disk() {
    // The keys of one band are in memory. A quarter of 16 MiB has no room for the rows of all records.
    const RECORDS: usize = 250_000;
    let record = |i: usize| {
        let copied = if i % 1000 == 999 { i - 500 } else { i };
        format!("{{\"id\":\"{i}\",\"text\":\"{:x} {:x}\"}}\n", (copied + 7) * 0x9E37_79B9, (copied + 7) * 0xABCD_EF01)
    };
    let corpus = Workspace::new("tables_on_disk").file("r.jsonl", (0..RECORDS).map(record).collect::<String>());
    for command in ["scan -q r.jsonl", "cluster -q r.jsonl"] {
        let with = |memory: &'static str| {
            let flags = ["--bands", "1", "--rows", "4", "--memory", memory, "--threads", "2"];
            command.split(' ').chain(flags).collect::<Vec<_>>()
        };
        // In memory, no folder for temporary files is needed.
        let mut in_memory = String::new();
        let run = corpus.dedup_with(&with("1GiB"), "TMPDIR", "/nowhere");
        run.stdout_with(|pairs| in_memory = pairs.to_owned()).stderr_with(|_| ()).exit_code(0);
        assert!(in_memory.len() > 100, "{command}");
        corpus.dedup(&with("16MiB")).stdout(&in_memory).stderr_with(|_| ()).exit_code(0);
        let run = corpus.dedup_with(&with("16MiB"), "TMPDIR", "/nowhere");
        let look = |error: &str| {
            let error = error.lines().last().unwrap_or_default();
            let message = "dedup: /nowhere: cannot keep tables: No such file or directory; set TMPDIR to a writable folder \
                           with enough space, or give more memory";
            assert_eq!(error, message);
        };
        run.stdout("").stderr_with(look).exit_code(2);
        corpus.assert_no_temporary_files();
    }
}

#[test]
fn few_files_at_a_time_are_no_reason_to_panic() {
    let corpus = Workspace::new("few_files").file("a", FOX).file("b", FOX);
    let too_few = "dedup: standard output: cannot write: Too many open files (raise the limit with \
                   ulimit -n); the output is incomplete, run again\n";
    for flags in [&["a", "b"][..], &["a", "b", "--memory", "1GiB"]] {
        let flags = [&["scan", "-q", "--threads", "1"], flags].concat();
        corpus.dedup_limited("-n 5", &flags).stdout("").stderr(too_few).exit_code(2);
        corpus.dedup_limited("-n 9", &flags).pairs(&["a b"]).stderr("").exit_code(0);
    }
    // Whatever file is the one too many, the system's word and the remedy are there.
    corpus.dedup(&["index", "build", "-q", "x", "a"]).stdout("").stderr("").exit_code(0);
    corpus.shell("gzip -k a && tar cf t.tar b").stdout("").stderr("").exit_code(0);
    for command in [
        "scan a b a.gz t.tar --save r -q",
        "scan a.gz b --summary s.json --format csv=h.csv -q",
        "cluster a.gz b t.tar -q",
        "unique a b --dry-run -q",
        "index build y a t.tar -q",
        "index add x b -q",
        "query x a.gz b -q",
        "query x a b --add all -q",
        "index merge m x x -q",
        "index export x",
    ] {
        for limit in 5..=12 {
            let arguments: Vec<&str> = command.split(' ').collect();
            let output = corpus.limited_command(&format!("-n {limit}"), &arguments).output().unwrap();
            let (code, said) = (output.status.code(), String::from_utf8(output.stderr).unwrap());
            let is_named = said.contains("Too many open files (raise the limit with ulimit -n)");
            assert!(code == Some(0) || is_named, "{command} with {limit}: {code:?} {said}");
            let is_misled = ["uncategorized", "permissions", "unable to open"].iter().any(|word| said.contains(word));
            assert!(!is_misled, "{command} with {limit}: {said}");
            let _ = std::fs::remove_dir_all(corpus.path("r"));
            for index in ["y", "m"] {
                let _ = std::fs::remove_file(corpus.path(index));
            }
        }
    }
}

/// The program sorts the sets of texts of this size. All other sets, also in the slow twin, have an index.
#[test]
fn texts_of_millions_of_shingles_have_the_exact_counts() {
    use std::collections::HashSet;
    let mut state = 7u64;
    let mut text: Vec<u8> = (0..9_000_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b'a' + (state >> 59) as u8 % 12
        })
        .collect();
    let first = text.clone();
    text[2_000_000..2_400_000].fill(b'z');
    text.extend_from_within(3_000_000..3_100_000);
    let corpus = Workspace::new("long_texts").file("a", &first).file("b", &text);
    let sets = [&first, &text].map(|text| text.windows(9).collect::<HashSet<_>>());
    let shared = sets[0].intersection(&sets[1]).count();
    let [a, b] = sets.map(|set| set.len());
    let counts = format!("\"shared\":{shared},\"shingles_a\":{a},\"shingles_b\":{b}");
    for flags in [&["a", "b"][..], &["a", "b", "--memory", "40MiB"]] {
        corpus
            .dedup(&[&["scan", "-q"], flags].concat())
            .stdout_with(|pairs| assert!(pairs.contains(&counts), "{pairs}"))
            .stderr("")
            .exit_code(0);
    }
}
