//! The commands of the README and the handbook, without the programs that they are piped to.

use super::{Case, dedup, shell};

pub(super) fn cases() -> Vec<Case> {
    vec![
        dedup("readme/two-folders", "scan examples/corpus/news examples/corpus/licences --quiet"),
        dedup("readme/summary", "scan examples/corpus"),
        dedup("readme/contained", "scan examples/corpus --quiet --threshold 0.5"),
        dedup("readme/exact", "scan examples/corpus --quiet --collapse-exact --threshold 1"),
        dedup("readme/table-and-archive", "scan examples/formats/articles.csv examples/formats/pages.tar.gz --quiet"),
        dedup(
            "readme/zip-and-parquet",
            "scan examples/formats/wire.zip examples/formats/evening.parquet examples/formats/articles.csv --quiet",
        )
        .needs_parquet(),
        shell(
            "readme/nested-field",
            "dedup scan - --input-format jsonl --text-field article.body --list-documents < examples/formats/feed.jsonl.zst",
        ),
        shell("readme/latin1", "dedup scan examples/formats/essay-latin1.txt --encoding latin1 --list-documents"),
        dedup("readme/filter", "scan examples/corpus/code --filter py='tr A-Z a-z' --quiet --threshold 0.95"),
        shell(
            "readme/list-of-paths",
            "find examples/corpus/licences -type f -print0 | sort -z | dedup scan --files-from - --null --quiet",
        ),
        dedup("readme/min-tokens", "scan examples/corpus/notes/short.txt --min-tokens 20"),
        dedup("readme/words", "scan examples/corpus/languages --shingle word --threshold 0.85 --quiet"),
        dedup("readme/lines", "scan examples/corpus/code --shingle line --threshold 0.7 --quiet"),
        dedup("readme/sentences", "scan examples/corpus/essays --shingle sentence --threshold 0.5 --quiet"),
        dedup(
            "readme/stop-words",
            "scan examples/corpus/news/ferry-agency.txt examples/corpus/news/ferry-portal.txt --shingle stopword --quiet",
        ),
        dedup("readme/baskets", "scan examples/sets/baskets.txt --shingle set --threshold 0.75 --quiet"),
        dedup("readme/films", "scan examples/sets/films.jsonl --shingle set --text-field films --lowercase --quiet"),
        dedup("readme/bags", "scan examples/sets/baskets.txt --shingle set --bag --threshold 0.65 --quiet"),
        dedup("readme/fold-digits", "scan examples/corpus/web --fold-digits --threshold 1 --quiet"),
        dedup(
            "readme/leave-out",
            "scan examples/corpus/news/ferry-agency.txt examples/corpus/news/ferry-portal.txt --skip-lines '\\|' \
             --ignore-between 'You might also like' 'Sign up' --threshold 0.7 --quiet",
        ),
        dedup(
            "readme/keep-whitespace",
            "scan examples/corpus/code/ring.c examples/corpus/code/ring_tabs.c --keep-whitespace --quiet",
        ),
        dedup("readme/compare", "compare examples/corpus/news --against examples/corpus/notes examples/corpus/web"),
        dedup("readme/group-by-folder", "scan examples/corpus --group-by dir:1 --quiet"),
        dedup(
            "readme/within-groups",
            "scan examples/corpus/licences --group-by '([a-z]+)-[^/]*$' --within-groups --quiet",
        ),
        dedup(
            "readme/template",
            "scan examples/corpus/web --template examples/corpus/web/kettle-large.txt --threshold 0.6",
        ),
        dedup("readme/max-df", "scan examples/corpus/web --max-df 2 --threshold 0.5"),
        shell("readme/curve", "dedup curve --threshold 0.5"),
    ]
}
