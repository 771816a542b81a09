//! The pages that the browser opens, made by the program in a folder of their own.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names that would break out of HTML, JSON or an attribute, or show as something else.
const HOSTILE_NAMES: [&str; 5] = [
    "</script><script>alert(1)<!--.txt",
    "\"quotes' & <img src=x onerror=alert(1)>.txt",
    "right\u{202E}txt.exe",
    "control\u{1b}[31m\u{7}\n.txt",
    "{{ o.title }}{% for %}.txt",
];

/// Makes `programs.html`, of programs whose long names differ at their beginning; `plain.html`, of 1,200 documents in folders; `hostile.html`, of what documents may hold at worst; `groups.html`; `empty.html`; `answers.html` and `answered.html`; `crowd.html`, of 3,000 copies of one text;
/// `full.html`, whose texts have no room; and `long.html`, of two long texts.
pub(crate) fn make(folder: &Path) {
    let plain = folder.join("plain");
    for number in 0..600 {
        let place = plain.join(format!("chapter-{}/part-{}", number % 7, number % 3));
        fs::create_dir_all(&place).unwrap();
        let text = words(number, 120);
        fs::write(place.join(format!("{number:03}-first.txt")), &text).unwrap();
        let other = match number % 4 {
            0 => text,
            1 => format!("{}\nAnd at the end a line of its own.\n", text.trim_end()),
            2 => text.replacen("\n", "\nsomething else stands here\n", 2),
            _ => format!("An opening that the other one lacks.\n{text}"),
        };
        fs::write(place.join(format!("{number:03}-second.txt")), other).unwrap();
    }
    page(folder, "plain.html", &["scan", "plain"]);
    page(folder, "groups.html", &["cluster", "plain"]);
    page(folder, "full.html", &["scan", "plain", "--max-bytes", "20KiB", "--max-pairs", "500"]);

    for (who, program) in [("alice", "free_time.py"), ("bob", "homework3.py"), ("carol", "free_time.py")] {
        let place =
            folder.join(format!("programs/students-of-the-winter-term/{who}/a-long/folder/of-some/depth/python"));
        fs::create_dir_all(&place).unwrap();
        let program = format!("{}/examples/corpus/code/{program}", env!("CARGO_MANIFEST_DIR"));
        fs::copy(program, place.join("solution.py")).unwrap();
    }
    page(folder, "programs.html", &["scan", "programs", "--preset", "code"]);

    let hostile = folder.join("hostile");
    fs::create_dir_all(&hostile).unwrap();
    let text = format!(
        "{}</script><script>document.title = 'broken'</script><!-- ]]> &lt; {{{{ 7 * 7 }}}}\u{202E}gnirts\u{0}\u{1b}[31m \u{FEFF}\n\
         <img src=x onerror=\"document.title='broken'\">\nשלום עולם, مرحبا بالعالم 👩‍👩‍👧 é\r\n{}",
        words(7001, 40),
        words(7002, 40)
    );
    for (number, name) in HOSTILE_NAMES.into_iter().enumerate() {
        // One has a slash, so that it is in a folder.
        let file = hostile.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "\u{FEFF}".to_owned() + &text.replacen('\u{0}', "", 1) + &"x".repeat(number)).unwrap();
    }
    page(folder, "hostile.html", &["scan", "hostile"]);
    answers(folder);

    let copy =
        |number| format!("{{\"id\":\"copy-{number}\",\"text\":\"{}\"}}\n", words(8500, 20).trim().replace('\n', " "));
    fs::write(folder.join("crowd.jsonl"), (0..3000).map(copy).collect::<String>()).unwrap();
    page(folder, "crowd.html", &["cluster", "crowd.jsonl"]);

    let long = folder.join("long");
    fs::create_dir_all(&long).unwrap();
    let text: String = (0..120).map(|number| words(9000 + number, 400)).collect();
    fs::write(long.join("a.txt"), &text).unwrap();
    fs::write(long.join("b.txt"), text.replace("\nw", "\n\nother words before w")).unwrap();
    page(folder, "long.html", &["scan", "long", "--threshold", "0.5"]);

    fs::write(folder.join("alone.txt"), "one text").unwrap();
    page(folder, "empty.html", &["scan", "alone.txt"]);
}

/// Makes `answers.html`, whose three pairs include a name that is not UTF-8, with its saved result, and
/// `answered.html`, which is given answers.
fn answers(folder: &Path) {
    let documents = folder.join("answers");
    fs::create_dir_all(&documents).unwrap();
    let text = words(8001, 60);
    for (number, name) in ["a.txt", "b \"quoted\".txt"].into_iter().enumerate() {
        fs::write(documents.join(name), text.clone() + &"x".repeat(number)).unwrap();
    }
    let third = std::ffi::OsStr::from_bytes(b"c\xFF.txt");
    fs::write(documents.join(third), text + "xxx yyy").unwrap();
    page(folder, "answers.html", &["scan", "answers", "--save", "saved"]);
    let line = |b: &str, rest: &str| format!("{{\"a\":\"answers/a.txt\",\"b\":{b},\"jaccard\":0.9,{rest}}}\n");
    let given = line(r#""answers/b \"quoted\".txt""#, r#""answer":"yes""#)
        + &line(r#"{"bytes":"YW5zd2Vycy9j/y50eHQ="}"#, r#""answer":"skip","note":"a </script> note""#);
    fs::write(folder.join("given.jsonl"), given).unwrap();
    // The browser keeps the answers of `answers.html` by its three pairs, so these are only two.
    let report = ["report", "saved", "--answers", "given.jsonl", "--title", "Winter <b>term</b> & co.", "--only"];
    page(folder, "answered.html", &[&report[..], &["answers/a.txt", "--sort", "order"]].concat());
}

/// Reads the answers that the browser has saved, as `dedup review` and `dedup report` do.
///
/// * `file`: the file that the page saved.
pub(crate) fn read_saved_answers(folder: &Path, file: &str) -> [String; 2] {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
        let output = command.current_dir(folder).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    [
        run(&["review", "saved", "--answers", file, "--report"]),
        run(&["report", "saved", "--answers", file, "--sort", "order"]),
    ]
}

/// Makes the page that the pictures of the README show, which `tests/integration/pictures.rs` compares with what it was.
pub(crate) fn picture(folder: &Path) -> PathBuf {
    let page = folder.join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["scan", "examples/corpus/essays", "--quiet", "--format"]);
    let output = command.arg(format!("html={}", page.display())).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    page
}

fn page(folder: &Path, name: &str, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
    command.current_dir(folder).args(arguments).args(["--quiet", "--format", &format!("html={name}")]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.join(name).is_file());
}

/// Lines of words that no other text has.
fn words(seed: u64, num_words: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::new();
    for number in 1..=num_words {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text += &format!("w{:05}", (state >> 33) % 100_000);
        text.push(if number % 10 == 0 { '\n' } else { ' ' });
    }
    text
}
