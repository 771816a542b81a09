//! Signatures, bandings, thresholds, and corpora for each way to count pairs.

use super::{Case, dedup, shell};

/// Threads, and memory that holds a part of the sets only.
const WAYS: &[&str] = &["--threads 1", "--threads 2 --memory 16MiB", "--threads 16"];
const FEW_WAYS: &[&str] = &["--threads 1 --memory 16MiB", "--threads 16 --memory 1GiB"];

pub(super) fn cases() -> Vec<Case> {
    vec![
        // Families of revisions, which one thread each verifies.
        dedup("method/classic", "scan families records.jsonl --signature classic").same_with(WAYS),
        dedup("method/fast", "scan families records.jsonl --signature fast").same_with(WAYS),
        dedup("method/seed", "scan records.jsonl --seed 7"),
        dedup("method/seed-fast", "scan records.jsonl --seed 18446744073709551615 --signature fast"),
        dedup("method/bands-and-rows", "scan records.jsonl --bands 30 --rows 3"),
        dedup("method/one-hash", "scan records.jsonl --bands 1 --rows 1 --threshold 0.9"),
        dedup("method/most-hashes", "scan families/ann --bands 4096 --rows 1 --signature fast"),
        dedup("method/chosen-for-0.5", "scan records.jsonl --threshold 0.5"),
        dedup("method/chosen-for-0.9", "scan records.jsonl --threshold 0.9"),
        dedup("method/chosen-for-0", "scan examples/corpus/news --threshold 0"),
        // One banding for all thresholds, so that a higher one only leaves pairs out.
        dedup("method/threshold-0.1", "scan records.jsonl --bands 40 --rows 2 --threshold 0.1").same_with(FEW_WAYS),
        dedup("method/threshold-0.3", "scan records.jsonl --bands 40 --rows 2 --threshold 0.3"),
        dedup("method/threshold-0.5", "scan records.jsonl --bands 40 --rows 2 --threshold 0.5"),
        dedup("method/threshold-0.8", "scan records.jsonl --bands 40 --rows 2 --threshold 0.8"),
        dedup("method/threshold-0.95", "scan records.jsonl --bands 40 --rows 2 --threshold 0.95"),
        dedup("method/threshold-1", "scan records.jsonl --bands 40 --rows 2 --threshold 1"),
        // Bandings that miss nothing: both signatures print the same pairs.
        dedup("method/all-classic", "scan records.jsonl --bands 200 --rows 1 --threshold 0.4 --signature classic"),
        dedup("method/all-fast", "scan records.jsonl --bands 200 --rows 1 --threshold 0.4 --signature fast"),
        // No signatures, and what signatures have missed.
        dedup("all-pairs/families", "scan families records.jsonl --all-pairs").same_with(WAYS),
        dedup("all-pairs/0.3", "scan records.jsonl --all-pairs --threshold 0.3").same_with(FEW_WAYS),
        dedup("all-pairs/crowd", "scan crowd.jsonl --all-pairs --threshold 0.7").same_with(WAYS),
        dedup("all-pairs/huge", "scan huge --all-pairs --threshold 0.5").same_with(&["--threads 1"]),
        dedup("all-pairs/groups", "cluster crowd.jsonl --all-pairs --linkage star"),
        dedup(
            "all-pairs/sides",
            "compare large/book-0.txt large/roman-0.txt --against large --all-pairs --threshold 0.2",
        ),
        dedup("audit/all", "scan records.jsonl --bands 4 --rows 4 --threshold 0.5 --audit").same_with(WAYS),
        dedup("audit/some", "scan families --audit=50 --seed 7"),
        dedup("audit/sides", "compare large/book-0.txt large/roman-0.txt --against large --audit --threshold 0.2"),
        // Signatures by themselves.
        shell("sign/mixed", "dedup sign examples/corpus examples/formats").same_with(&["--threads 1"]),
        shell(
            "sign/values",
            "dedup sign --values --bands 4 --rows 3 --threshold 1 --signature fast examples/corpus/notes",
        ),
        shell(
            "sign/words",
            "dedup sign --shingle word --lowercase examples/corpus/news --template examples/corpus/news/ferry-portal.txt",
        ),
        shell("sign/programs", "dedup sign --preset code examples/corpus/code"),
        shell(
            "sign/wrong",
            "dedup sign; echo $? >&2; dedup sign gone; echo $? >&2; dedup sign . --max-df 3; echo $? >&2",
        ),
        // Crowds: hundreds of pages nearly alike, less alike, and alike by boilerplate only.
        dedup("crowd/classic", "scan crowd.jsonl --signature classic").same_with(WAYS),
        dedup("crowd/fast", "scan crowd.jsonl --signature fast").same_with(FEW_WAYS),
        dedup("crowd/boilerplate", "scan crowd.jsonl --threshold 0.35 --quiet").same_with(FEW_WAYS),
        dedup("crowd/high-threshold", "scan crowd.jsonl --threshold 0.97"),
        dedup("crowd/words", "scan crowd.jsonl --shingle word --threshold 0.7"),
        dedup("crowd/collapsed", "scan crowd.jsonl --collapse-exact"),
        dedup("crowd/bags", "scan crowd.jsonl --bag --threshold 0.9"),
        // More candidates than a sweep takes, nearly all of them false.
        dedup("crowd/sweeps", "scan crowd.jsonl --k 4 --bands 40 --rows 1 --threshold 0.9").same_with(WAYS),
        // Sets that do not fit the memory, together or one by one.
        dedup("large/classic", "scan large --signature classic")
            .same_with(&["--threads 1 --memory 16MiB", "--threads 2 --memory 24MiB"]),
        dedup("large/fast", "scan large --signature fast --threshold 0.3").same_with(&["--memory 16MiB"]),
        dedup("large/least-memory", "scan large crowd.jsonl --shingle word --threshold 0.6")
            .same_with(&["--memory 16MiB"]),
        dedup("large/template", "scan large --template large/report-0.txt --threshold 0.5 --memory 16MiB"),
        dedup(
            "large/sides",
            "compare large/book-0.txt large/roman-0.txt --against large --memory 16MiB --threshold 0.2",
        ),
        // Sets that are counted in slices.
        dedup("huge/classic", "scan huge --threshold 0.5 --signature classic")
            .same_with(&["--memory 16MiB", "--memory 16MiB --threads 1"]),
        dedup("huge/template", "scan huge --template huge/start.txt --threshold 0.6 --signature fast")
            .same_with(&["--memory 16MiB"]),
        dedup("huge/bags", "compare huge/part.txt --against huge --bag --threshold 0.6").same_with(&["--memory 16MiB"]),
    ]
}
