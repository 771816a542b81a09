//! Command lines of what is done with pairs: passages, groups, saved results, a clean corpus.

use super::{Case, dedup, shell};

const WAYS: &[&str] = &["--threads 1 --memory 16MiB", "--threads 16"];

pub(super) fn cases() -> Vec<Case> {
    vec![
        dedup("results/passages", "scan families --show-passages --threshold 0.5").same_with(WAYS),
        dedup("results/passages-of-words", "scan examples/corpus --show-passages --shingle word --threshold 0.2")
            .same_with(WAYS),
        dedup("results/passages-of-lines", "scan examples/corpus/code --show-passages --shingle line --threshold 0.3"),
        dedup("results/passages-of-records", "compare records.jsonl --against later.jsonl --show-passages --lowercase"),
        dedup("results/short-passages", "scan families --show-passages --min-run 9 --anchor 12 --max-gap 0")
            .same_with(WAYS),
        dedup("results/matching", "scan families examples/corpus --match passages").same_with(WAYS),
        dedup(
            "results/matching-capped",
            "scan records.jsonl families --match passages --max-key-df 4 --coverage 0.3 --sort matched",
        )
        .same_with(WAYS),
        dedup("results/matching-compared", "compare records.jsonl --against later.jsonl --match passages --undisguise"),
        dedup("results/top", "scan records.jsonl --sort containment --top 20").same_with(WAYS),
        dedup("results/contained", "scan families --threshold 0.3 --min-containment 0.9 --sort shared"),
        dedup("results/components", "cluster crowd.jsonl families --threshold 0.6").same_with(WAYS),
        dedup("results/stars", "cluster crowd.jsonl families --linkage star --threshold 0.6").same_with(WAYS),
        dedup("results/complete", "cluster records.jsonl families --linkage complete --threshold 0.6").same_with(WAYS),
        dedup("results/labels", "cluster families examples/corpus --labels"),
        dedup("results/singletons", "cluster examples/corpus --singletons --check-groups 0"),
        dedup("results/groups-of-groups", "cluster families --group-by dir").same_with(WAYS),
        shell(
            "results/saved",
            "dedup scan families -q --threshold 0.5 --save \"$RUN/r\" -o \"$RUN/pairs\"; dedup scan --from \"$RUN/r\" -q | cmp - \
             \"$RUN/pairs\"; dedup scan --from \"$RUN/pairs\" --threshold 0.8 --sort jaccard; dedup cluster --from \"$RUN/r\" -q",
        ),
        shell(
            "results/unique",
            "dedup unique families --output \"$RUN/c\" --removed \"$RUN/r\"; cat \"$RUN/r\"; cd \"$RUN/c\"; find . -type f | \
             sort | head -n 100",
        ),
        shell(
            "results/unique-records",
            "dedup unique records.jsonl -o \"$RUN/c\" --keep longest --threads 1; cksum < \"$RUN/c\"",
        ),
        shell("results/dry-run", "dedup unique crowd.jsonl examples --dry-run --removed - --linkage components"),
    ]
}
