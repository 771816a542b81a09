//! What is compared: every kind of shingle, and every way to fold a text.

use super::{Case, dedup};

pub(super) fn cases() -> Vec<Case> {
    vec![
        dedup("shingles/char", "scan families --shingle char --k 4 --threshold 0.7"),
        dedup("shingles/long-char", "scan families --k 40 --signature fast"),
        dedup("shingles/word", "scan families --shingle word").same_with(&["--threads 1", "--threads 16"]),
        dedup("shingles/one-word", "scan families --shingle word --k 1 --threshold 0.7"),
        dedup("shingles/line", "scan families examples/corpus/code --shingle line --threshold 0.5"),
        dedup("shingles/lines", "scan examples/corpus/code --shingle line --k 3 --threshold 0.4"),
        dedup("shingles/code", "scan examples/corpus/code --shingle code --threshold 0.3").same_with(&["--threads 16"]),
        dedup("shingles/code-with-names", "scan examples/corpus/code --shingle code --keep-names --threshold 0.1"),
        dedup("shingles/code-of-one-language", "scan examples/corpus/code --preset code --syntax c --match passages"),
        dedup("shingles/list-of-programs", "scan examples/corpus/code families --shingle code --list-documents"),
        dedup("shingles/sentence", "scan families --shingle sentence --threshold 0.5"),
        dedup("shingles/stopword", "scan families --shingle stopword --threshold 0.6").same_with(&["--threads 16"]),
        dedup("shingles/stopword-of-a-language", "scan families --shingle stopword --language de --k 2"),
        dedup(
            "shingles/stopword-of-a-list",
            "scan families/ann names --shingle stopword --stopwords lists/stopwords.txt",
        ),
        dedup("shingles/set-of-records", "scan sets.jsonl --shingle set --text-field items"),
        dedup("shingles/set-of-lines", "scan baskets.txt --shingle set --signature fast --threshold 0.6"),
        dedup("shingles/bag-of-char", "scan families --bag").same_with(&["--threads 16 --memory 16MiB"]),
        dedup("shingles/bag-of-words", "scan families --bag --shingle word --k 1 --threshold 0.9 --signature fast"),
        dedup("shingles/bag-of-lines", "scan families --bag --shingle line --threshold 0.5"),
        dedup("shingles/bag-of-sentences", "scan families --bag --shingle sentence --threshold 0.5"),
        dedup("shingles/bag-of-stopwords", "scan families --bag --shingle stopword --threshold 0.6"),
        dedup("shingles/bag-of-sets", "scan sets.jsonl --bag --shingle set --text-field items"),
        dedup("shingles/min-tokens", "scan families --min-tokens 400"),
        dedup("shingles/hardly-a-word", "scan examples/corpus/languages large/report-1.txt --shingle word --k 400"),
        dedup("folding/nfc", "scan families --nfc --threshold 1"),
        dedup("folding/nfkc", "scan families --nfkc --threshold 1"),
        dedup("folding/lowercase", "scan families --lowercase --threshold 1"),
        dedup("folding/strip-accents", "scan families --strip-accents --threshold 1"),
        dedup("folding/fold-digits", "scan families --fold-digits --threshold 1"),
        dedup("folding/plagiarism", "scan families records.jsonl --undisguise --threshold 0.7"),
        dedup("folding/strip-punctuation", "scan families --strip-punctuation --threshold 1"),
        dedup("folding/keep-whitespace", "scan families --keep-whitespace --threshold 1"),
        dedup("folding/skip-lines", "scan families --skip-lines '^[A-M]' --skip-lines '[0-9]{4}'"),
        dedup("folding/ignore-between", "scan families --ignore-between ', ' '. ' --ignore-between 的 。"),
        dedup(
            "folding/all",
            "scan families --nfkc --lowercase --strip-accents --fold-digits --strip-punctuation --keep-whitespace \
             --skip-lines '^\\s*$' --ignore-between '(' ')' --shingle sentence --bag --threshold 0.5",
        ),
        dedup(
            "folding/all-of-words",
            "scan families records.jsonl --nfc --lowercase --strip-accents --fold-digits --strip-punctuation --shingle word",
        ),
        dedup("folding/all-of-sets", "scan sets.jsonl --shingle set --text-field items --lowercase --fold-digits"),
    ]
}
