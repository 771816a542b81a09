//! Command lines that choose which documents are compared, and which shingles: copies, sides, groups, templates, frequency.

use super::{Case, dedup, shell};

const WAYS: &[&str] = &["--threads 1 --memory 16MiB", "--threads 16"];

pub(super) fn cases() -> Vec<Case> {
    vec![
        dedup("pairs/collapse-exact", "scan families records.jsonl --collapse-exact").same_with(WAYS),
        dedup("pairs/exit-code", "scan families --exit-code --quiet"),
        dedup("pairs/exit-code-none", "scan examples/corpus/essays/term-paper.txt --exit-code"),
        dedup("pairs/sides", "compare records.jsonl --against later.jsonl").same_with(WAYS),
        dedup("pairs/sides-fast", "compare records.jsonl --against later.jsonl --signature fast --threshold 0.3"),
        dedup("pairs/side-with-itself", "compare records.jsonl --against records.jsonl later.jsonl --collapse-exact"),
        dedup("pairs/sides-of-a-crowd", "compare crowd.jsonl --against templates crowd.jsonl --threshold 0.7").same_with(WAYS),
        dedup("pairs/side-without-documents", "compare families/ann --against examples/corpus/notes/empty.txt"),
        dedup("pairs/groups-by-folder", "scan families --group-by dir").same_with(WAYS),
        dedup("pairs/groups-by-first-folder", "scan families archives --group-by dir:1 --threshold 0.5"),
        dedup("pairs/groups-by-field", "scan records.jsonl later.jsonl --group-by field:meta.author").same_with(WAYS),
        dedup("pairs/within-a-field", "scan records.jsonl --group-by field:meta.day --within-groups").same_with(WAYS),
        dedup("pairs/groups-by-expression", "scan families --group-by '/([0-9])[0-9]*\\.txt$' --collapse-exact"),
        dedup("pairs/groups-of-nothing", "scan families/ann --group-by field:nowhere"),
        dedup("pairs/groups-of-sides", "compare records.jsonl --against later.jsonl --group-by field:meta.author"),
        dedup(
            "pairs/within-groups-of-sides",
            "compare records.jsonl --against later.jsonl --group-by field:meta.author --within-groups --collapse-exact",
        ),
        dedup("pairs/template", "scan crowd.jsonl --template templates/footer.txt --threshold 0.6").same_with(WAYS),
        dedup("pairs/templates", "scan crowd.jsonl --template templates --signature fast --threshold 0.4"),
        dedup("pairs/template-of-bags", "scan crowd.jsonl --template templates/footer.txt --bag --threshold 0.6"),
        dedup("pairs/template-of-nothing", "scan families/ann --template examples/corpus/notes/empty.txt"),
        dedup("pairs/max-df", "scan crowd.jsonl --max-df 100 --threshold 0.5").same_with(WAYS),
        dedup("pairs/max-df-few", "scan families records.jsonl --max-df 3 --threshold 0.5").same_with(WAYS),
        dedup("pairs/max-df-of-large-texts", "scan large --max-df 2 --threshold 0.3").same_with(&["--memory 16MiB"]),
        shell("pairs/filter-sign", "jq -r '[.id, .text] | @tsv' records.jsonl | head -5 | dedup sign --pipe tsv --bands 2 --rows 2 --threshold 1"),
        shell(
            "pairs/filter-groups",
            "jq -r '[\"g\", \"\", .id, .text] | @tsv' records.jsonl | LC_ALL=C sort -t \"$(printf '\\t')\" -k 3,3 | dedup verify --by group --ends \
             --signature fast --threshold 0.3 --memory 16MiB",
        ),
        shell("pairs/filter-params", "dedup params --preset prose; dedup params --json"),
        dedup("pairs/max-df-percent", "scan crowd.jsonl records.jsonl --max-df 5% --signature fast"),
        dedup("pairs/max-df-of-bags", "scan crowd.jsonl --max-df 50 --bag --threshold 0.5"),
        dedup("pairs/max-df-of-words", "scan records.jsonl --max-df 1% --shingle word --k 2 --threshold 0.5"),
        dedup("pairs/max-df-of-one", "scan families/ann --max-df 1"),
        dedup(
            "pairs/everything",
            "compare records.jsonl crowd.jsonl --against later.jsonl crowd.jsonl --group-by field:meta.author \
             --template templates/footer.txt --max-df 10% --bag --lowercase --collapse-exact --signature fast --threshold 0.6",
        )
        .same_with(WAYS),
    ]
}
