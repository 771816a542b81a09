//! `--show-passages`: where two documents are the same, in the lines and bytes of the originals.

use dedup_scan::compare::passages::LocatedPassage;

use crate::support::{Workspace, records};

const WORDS: [&str; 5] = ["--shingle", "word", "--show-passages", "--quiet", "--threshold"];
const FIRST: &str = "The harbour master counted the boats twice before the fog came in.";
const SECOND: &str = "Nobody on the quay remembered who had lit the lamp at the end of the pier.";
const THIRD: &str = "By morning the ropes were stiff with salt and the gulls had gone inland.";

/// The passages of each line.
fn passages(stdout: &str) -> Vec<Vec<LocatedPassage>> {
    records(stdout).into_iter().map(|pair| pair.passages.expect("the key is there").expect("it is not null")).collect()
}

/// What a part is of a text, as a string.
fn part(text: &str, bytes: [u64; 2]) -> &str {
    &text[bytes[0] as usize..bytes[1] as usize]
}

#[test]
fn a_line_ends_in_coverages_and_passages() {
    let keys = r#""coverage_a":1.0,"coverage_b":0.8,"passages":[{"a":{"lines":[1,1],"bytes":[0,65]},"b":{"lines":[3,3],"bytes":[16,81]},"matched":12,"exact":true}]}"#;
    Workspace::new("a_line_ends_in_passages")
        .file("a.txt", FIRST)
        .file("b.txt", format!("Here a note:\r\n\r\n{FIRST}"))
        .file("c.txt", "")
        .dedup(&[&["scan"], &WORDS[..], &["0.5", "."]].concat())
        .stdout_with(|stdout| {
            let line = stdout.trim_end();
            assert!(line.ends_with(keys), "{line}");
            records(stdout);
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn passages_that_changed_places_and_lines_are_found_in_order_of_the_first_document() {
    let a = format!("{FIRST}\n\n{SECOND}\nalone here\n");
    let b = format!("Title\r\n{}\r\nIn between: {FIRST}\r\n", SECOND.replacen(" lit", "\r\n lit", 1));
    Workspace::new("reordered_passages")
        .file("a.txt", &a)
        .file("b.txt", &b)
        .dedup(&[&["scan"], &WORDS[..], &["0.3", "--max-gap", "0", "."]].concat())
        .stdout_with(|stdout| {
            let found = passages(stdout);
            let [first, second] = &found[0][..] else { panic!("{stdout}") };
            assert_eq!((first.a.lines, first.b.lines), ([1, 1], [4, 4]));
            assert_eq!((second.a.lines, second.b.lines), ([3, 3], [2, 3]));
            for (passage, text) in [(first, FIRST), (second, SECOND)] {
                assert_eq!(part(&a, passage.a.bytes), text.trim_end_matches('.'));
                let words: Vec<&str> = part(&b, passage.b.bytes).split_whitespace().collect();
                assert_eq!(words.join(" "), text.trim_end_matches('.'));
                assert!(passage.exact);
            }
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn gaps_join_tiles_and_the_flags_say_how_far() {
    let b = FIRST.replace("boats", "small grey boats");
    let workspace = Workspace::new("gaps_join_tiles")
        .file("a.txt", format!("{FIRST} {SECOND}"))
        .file("b.txt", format!("{b} {SECOND}"));
    let numbers = |flags: &[&str], expected: &[(u64, bool)]| {
        let arguments = [&["scan"], &WORDS[..], &["0.3"], flags, &["."]].concat();
        let look = |stdout: &str| {
            let found: Vec<_> = passages(stdout)[0].iter().map(|passage| (passage.matched, passage.exact)).collect();
            assert_eq!(found, expected, "{flags:?}");
        };
        workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
    };
    numbers(&[], &[(28, false)]);
    numbers(&["--max-gap", "2"], &[(28, false)]);
    // "The harbour master counted the" is a run, but no anchor.
    numbers(&["--max-gap", "1"], &[(23, true)]);
    numbers(&["--max-gap", "1", "--anchor", "5"], &[(5, true), (23, true)]);
    numbers(&["--min-run", "6"], &[(23, true)]);
    numbers(&["--min-run", "23"], &[(23, true)]);
}

#[test]
fn bytes_and_lines_are_those_of_folded_and_multibyte_originals() {
    let a = "Ça commence :\nLE  GARÇON MANGEAIT des pommes rouges près de la vieille gare\n";
    let b = "\u{FEFF}le garc\u{327}on\tmangeait DES POMMES\nrouges près de la vieille gare. Fin";
    let flags = ["--lowercase", "--nfc", "0.3"];
    Workspace::new("folded_originals")
        .file("a.txt", a)
        .file("b.txt", b)
        .dedup(&[&["scan"], &WORDS[..4], &flags[..2], &["--threshold", flags[2], "."]].concat())
        .stdout_with(|stdout| {
            let found = passages(stdout);
            let [passage] = &found[0][..] else { panic!("{stdout}") };
            assert_eq!(part(a, passage.a.bytes), "LE  GARÇON MANGEAIT des pommes rouges près de la vieille gare");
            assert_eq!(
                part(b, passage.b.bytes),
                "le garc\u{327}on\tmangeait DES POMMES\nrouges près de la vieille gare"
            );
            assert_eq!((passage.a.lines, passage.b.lines), ([2, 2], [1, 2]));
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn records_have_their_passages_in_the_field() {
    let text = format!("{FIRST}\\n{SECOND}");
    let records = format!("{{\"id\":1,\"text\":\"{text}\"}}\n{{\"text\":\"Title\\n{text}\",\"id\":2}}\n");
    Workspace::new("records_have_passages")
        .file("records.jsonl", records)
        .dedup(&[&["scan"], &WORDS[..], &["0.3", "."]].concat())
        .stdout_with(|stdout| {
            let end = FIRST.len() + 1 + SECOND.len() - 1;
            let expected = format!(
                "\"passages\":[{{\"a\":{{\"lines\":[1,2],\"bytes\":[0,{end}],\"of\":\"field\"}},\
                 \"b\":{{\"lines\":[2,3],\"bytes\":[6,{}],\"of\":\"field\"}},\"matched\":28,\"exact\":true}}]}}\n",
                end + 6
            );
            assert!(stdout.ends_with(&expected), "{stdout}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn every_kind_with_an_order_has_passages_and_multisets_have_the_same() {
    let a = format!("{FIRST}\n{SECOND}\n{THIRD}\n");
    let workspace =
        Workspace::new("every_kind_has_passages").file("a.txt", &a).file("b.txt", format!("x.\n{a}Yes.\n{THIRD}\n"));
    for kind in ["char", "word", "line", "sentence", "stopword"] {
        for bag in [&[][..], &["--bag"]] {
            let flags =
                ["scan", "--shingle", kind, "--k", "1", "--threshold", "0.1", "--show-passages", "--quiet", "."];
            let look = |stdout: &str| {
                let found = passages(stdout);
                let [passage] = &found[0][..] else { panic!("{kind}: {stdout}") };
                assert_eq!((passage.a.lines, passage.b.lines), ([1, 3], [2, 4]), "{kind}");
                assert!(passage.exact && records(stdout)[0].coverage_a == Some(1.0), "{kind}: {stdout}");
            };
            workspace.dedup(&[&flags, bag].concat()).stdout_with(look).stderr("").exit_code(0);
        }
    }
}

#[test]
fn what_is_of_a_template_is_in_no_passage() {
    let workspace = Workspace::new("templates_and_passages")
        .file("form.txt", FIRST)
        .file("corpus/a.txt", format!("{FIRST} {SECOND}"))
        .file("corpus/b.txt", format!("{FIRST} {SECOND} {THIRD}"));
    let mut without = Vec::new();
    let arguments = [&["scan"], &WORDS[..], &["0.3", "corpus"]].concat();
    workspace.dedup(&arguments).stdout_with(|stdout| without = passages(stdout)).stderr("").exit_code(0);
    assert_eq!(without[0][0].matched, 28);
    let arguments = [&arguments[..], &["--template", "form.txt"]].concat();
    let start = u64::try_from(FIRST.len()).unwrap() + 1;
    let look = |stdout: &str| {
        let found = &passages(stdout)[0][0];
        assert!(found.a.bytes[0] == start && found.matched < 28, "{stdout}");
        assert_eq!(found.a.bytes[1], without[0][0].a.bytes[1], "{stdout}");
    };
    workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn memory_threads_and_copies_do_not_change_passages() {
    // Twelve blocks of 50 words, of which each of 8 texts has its own three, and shares the others.
    let text = |number: usize| -> String {
        let own = |block: usize| {
            if (block + number / 3).is_multiple_of(4) { format!("n{}", number / 3) } else { String::new() }
        };
        let words = |block: usize| (0..50).map(|word| format!("{}b{block}w{word} ", own(block))).collect::<String>();
        (0..12).map(words).collect::<String>() + if number.is_multiple_of(3) { "\n" } else { "" }
    };
    let workspace = (0..24).fold(Workspace::new("passages_of_any_memory"), |workspace, number| {
        workspace.file(format!("{number:02}.txt"), text(number))
    });
    let mut whole = String::new();
    let arguments = [&["scan"], &WORDS[..], &["0.1", "."]].concat();
    workspace.dedup(&arguments).stdout_with(|stdout| whole = stdout.to_owned()).stderr("").exit_code(0);
    assert!(passages(&whole).iter().filter(|passages| passages.len() > 1).count() > 10, "{whole}");
    for flags in [["--threads", "1"], ["--threads", "2"], ["--memory", "16MiB"]] {
        workspace.dedup(&[&arguments[..], &flags].concat()).stdout(&whole).stderr("").exit_code(0);
    }
}

#[test]
fn both_sides_of_a_comparison_have_passages() {
    Workspace::new("compare_passages")
        .file("new/a.txt", format!("{FIRST}\n{SECOND}"))
        .file("old/b.txt", format!("{SECOND}\n{FIRST}"))
        .dedup(&[&["compare", "new", "--against", "old"][..], &WORDS, &["0.3"]].concat()[..])
        .stdout_with(|stdout| assert_eq!(passages(stdout)[0].len(), 1, "one passage of two sentences: {stdout}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn flags_that_say_nothing_are_refused() {
    let workspace = Workspace::new("passages_refused").file("a.txt", FIRST);
    for flag in ["--max-gap", "--min-run", "--anchor"] {
        let refused = |stderr: &str| assert!(stderr.contains("--show-passages"), "{stderr}");
        workspace.dedup(&["scan", flag, "9", "."]).stdout("").stderr_with(refused).exit_code(2);
    }
    workspace
        .dedup(&["scan", "--show-passages", "--shingle", "word", "--anchor", "4", "."])
        .stdout("")
        .stderr(
            "dedup: --anchor 4: shorter than --min-run, which is 5; give --anchor 5 or more, or a \
             smaller --min-run\n",
        )
        .exit_code(2);
    workspace
        .dedup(&["scan", "--show-passages", "--shingle", "set", "."])
        .stdout("")
        .stderr(
            "dedup: --show-passages: the elements of a set have no order; remove the flag, or choose another --shingle\n",
        )
        .exit_code(2);
}
