//! Words of other programs: a flag or a command that `dedup` does not have in; what `dedup` has instead out.
//!
//! They are looked up before names that are spelled alike, since a flag of grep or ripgrep is a word that its user knows, and no
//! error of typing.

/// What replaces a flag of another program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Advice {
    /// Own flags with their values, the first one that the command has; the name is the first word.
    Flags(&'static [&'static str]),
    /// What to do.
    Words(&'static str),
}

use Advice::{Flags, Words};

/// What replaces a flag of another program.
///
/// * `flag`: with its dashes, and without a value.
pub(super) fn flag(flag: &str) -> Option<Advice> {
    let flag = if flag.starts_with("--") { flag.to_lowercase().replace('_', "-") } else { flag.to_owned() };
    FLAGS.iter().find(|(names, _)| names.split(' ').any(|name| name == flag)).map(|&(_, instead)| instead)
}

/// The command line that replaces a command of another program, and what it does.
pub(super) fn command(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    COMMANDS.iter().find(|(names, _)| names.split(' ').any(|name| name == word)).map(|&(_, instead)| instead)
}

/// Flags of grep, ripgrep, fd, jq, fdupes, datasketch, text-dedup, jscpd, JPlag, Dolos and MOSS.
#[rustfmt::skip]
const FLAGS: &[(&str, Advice)] = &[
    // Which files are read.
    ("--recursive -r -R --recurse --subdirectories", Words("folders are read with all folders in them; leave it out")),
    ("--max-depth --maxdepth --depth -d", Words("folders are read with all folders in them; choose files by --include or --exclude")),
    ("--glob --iglob -g --type --extension --extensions --ext -e --suffixes --pattern --name --include-dir", Flags(&["--include"])),
    ("--ignore --ignore-file --exclude-dir --exclude-from --type-not --skip --exclude-files", Flags(&["--exclude"])),
    ("--no-ignore --no-ignore-vcs --unrestricted -u -uu --no-ignore-parent", Words("ignored files are read unless --gitignore is given; leave it out")),
    ("--respect-gitignore --vcs --git-ignore", Flags(&["--gitignore"])),
    ("-H --all-files --dotfiles", Flags(&["--hidden"])),
    ("--dereference --dereference-recursive --follow-symlinks --symlinks --links --follow-link", Flags(&["--follow-links"])),
    ("--no-follow --no-symlinks --no-follow-links --nosymlinks", Words("links inside folders are not followed unless --follow-links is given; leave it out")),
    ("--max-filesize --max-size --max-bytes-per-file --maxsize", Flags(&["--max-document-bytes"])),
    ("--null-data --print0 --zero -z", Flags(&["--null"])),
    ("--file-list --filelist --from-file --files --list-file --paths-from", Flags(&["--files-from"])),
    ("--path --paths --input --inputs --in-file --input-file --dataset --data-files --data --file --dir --directory --local --source -i-file", Words("give the path without a flag")),
    ("--charset --codec", Flags(&["--encoding"])),
    // Which part of a record.
    ("--column --columns --text-column --text-key --text-col --content --content-field --body --field --key", Flags(&["--text-field"])),
    ("--id-column --id-col --index-column --idx --id --id-key", Flags(&["--id-field"])),
    ("--sep --separator --field-separator", Flags(&["--delimiter"])),
    // How texts are prepared.
    ("--ignore-case -i --case-insensitive --case-fold --casefold --lower --to-lower --smart-case --no-case", Flags(&["--lowercase"])),
    ("--case-sensitive", Words("upper and lower case differ unless --lowercase is given; leave it out")),
    ("--ignore-punctuation --no-punctuation --remove-punctuation --strip-punct", Flags(&["--strip-punctuation"])),
    ("--ignore-accents --unaccent --ascii --no-accents --remove-accents", Flags(&["--strip-accents"])),
    ("--ignore-digits --ignore-numbers --mask-numbers", Flags(&["--fold-digits"])),
    ("--ignore-whitespace --ignore-space-change --ignore-all-space --ignore-blank-lines", Words("each run of white space counts as one space unless --keep-whitespace is given; leave it out")),
    ("--ignore-lines --ignore-pattern --ignore-regex --ignore-matching-lines", Flags(&["--skip-lines"])),
    ("--ignore-comments --skip-comments --strip-comments", Flags(&["--shingle code", "--preset code"])),
    ("--strip-html --html-strip --no-html", Flags(&["--html strip"])),
    ("--unicode-normalization --unicode-normalize", Flags(&["--nfkc"])),
    // Shingles.
    ("--ngram --ngrams --n-gram --n-grams --ngram-size --n-gram-size --ngram-length --shingle-size --shingle-length --shingles --kgram --kgram-length --kgram-size --kgrams --window --window-size --kmer --ksize -w", Flags(&["--k"])),
    ("--tokenizer --tokenize --tokens --token --unit --analyzer --granularity --level", Flags(&["--shingle"])),
    ("--words --word --word-level", Flags(&["--shingle word"])),
    ("--lines --line-level", Flags(&["--shingle line"])),
    ("--sentences", Flags(&["--shingle sentence"])),
    ("--chars --characters --char-level", Flags(&["--shingle char"])),
    ("--min-length --min-len --min-size --min-words --min-chars --min-doc-length", Flags(&["--min-tokens"])),
    ("--min-lines --min-fragment-length --minimum-match --min-match --min-fragment", Flags(&["--min-run", "--min-matched"])),
    ("--stop-words --stop-word-list", Flags(&["--stopwords"])),
    ("--idf --tfidf --tf-idf --weighting --weighted", Flags(&["--weights idf"])),
    ("--multiset --counts --bag-of-words", Flags(&["--bag"])),
    ("--lang --programming-language --grammar", Flags(&["--syntax"])),
    ("--base-code --basecode -bc -b --boilerplate --starter-code --ignore-code", Flags(&["--template"])),
    ("--max-fingerprint-count --max-fingerprint-percentage --max-fingerprint-file-count --max-frequency", Flags(&["--max-df"])),
    // What is found.
    ("--similarity --similarity-threshold --jaccard-threshold --jaccard --sim --min-similarity --min-sim --min-jaccard --score --min-score --cutoff --lsh-threshold --ratio --percent --similarity-cutoff", Flags(&["--threshold"])),
    ("--num-perm --permutations --num-perms --num-hashes --num-hash --nperm --perms --hashes --sketch-size --signature-size", Words("a signature has bands x rows values; give --bands and --rows")),
    ("--num-bands --nbands --band", Flags(&["--bands"])),
    ("--num-rows --nrows --row --band-size --rows-per-band", Flags(&["--rows"])),
    ("--hash-func --hash-function --hash-bits --hash", Words("shingles are hashed by xxh3; leave it out")),
    ("--random-seed --random-state", Flags(&["--seed"])),
    ("--exhaustive --brute-force --bruteforce --no-lsh --pairwise --all-against-all", Flags(&["--all-pairs"])),
    ("--old --reference --references --corpus --other --compare-to --compare-with --baseline-dir --ref", Words("a second set of documents is given as dedup compare PATH --against PATH")),
    ("--cluster --clusters --clustering --group --groups --cluster-alg", Words("dedup cluster prints groups")),
    ("--skip-local --skiplocal --no-same-dir --cross-dir", Flags(&["--group-by dir"])),
    ("--mode --type-of-text --profile", Flags(&["--preset"])),
    ("--embedding --embeddings --semantic --model --model-name --fuzzy --levenshtein --edit-distance --simhash", Words("texts are compared by the shingles that they share; see --shingle and --threshold")),
    // What is done with it.
    ("--delete --remove --rm --unlink --trash --purge --noprompt --keep-one", Words("dedup plan writes a script that removes duplicates, and dedup unique writes a corpus without them")),
    ("--hardlink --hardlinks --symlink --reflink --link --move", Words("dedup plan --action does this by a script")),
    ("--in-place --inplace --replace --overwrite", Words("dedup unique --output writes a corpus without duplicates")),
    ("--simulate --dryrun --no-act --dry", Flags(&["--dry-run"])),
    ("--pretend", Flags(&["--dry-run"])),
    // How it is written.
    ("--max-count -n --limit --head --max-results --shown-comparisons --first --num-results --max-matches", Flags(&["--top", "--best"])),
    ("--topk --top-k --top-n --nearest --neighbors --neighbours --num-neighbors --k-nearest", Flags(&["--best", "--top"])),
    ("--sort-by --order --order-by --sortr --rank", Flags(&["--sort"])),
    ("--context-lines --after-context --before-context -A -B -C", Flags(&["--context"])),
    ("--reporter --reporters --output-format --report-format --format-output --outputformat --as", Flags(&["--format"])),
    ("--csv", Flags(&["--format csv"])),
    ("--tsv", Flags(&["--format tsv"])),
    ("--sarif", Flags(&["--format sarif"])),
    ("--junit --xml", Flags(&["--format junit"])),
    ("--markdown --md", Flags(&["--format markdown"])),
    ("--text --txt --table --pretty --human --human-readable --plain -p", Flags(&["--format text"])),
    ("--json --jsonl --json-lines --json-output --ndjson --compact-output --raw-output --slurp", Words("each line is a JSON object without a flag; leave it out")),
    ("--output-dir --output-file --out-file --out --outfile --output-path --result-file --dest --destination --result-directory", Flags(&["--output"])),
    ("--colour --colors --colours --colorize", Flags(&["--color"])),
    ("--no-color --no-colour --nocolor --no-colors --monochrome-output", Flags(&["--color never"])),
    ("--silent -s --no-progress --no-messages --quiet-mode --hide-progress --no-tips", Flags(&["--quiet"])),
    ("--progress --progress-bar", Words("progress is shown on a terminal; leave it out")),
    ("--count -c --files-with-matches", Words("standard error has the number of pairs; leave it out")),
    ("--fail --fail-on-duplicates --error --exitcode --error-exitcode", Flags(&["--exit-code"])),
    ("--max-duplicates --max-pairs-allowed --fail-threshold", Flags(&["--fail-over"])),
    // The machine.
    ("--jobs --workers --num-workers --processes --num-processes --num-proc --nproc --parallel --cores --cpus --num-threads --n-jobs --concurrency -T -P", Flags(&["--threads"])),
    ("--mem --max-memory --ram --memory-limit --buffer-size --max-mem", Flags(&["--memory"])),
    ("--batch-size --cache-dir --streaming --chunk-size", Words("memory is bounded by --memory; leave it out")),
];

/// Commands that people try, each with what to write.
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("find search similar similars near-duplicates near-dupes neardup dupes dups duplicates duplicate detect run match matches pairs minhash lsh start analyze analyse all", "dedup scan PATH"),
    ("check test lint verify-unique ci gate", "dedup scan PATH --exit-code"),
    ("dedupe dedup deduplicate deduplication uniq distinct clean cleanup filter drop-duplicates", "dedup unique PATH --output CLEAN"),
    ("diff cmp show view inspect why side-by-side", "dedup explain A B, or for folders dedup compare A --against B"),
    ("remove delete rm prune purge trash move hardlink symlink link unlink", "dedup plan PATH, which writes a script that removes duplicates"),
    ("overlap leak leakage contamination decontaminate intersect cross join", "dedup compare PATH --against OTHER"),
    ("group groups clusters clustering components dbscan", "dedup cluster PATH"),
    ("html export summary results print", "dedup report RESULT, or dedup scan PATH --format html=out.html"),
    ("accept allow approve suppress ignore whitelist allowlist", "dedup baseline RESULT --output FILE"),
    ("label annotate judge ask", "dedup review RESULT"),
    ("add insert ingest update append upsert", "dedup index add INDEX PATH"),
    ("build create new init make", "dedup index build INDEX PATH"),
    ("lookup look-up contains nearest neighbors neighbours serve get known seen", "dedup query INDEX PATH"),
    ("merge", "dedup index merge OUT INDEX INDEX"),
    ("info stat stats", "dedup index info INDEX, or dedup scan PATH --summary FILE"),
    ("list ls", "dedup scan PATH --list-documents"),
    ("settings options defaults configuration setup", "dedup config"),
    ("tune threshold thresholds plot recall s-curve choose", "dedup curve --threshold 0.7"),
    ("signature signatures sketch hash hashes fingerprint", "dedup sign PATH"),
    ("parameters param", "dedup params"),
    ("schemas json-schema", "dedup schema"),
    ("completion complete autocomplete", "dedup completions SHELL"),
    ("manual manpage docs doc info-page", "dedup man"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::program;

    #[test]
    fn what_replaces_a_flag_exists_and_no_name_is_listed_twice() {
        let program = program();
        let mut names = BTreeSet::new();
        for (others, instead) in FLAGS {
            for name in others.split(' ') {
                assert!(names.insert(name), "{name}");
            }
            let words: Vec<&str> = match instead {
                Flags(flags) => flags.to_vec(),
                Words(words) => words.split([' ', ';', ',']).filter(|word| word.starts_with("--")).collect(),
            };
            for own in words {
                let own = own.split(' ').next().unwrap_or(own).trim_start_matches("--");
                let has_it = |command: &clap::Command| {
                    command.get_arguments().any(|arg| arg.get_long() == Some(own) && !arg.is_hide_set())
                };
                assert!(program.get_subcommands().any(has_it), "--{own}");
            }
        }
        assert!(FLAGS.len() >= 50);
    }

    #[test]
    fn what_replaces_a_command_exists_and_is_another_one() {
        let program = program();
        for (words, instead) in COMMANDS {
            for word in words.split(' ') {
                assert!(program.find_subcommand(word).is_none(), "{word}");
            }
            for line in instead.split("dedup ").skip(1) {
                let name = line.split([' ', ',']).next().unwrap_or(line);
                assert!(program.find_subcommand(name).is_some(), "{line}");
            }
        }
    }
}
