//! Translates flags of other programs, and their values, into flags of `dedup`.
//!
//! They are looked up before similar names: a flag of grep or ripgrep is a word that its user knows, and not a typing
//! error.

/// Advice on a flag of another program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Advice {
    /// Flags of `dedup`, possibly with values. The advice is the first one that the command has.
    Flags(&'static [&'static str]),
    /// A sentence on what to do.
    Words(&'static str),
}

use Advice::{Flags, Words};

/// Advice on a flag of another program.
///
/// * `flag`: the flag with its dashes, without a value.
pub(super) fn flag(flag: &str) -> Option<Advice> {
    let flag = match flag.strip_prefix("--") {
        Some(_) => flag.to_lowercase().replace('_', "-"),
        // A number belongs to the flag before it, as in -U3 and -M90%.
        None => flag.trim_end_matches(|c: char| c.is_ascii_digit() || c == '%').to_owned(),
    };
    FLAGS.iter().find(|(names, _)| names.split(' ').any(|name| name == flag)).map(|&(_, instead)| instead)
}

/// Advice on a flag that only other commands have.
///
/// * `command`: the last word of the command, such as `build` of `dedup index build`.
pub(super) fn flag_of_others(command: &str, flag: &str) -> Option<&'static str> {
    let has = |words: &str, word: &str| words.split(' ').any(|one| one == word);
    OF_OTHERS
        .iter()
        .find(|(commands, flags, _)| has(commands, command) && has(flags, flag))
        .map(|&(.., instead)| instead)
}

/// Advice on a flag for the view of `dedup PATH`.
pub(super) fn flag_of_view(flag: &str) -> Option<&'static str> {
    OF_VIEW.iter().find(|(names, _)| names.split(' ').any(|name| name == flag)).map(|&(_, instead)| instead)
}

/// The value of a flag that replaces an unknown word.
pub(super) fn value(flag: &str, word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let values = VALUES.iter().filter(|(name, ..)| *name == flag);
    values.clone().find(|(_, words, _)| words.split(' ').any(|one| one == word)).map(|&(.., instead)| instead)
}

/// The extension of a type of files of ripgrep.
pub(super) fn type_of_files(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    TYPES.iter().find(|names| names.split(' ').any(|name| name == word)).and_then(|names| names.split(' ').next())
}

/// Flags of grep, ripgrep, fd, jq, fdupes, datasketch, text-dedup, jscpd, JPlag, Dolos and MOSS.
#[rustfmt::skip]
const FLAGS: &[(&str, Advice)] = &[
    // Input files.
    ("--recursive -r -R --recurse --subdirectories -type -rn", Words("folders are read with all folders in them; remove the flag")),
    ("--max-depth --maxdepth --depth -d -maxdepth --min-depth --exact-depth -mindepth", Words("folders are read with all folders in them; choose files by --include or --exclude")),
    ("--glob --iglob -g --type --extension --extensions --ext -e --suffixes --pattern --name --include-dir -name -iname --formats-exts --type-add", Flags(&["--include"])),
    ("--type-list --formats-names --list-types", Words("files of all types are read; choose some by --include, as in --include '*.py'")),
    ("--subdirectory --subdir", Words("choose folders inside of PATH by --include, as in --include '*/src/**'")),
    ("--base-directory --root", Words("change to the folder first, as in: cd FOLDER && dedup scan .")),
    ("--one-file-system --xdev -xdev", Words("folders are read across file systems; skip one by --exclude")),
    ("--changed-within --changed-before --newer --older -mtime -newer -mmin", Words("give --changed-since for files that changed in git, or a list of other files by --files-from")),
    ("--size", Words("--max-document-bytes skips larger documents, and --min-tokens shorter ones")),
    ("--binary-files --binary", Words("binary files are skipped; --filter reads them through another program")),
    ("--search-zip --decompress", Words("compressed files and archives are read without a flag; remove the flag")),
    ("-a", Words("binary files are skipped, and names begin with the PATH that is given; remove the flag")),
    ("--absolute-path --absolute", Words("names begin with the PATH that is given; give an absolute path, as in: dedup scan \"$PWD\"")),
    ("--ignore --ignore-file --exclude-dir --type-not --skip --exclude-files -x -E", Flags(&["--exclude"])),
    ("--no-ignore --no-ignore-vcs --unrestricted -u -uu --no-ignore-parent", Words("ignored files are read unless --gitignore is given; remove the flag")),
    ("--exclude-from", Words("give each pattern by --exclude, or the paths to read by --files-from")),
    ("--respect-gitignore --vcs --git-ignore --gitignore-file", Flags(&["--gitignore"])),
    ("-H --all-files --dotfiles", Flags(&["--hidden"])),
    ("--nohidden --no-hidden", Words("hidden files are skipped unless --hidden is given; remove the flag")),
    ("--noempty --no-empty", Words("empty documents are in no pair; remove the flag")),
    ("--dereference --dereference-recursive --follow-symlinks --symlinks --links --follow-link", Flags(&["--follow-links"])),
    ("--no-follow --no-symlinks --no-follow-links --nosymlinks", Words("links inside folders are not followed unless --follow-links is given; remove the flag")),
    ("--max-filesize --max-size --max-bytes-per-file --maxsize --max-lines --maxlines", Flags(&["--max-document-bytes"])),
    ("--null-data --print0 --zero -z -Z", Flags(&["--null"])),
    ("--file-list --filelist --from-file --list-file --paths-from", Flags(&["--files-from"])),
    ("--path --paths --input --inputs --in-file --input-file --dataset --data-files --data --file --dir --directory --local --source -i-file", Words("give the path without a flag")),
    ("--use-auth-token --revision --hf-token --hub --repo", Words("dedup reads local files; download the data set, and give its files")),
    ("--charset --codec", Flags(&["--encoding"])),
    ("--since --cached --staged --diff-filter", Flags(&["--changed-since"])),
    ("--split --subset --config-name --train", Words("give the files of that part, as in data/train-*.parquet")),
    // Parts of a record.
    ("--header --no-header --skip-header --has-header", Words("the first row of CSV and TSV has the names of the columns; remove the flag")),
    ("--sheet --worksheet", Words("export the sheet as CSV, or read the file by --filter")),
    ("--column --columns --text-column --text-key --text-col --content --content-field --body --field --key", Flags(&["--text-field"])),
    ("--id-column --id-col --index-column --index-col --idx --idx-column --idx-col --id --id-key", Flags(&["--id-field"])),
    ("--sep --separator --field-separator", Flags(&["--delimiter"])),
    // Preparation of texts.
    ("--ignore-case -i --case-insensitive --case-fold --casefold --lower --to-lower --smart-case --no-case --ignorecase -S", Flags(&["--lowercase"])),
    ("--case-sensitive", Words("upper and lower case differ unless --lowercase is given; remove the flag")),
    ("--ignore-punctuation --no-punctuation --remove-punctuation --strip-punct", Flags(&["--strip-punctuation"])),
    ("--ignore-accents --unaccent --ascii --no-accents --remove-accents", Flags(&["--strip-accents"])),
    ("--ignore-digits --ignore-numbers --mask-numbers", Flags(&["--fold-digits"])),
    ("--ignore-whitespace --ignore-space-change --ignore-all-space --ignore-blank-lines", Words("each run of white space counts as one space unless --keep-whitespace is given; remove the flag")),
    ("--ignore-lines --ignore-pattern --ignore-regex --ignore-matching-lines", Flags(&["--skip-lines"])),
    ("--ignore-comments --skip-comments --strip-comments", Flags(&["--shingle code", "--preset code"])),
    ("--strip-html --html-strip --no-html", Flags(&["--html strip"])),
    ("--normalize --normalise --normalization", Words("texts are compared as they are; --lowercase, --strip-accents, --strip-punctuation and --nfkc ignore differences, and --preset code the names in programs")),
    ("-w --word-regexp", Words("--shingle word compares by words, and each run of white space counts as one space")),
    ("--unicode-normalization --unicode-normalize", Flags(&["--nfkc"])),
    // Shingles.
    ("--ngram --ngrams --n-gram --n-grams --ngram-size --n-gram-size --ngram-length --shingle-size --shingle-length --shingles --kgram --kgram-length --kgram-size --kgrams --window --window-size --kmer --ksize --kshingle --k-shingle --k-shingles", Flags(&["--k"])),
    ("--tokenizer --tokenize --tokens --token --analyzer --granularity --level", Flags(&["--shingle"])),
    ("--words --word --word-level", Flags(&["--shingle word"])),
    ("--lines --line-level", Flags(&["--shingle line"])),
    ("--sentences", Flags(&["--shingle sentence"])),
    ("--chars --characters --char-level", Flags(&["--shingle char"])),
    ("--min-length --min-len --min-size --min-words --min-chars --min-doc-length", Flags(&["--min-tokens"])),
    ("--min-lines --minlines --min-fragment-length --minimum-match --min-match --min-fragment --min-tokens-match", Words("the length of a passage is counted in tokens; give --match passages --min-run TOKENS")),
    ("--match-merging --gap-size --neighbor-length --min-neighbor-length", Flags(&["--max-gap"])),
    ("--kgrams-in-window --winnowing", Words("all shingles are compared; remove the flag")),
    ("--stop-words --stop-word-list", Flags(&["--stopwords"])),
    ("--idf --tfidf --tf-idf --weighting --weighted --frequency", Flags(&["--weights idf"])),
    ("--multiset --counts --bag-of-words", Flags(&["--bag"])),
    ("--lang --programming-language --grammar", Flags(&["--syntax"])),
    ("--base-code --basecode -bc -b --boilerplate --starter-code --ignore-code", Flags(&["--template"])),
    ("--max-fingerprint-count --max-fingerprint-percentage --max-fingerprint-file-count --max-frequency", Flags(&["--max-df"])),
    // Criteria for pairs.
    ("-M --find-copies --find-renames", Flags(&["--threshold"])),
    ("-m", Words("--threshold sets the minimum similarity, and --top the number of pairs")),
    ("--exact --exact-only --identical", Words("give --threshold 1 for copies of the same text")),
    ("--method --algorithm --algo --minhash --lsh", Words("candidates are found by MinHash and banding, and each pair is verified; remove the flag")),
    ("--metric --distance --cosine --measure --similarity-metric", Words("texts are compared by the Jaccard similarity of their shingles; see --shingle and --weights")),
    ("--similarity --similarity-threshold --jaccard-threshold --jaccard --sim --sim-threshold --min-similarity --min-sim --min-jaccard --score --min-score --cutoff --lsh-threshold --ratio --percent --similarity-cutoff", Flags(&["--threshold"])),
    ("--num-perm --permutations --num-perms --num-hashes --num-hash --nperm --perm --perms --hashes --sketch-size --signature-size", Words("a signature has bands x rows values; give --bands and --rows")),
    ("--num-bands --nbands --band --b", Flags(&["--bands"])),
    ("--num-rows --nrows --row --band-size --rows-per-band --r", Flags(&["--rows"])),
    ("--hash-func --hashfunc --hash-function --hash-bits --hash", Words("shingles are hashed by xxh3; remove the flag")),
    ("--random-seed --random-state", Flags(&["--seed"])),
    ("--exhaustive --brute-force --bruteforce --no-lsh --pairwise --all-against-all", Flags(&["--all-pairs"])),
    ("--new --reference --references --corpus --other --compare-to --compare-with --baseline-dir --ref", Words("a second set of documents is given as dedup compare PATH --against PATH")),
    ("--cluster --clusters --clustering --group --groups --cluster-alg", Words("dedup cluster prints groups")),
    ("--skip-local --skiplocal --no-same-dir --cross-dir", Flags(&["--group-by dir"])),
    ("--mode --type-of-text --profile", Flags(&["--preset"])),
    ("--embedding --embeddings --semantic --model --model-name --fuzzy --levenshtein --edit-distance --simhash --bit-diff --num-bucket --hamming", Words("texts are compared by the shingles that they share; see --shingle and --threshold")),
    // Actions on duplicates.
    ("--delete --remove --rm --unlink --trash --purge --noprompt --keep-one", Words("dedup plan writes a script that removes duplicates, and dedup unique writes a corpus without them")),
    ("--hardlink --hardlinks --symlink --reflink --link --move", Words("dedup plan --action does this by a script")),
    ("--overwrite", Flags(&["--force"])),
    ("--in-place --inplace --replace", Words("dedup unique --output writes a corpus without duplicates")),
    ("--run --execute --exec --exec-batch --apply -X", Words("dedup plan writes a script; read it, and run it with sh")),
    ("-y --yes --assume-yes --no-confirm --confirm", Words("dedup asks no questions; remove the flag")),
    ("--simulate --dryrun --no-act --dry", Flags(&["--dry-run"])),
    ("--pretend", Flags(&["--dry-run"])),
    // Output.
    ("--max-count -n --limit --head --max-results --shown-comparisons --first --num-results --max-matches", Flags(&["--top", "--best"])),
    ("--topk --top-k --top-n --nearest --neighbors --neighbours --num-neighbors --k-nearest", Flags(&["--best", "--top"])),
    ("--sort-by --order --order-by --sortr --rank --reverse --fragment-sort-by", Flags(&["--sort"])),
    ("--context-lines --after-context --before-context -A -B -C -U --unified", Flags(&["--context"])),
    ("--reporter --reporters --output-format --report-format --format-output --outputformat --as", Flags(&["--format"])),
    ("--side-by-side --diff --show-diff --word-diff --color-words --brief", Words("dedup explain A B shows the differences, and --format html=report.html has both texts side by side")),
    ("--open --browser --serve --web --gui --html-report --page", Words("give --format html=report.html, and open the page in a browser")),
    ("--no-open --port --host", Words("the page is a file, which --format html=report.html writes; remove the flag")),
    ("--line-number --line-numbers --column-number --only-matching --vimgrep -N", Words("lines are only printed with --show-passages, which adds the common passages to each pair")),
    ("--no-heading --heading --sort-keys --unbuffered --line-buffered", Words("each pair is one line, and its keys have a fixed order; remove the flag")),
    ("--indent --tab --pretty-print", Words("jq formats the lines, as in: dedup scan PATH | jq .")),
    ("--invert-match --files-without-match --unmatched", Words("dedup unique writes the documents without their duplicates, and dedup cluster --singletons lists those that have none")),
    ("--blame", Words("git blame finds the author of a line; --changed-since chooses files that changed in git")),
    ("--watch", Words("run it again after changes; dedup index keeps signatures between runs")),
    ("--interactive", Words("dedup review shows the pairs near the threshold one by one")),
    ("--jq --where --select --filter-by --expression --arg --argjson --null-input", Words("filter the lines with jq, as in: dedup scan PATH | jq -c 'select(.jaccard > 0.9)'")),
    ("--files --list-details --ls", Flags(&["--list-documents"])),
    ("--pre --preprocessor --converter", Flags(&["--filter"])),
    ("--names-only --name-only --only-names --list-files --files-with-matches", Words("print names with jq, as in: dedup scan PATH | jq -r '.a, .b'")),
    ("-l", Words("print names with jq, as in: dedup scan PATH | jq -r '.a, .b'")),
    ("--languages", Words("--preset code compares programs, and knows the language of each file by its name (--syntax sets it)")),
    ("--verify --verified --exact-verification", Words("each pair is verified by its exact similarity; remove the flag")),
    ("--csv --csv-export", Flags(&["--format csv"])),
    ("--tsv", Flags(&["--format tsv"])),
    ("--sarif", Flags(&["--format sarif"])),
    ("--junit --xml", Flags(&["--format junit"])),
    ("--markdown --md", Flags(&["--format markdown"])),
    ("--text --txt --table --pretty --human --human-readable --plain -p", Flags(&["--format text"])),
    ("--json --jsonl --json-lines --json-output --ndjson --compact-output --raw-output --slurp", Words("each line is a JSON object without a flag; remove the flag")),
    ("--output-dir --output-file --out-file --out --outfile --output-path --result-file --dest --destination --result-directory", Flags(&["--output"])),
    ("--save-dir --savedir --save-to", Flags(&["--save", "--output"])),
    ("--config-file --rcfile --settings --settings-file --conf", Flags(&["--config"])),
    ("-v --verbose -vv --debug --log --log-level --trace --statistics --info --timing", Flags(&["--stats"])),
    ("--no-pager --pager", Words("no pager is used; remove the flag")),
    ("--colour --colors --colours --colorize", Flags(&["--color"])),
    ("--no-color --no-colour --nocolor --no-colors --monochrome-output", Flags(&["--color never"])),
    ("--silent -s --no-progress --no-messages --quiet-mode --hide-progress --no-tips", Flags(&["--quiet"])),
    ("--progress --progress-bar", Words("progress is shown on a terminal; remove the flag")),
    ("--count -c", Words("standard error has the number of pairs; remove the flag")),
    ("--fail --fail-on --fail-on-duplicates --error --exitcode --error-exitcode --exit-status", Flags(&["--exit-code"])),
    ("--max-duplicates --max-pairs-allowed --fail-threshold", Flags(&["--fail-over"])),
    ("--version -V", Words("dedup -V prints the version")),
    // The machine.
    ("--jobs --workers --num-workers --processes --num-processes --num-proc --nproc --parallel --cores --cpus --num-threads --n-jobs --concurrency -T -P", Flags(&["--threads"])),
    ("--mem --max-memory --ram --memory-limit --buffer-size --max-mem", Flags(&["--memory"])),
    ("--gpu --use-gpu --cuda --device", Words("dedup uses processors, as many as --threads says; remove the flag")),
    ("--cache --no-cache --incremental", Words("dedup index build keeps signatures in a file, and dedup query searches it; remove the flag")),
    ("--batch-size --cache-dir --streaming --chunk-size --store --store-path --mmap --no-mmap", Words("memory is limited by --memory; remove the flag")),
];

/// Flags that only other commands have, by commands and flags, each with advice.
#[rustfmt::skip]
const OF_OTHERS: &[(&str, &str, &str)] = &[
    ("scan compare cluster explain unique plan sign", "--stdin", "give the path `-` to read standard input"),
    ("report baseline review", "--html", "write: dedup report RESULT --format html=out.html"),
    ("plan", "--dry-run", "the script does nothing until you run it; read it, and run it with sh"),
    ("scan compare cluster explain query curve", "--dry-run", "this command changes no document; remove the flag"),
    ("cluster", "--save", "save pairs by dedup scan PATH --save DIR, and group them by dedup cluster --from DIR"),
    ("unique plan", "--save", "save pairs by dedup scan PATH --save DIR, and use them by --from DIR"),
    ("query", "--save", "write the lines to a file by --output FILE"),
    ("scan compare cluster", "--report", "give --format html=report.html for a page, or --save DIR for a result"),
    ("scan compare explain unique plan build curve", "--params", "give --bands and --rows"),
    ("build", "--force", "delete the old index or choose another name; dedup index add adds documents to an index"),
    ("build", "--output -o", "the index is the first argument, as in: dedup index build INDEX PATH"),
    ("explain", "--from", "give both names and the files that have them, as in: dedup explain A B --in PATH"),
    ("baseline", "--add", "give the result, and the file to write, as in: dedup baseline RESULT --output FILE"),
    ("cluster", "--min-size --min-cluster-size", "filter the lines with jq, as in: dedup cluster PATH | jq -c 'select(.size >= 3)'"),
    ("unique plan", "-i", "the inputs are never changed: dedup unique --output writes a corpus without duplicates (--lowercase ignores case)"),
    ("query", "--text --string", "send the text to standard input, as in: echo TEXT | dedup query INDEX -"),
];

/// Flags that `dedup PATH` does not need although `dedup scan` may, each with advice.
#[rustfmt::skip]
const OF_VIEW: &[(&str, &str)] = &[
    ("--json --jsonl --json-lines --json-output --ndjson --compact-output --raw-output --slurp", "write dedup scan PATH, or -f jsonl"),
    ("--text --txt --table --pretty --human --human-readable --plain -p", "this is the output without a flag; remove it"),
];

/// Words of other programs that are used as values, by flag, each with the value that replaces them.
#[rustfmt::skip]
const VALUES: &[(&str, &str, &str)] = &[
    ("--preset", "java python c cpp c++ js javascript ts typescript go rust php program programs source software moss jplag dolos", "code"),
    ("--preset", "essay essays text texts news article articles paper papers thesis plagiarism book books letters", "prose"),
    ("--preset", "version versions draft drafts history edits", "revisions"),
    ("--preset", "sentence boilerplate", "sentences"),
    ("--shingle", "ngram n-gram ngrams n-grams token tokens kgram kgrams gram", "word"),
    ("--shingle", "letter letters character characters byte bytes", "char"),
    ("--shingle", "program programs syntax ast", "code"),
    ("--sort", "similarity similar score sim desc descending highest percent best", "jaccard"),
    ("--sort", "name names path paths file files asc ascending none", "order"),
    ("--sort", "length size largest biggest", "shared"),
    ("--linkage", "single connected", "components"),
    ("--linkage", "average ward full max", "complete"),
    ("--keep", "latest recent newest-first new modified mtime", "newest"),
    ("--keep", "largest biggest long", "longest"),
    ("--keep", "smallest short", "shortest"),
    ("--keep", "random any one", "first"),
    ("--format", "xml", "junit"),
    ("--format", "md", "markdown"),
    ("--format", "txt console human pretty table plain terminal", "text"),
    ("--format", "ndjson jsonlines json-lines", "jsonl"),
    ("--format", "excel xlsx xls spreadsheet", "csv"),
    ("--format", "page browser web htm", "html"),
    ("--format", "graphviz gv", "dot"),
];

/// Types of files, each with its extension first.
const TYPES: &[&str] = &[
    "py python",
    "js javascript",
    "ts typescript",
    "java",
    "kt kotlin",
    "c",
    "cpp c++",
    "cs csharp",
    "go golang",
    "rs rust",
    "rb ruby",
    "php",
    "html",
    "css",
    "md markdown",
    "txt text",
    "json",
    "jsonl",
    "xml",
    "csv",
    "tsv",
    "sh bash shell",
    "sql",
    "tex latex",
    "yaml yml",
    "toml",
    "pdf",
    "docx word",
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
        for (commands, flags, _) in OF_OTHERS {
            for name in commands.split(' ') {
                let nested = program.get_subcommands().flat_map(clap::Command::get_subcommands);
                let command = program.get_subcommands().chain(nested).find(|command| command.get_name() == name);
                let longs: Vec<&str> = command.unwrap().get_arguments().filter_map(clap::Arg::get_long).collect();
                let own = |flag: &str| longs.contains(&flag.trim_start_matches('-'));
                assert!(flags.split(' ').all(|flag| !own(flag)), "{name} {flags}");
            }
        }
        for (flag, words, instead) in VALUES {
            let of_flag = |command: &clap::Command| {
                command.get_arguments().find(|arg| arg.get_long() == flag.strip_prefix("--")).cloned()
            };
            let arg = program.get_subcommands().find_map(of_flag).unwrap_or_else(|| panic!("{flag}"));
            let values = arg.get_possible_values();
            let is_value = |word: &str| values.iter().any(|value| value.matches(word, true));
            assert!(words.split(' ').all(|word| !is_value(word)), "{flag} {words}");
            assert!(values.is_empty() || is_value(instead), "{flag} {instead}");
        }
    }
}
