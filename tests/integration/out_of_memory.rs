//! Memory and threads that the system refuses: the run ends with one line and exit code 2, and leaves no file.

use crate::support::*;

#[test]
fn a_run_fits_its_memory_or_ends_with_a_line() {
    // Two and two are alike.
    let record = |i: u64| {
        format!(
            "{{\"text\":\"{i:x} {:x} {:x} {:x}\"}}\n",
            i / 2 * 0x9E37_79B9,
            i / 2 * 0xABCD_EF01,
            i / 2 * 0x1234_5671
        )
    };
    let records: String = (0..600).map(record).collect();
    let corpus = Workspace::new("memory_sweep").file("r.jsonl", &records).file("a.txt", FOX).file("b.txt", FOX);
    let flags =
        "scan -q a.txt b.txt r.jsonl --bands 4096 --rows 1 --threshold 0.5 --memory 16MiB --threads 2 --summary s.json";
    let flags: Vec<&str> = flags.split(' ').collect();
    let whole = corpus.command(&flags).output().unwrap().stdout;
    assert!(whole.len() > 1000);
    let (mut num_done, mut num_refused) = (0, 0);
    for mebibytes in (40..=320).step_by(16) {
        let _ = std::fs::remove_file(corpus.path("s.json"));
        let mut command = corpus.limited_command(&format!("-v {}", mebibytes << 10), &flags);
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        let context = format!("{mebibytes} MiB: {}\n{error}", output.status);
        match output.status.code() {
            Some(0) => {
                num_done += 1;
                assert!(output.stdout == whole && error.is_empty(), "{context}");
                assert_eq!(corpus.names(), ["a.txt", "b.txt", "r.jsonl", "s.json"], "{context}");
            }
            Some(2) => {
                num_refused += 1;
                let is_reported =
                    error.starts_with("dedup: out of memory: ") || error.starts_with("dedup: cannot start ");
                assert!(is_reported && error.lines().count() == 1 && error.ends_with('\n'), "{context}");
                let is_whole_lines = output.stdout.last().is_none_or(|&last| last == b'\n');
                assert!(whole.starts_with(&output.stdout) && is_whole_lines, "{context}");
                assert_eq!(corpus.names(), ["a.txt", "b.txt", "r.jsonl"], "{context}");
            }
            // The system could not even load the program.
            _ if num_done + num_refused == 0 => {}
            _ => panic!("{context}"),
        }
        corpus.assert_no_temporary_files();
    }
    assert!(num_done > 0 && num_refused > 3, "{num_done} done, {num_refused} refused");
}

#[test]
fn a_program_that_can_hardly_start_ends_with_a_line() {
    let corpus = Workspace::new("hardly_started").file("a.txt", FOX).file("b.txt", FOX);
    let starts = |kibibytes: u64, args: &[&str]| {
        corpus.limited_command(&format!("-v {kibibytes}"), args).output().unwrap().status.code()
    };
    // The system may refuse memory to the program before it has prepared for that.
    let least = (1_000..400_000).step_by(50).find(|&kibibytes| starts(kibibytes, &["--version"]) == Some(0)).unwrap();
    let mut num_refused = 0;
    for kibibytes in (least + 200..least + 6_000).step_by(100) {
        let output = corpus.limited_command(&format!("-v {kibibytes}"), &["scan", "-q", "."]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(0) {
            num_refused += 1;
            let is_reported = error.starts_with("dedup: out of memory: ") || error.starts_with("dedup: cannot start ");
            assert!(output.status.code() == Some(2), "{kibibytes}: {}\n{error}", output.status);
            assert!(is_reported && error.lines().count() == 1, "{kibibytes}: {error}");
        }
    }
    assert!(num_refused > 3, "{num_refused}");
}

#[test]
fn threads_that_the_system_refuses_end_the_run_with_a_line() {
    let corpus = Workspace::new("no_threads").file("a", FOX).file("b", FOX);
    for args in ["scan a b", "scan . --template a", "compare a --against b", "scan a b --list-documents", "curve"] {
        let mut command = corpus.command(&args.split(' ').collect::<Vec<_>>());
        // More than there is for the stack of a thread.
        command.env("RUST_MIN_STACK", (1_u64 << 50).to_string());
        let message = "dedup: cannot start a thread: Resource temporarily unavailable; give the program more \
                       memory or processes (ulimit -v, ulimit -u)\n";
        corpus.run_shown(command).stdout("").stderr(message).exit_code(2);
    }
}

#[test]
fn a_file_without_room_is_named() {
    // No binary file by its beginning.
    let corpus = Workspace::new("large_file").file("a.txt", FOX).file("large.txt", FOX.repeat(500));
    let large = std::fs::File::options().write(true).open(corpus.path("large.txt")).unwrap();
    large.set_len(2 << 30).unwrap();
    drop(large);
    let message = "dedup: large.txt: out of memory: cannot read it; exclude it (--exclude, --max-document-bytes), or give the program more memory\n";
    corpus.dedup_limited("-v 1000000", &["scan", "-q", "."]).stdout("").stderr(message).exit_code(2);
    let args = ["scan", "-q", ".", "--max-document-bytes", "1MiB"];
    corpus
        .dedup_limited("-v 1000000", &args)
        .stdout("")
        .stderr("dedup: large.txt: more than 1MiB; skipped (--max-document-bytes allows larger ones)\n")
        .exit_code(3);
}

#[test]
fn a_decoder_without_room_is_no_damaged_file() {
    // The dictionary of the highest level takes 64 MiB.
    let packed = liblzma::encode_all(FOX.as_bytes(), 9).unwrap();
    let corpus = Workspace::new("large_dictionary").file("a.txt.xz", &packed).file("b", FOX).file("c", packed);
    for file in ["a.txt.xz", "c"] {
        let message = format!(
            "dedup: {file}: out of memory: cannot read it; exclude it (--exclude, --max-document-bytes), or give the program more memory\n"
        );
        let args = ["scan", "-q", "b", file, "--threads", "1", "--memory", "16MiB"];
        // How much the program itself takes depends on how it was built.
        let refusals = (70_000..200_000).step_by(10_000).filter(|kibibytes| {
            let output = corpus.limited_command(&format!("-v {kibibytes}"), &args).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(
                matches!(output.status.code(), Some(0 | 2)) && !stderr.contains("damaged"),
                "{kibibytes}: {stderr}"
            );
            stderr == message
        });
        assert!(refusals.count() > 0, "{file}");
        corpus.dedup(&args).pairs(&[&*format!("b {file}")]).stderr("").exit_code(0);
    }
}

#[test]
fn an_address_space_that_is_limited_is_not_spent_on_arenas() {
    // Threads that reserve 64 MiB each would not leave enough.
    let records: String =
        (0..20_000u64).map(|i| format!("{{\"text\":\"record {:x}\"}}\n", i * 0x9E37_79B9_7F4A)).collect();
    let corpus = Workspace::new("arenas").file("r.jsonl", records);
    let args = ["scan", "-q", "r.jsonl", "--threads", "8", "--memory", "16MiB"];
    let ends =
        |kibibytes: u64| corpus.limited_command(&format!("-v {kibibytes}"), &args).output().unwrap().status.code();
    // How much the program itself takes depends on how it was built.
    let least = (60_000..400_000).step_by(10_000).find(|&kibibytes| ends(kibibytes) == Some(0)).unwrap();
    for _ in 0..4 {
        assert_eq!(ends(least + 20_000), Some(0), "{least} KiB were enough");
    }
    assert!(least < 250_000, "{least} KiB");
}
