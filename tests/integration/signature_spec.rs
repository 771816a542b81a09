//! The handbook's page on the signature, by a second reading of it in Python and by golden vectors: `examples/signature`.

use std::path::Path;
use std::process::Command;

use dedup_scan::records::SignatureRecord;
use serde_json::Value;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

use crate::support::{CAT, FOX, Random, Workspace};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/signature");

/// What a script of the folder prints; it needs Python and its standard library.
fn python(script: &str, folder: &Path, args: &[&str]) -> String {
    let script = Path::new(FOLDER).join(script);
    let output = Command::new("python3").arg("-B").arg(script).args(args).current_dir(folder).output();
    let output = output.expect("python3 is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn vectors() -> Value {
    serde_json::from_str(&std::fs::read_to_string(Path::new(FOLDER).join("vectors.json")).unwrap()).unwrap()
}

fn program(workspace: &Workspace, args: &[&str]) -> String {
    let mut stdout = String::new();
    workspace.dedup(args).stdout_with(|all| stdout = all.to_owned()).stderr("").exit_code(0);
    stdout
}

#[test]
fn python_reads_the_page_as_the_program_does() {
    let mut random = Random(60);
    let alphabet: Vec<char> = "abcdefghij klmnop\n\t\u{a0}\u{85}\u{1c}\u{200b}éßЖ七🍵".chars().collect();
    let mut workspace = Workspace::new("signature_python").file("empty", "").file("mark", format!("\u{feff}{FOX}"));
    let mut names = vec!["empty".to_owned(), "mark".to_owned()];
    for len in [1, 2, 8, 9, 10, 60, 300, 2000] {
        let text: String = (0..len).map(|_| alphabet[random.below(alphabet.len())]).collect();
        workspace = workspace.file(format!("{len}.txt"), text);
        names.push(format!("{len}.txt"));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Bands of many rows have keys of the long form of XXH3, as shingles of many characters have.
    let settings = [
        ["--k", "9", "--bands", "20", "--rows", "5", "--seed", "42"],
        ["--k", "1", "--bands", "3", "--rows", "1", "--seed", "0"],
        ["--k", "90", "--bands", "2", "--rows", "70", "--seed", "18446744073709551615"],
    ];
    for settings in settings {
        for method in ["classic", "fast"] {
            let args = [&settings[..], &["--signature", method], &names].concat();
            let by_program =
                program(&workspace, &[&["sign", "-q", "--values", "--threshold", "1"], &args[..]].concat());
            assert_eq!(python("signature.py", &workspace.path(""), &args), by_program, "{settings:?} {method}");
        }
        let table = "a\t0\nb\t0.001\nc\t12.75\né\t700\n七\t3.5\n";
        workspace = workspace.file("table", table);
        let args = [&settings[..], &["--weights", "table"], &names].concat();
        let by_program = program(&workspace, &[&["sign", "-q", "--values", "--threshold", "1"], &args[..]].concat());
        assert_eq!(python("weighted.py", &workspace.path(""), &args), by_program, "{settings:?} weighted");
    }
}

#[test]
fn the_golden_vectors_are_those_of_the_program() {
    let vectors = vectors();
    for case in vectors["xxh3"].as_array().unwrap() {
        let (len, seed) = (case["length"].as_u64().unwrap(), case["seed"].as_u64().unwrap());
        let bytes: Vec<u8> = (0..len).map(|at| (at * 7 % 251) as u8).collect();
        assert_eq!(format!("{:016x}", xxh3_64_with_seed(&bytes, seed)), case["xxh3_64"].as_str().unwrap());
        assert_eq!(format!("{:032x}", xxh3_128_with_seed(&bytes, seed)), case["xxh3_128"].as_str().unwrap());
    }
    let of_signatures = ["signatures", "weighted"].into_iter().flat_map(|kind| vectors[kind].as_array().unwrap());
    for case in of_signatures {
        let (settings, record) = (&case["settings"], &case["record"]);
        let name = record["id"].as_str().unwrap();
        let weights = case["weights"].as_object().into_iter().flatten();
        let table: String = weights.map(|(token, weight)| format!("{token}\t{}\n", weight.as_str().unwrap())).collect();
        let workspace =
            Workspace::new("signature_vectors").file(name, case["text"].as_str().unwrap()).file("table", table);
        let number = |key: &str| settings[key].to_string();
        let flags = ["k", "bands", "rows", "seed"].map(|key| [format!("--{key}"), number(key)]);
        let mut args = vec!["sign", "-q", "--values", "--threshold", "1", name];
        args.extend(settings["kind"].as_str().map_or(["--weights", "table"], |kind| ["--signature", kind]));
        args.extend(flags.iter().flatten().map(String::as_str));
        let line = program(&workspace, &args);
        let expected = record.to_string();
        let expected: SignatureRecord = serde_json::from_str(&expected).unwrap();
        assert_eq!(line, serde_json::to_string(&expected).unwrap() + "\n");
    }
    for case in vectors["datasketch"].as_array().unwrap() {
        let values: Vec<u32> = serde_json::from_value(case["values"].clone()).unwrap();
        let (bands, rows) = (case["bands"].as_u64().unwrap() as usize, case["rows"].as_u64().unwrap() as usize);
        let mut keys = vec![0; bands];
        dedup_scan::sign::banding::band_keys(&values[..bands * rows], &mut keys);
        let keys: Vec<String> = keys.iter().map(|key| format!("{key:016x}")).collect();
        assert_eq!(serde_json::to_value(keys).unwrap(), case["keys"]);
    }
}

#[test]
fn python_agrees_with_every_golden_vector() {
    let vectors = vectors();
    let count = |key: &str| vectors[key].as_array().unwrap().len();
    let all = count("xxh3") + count("signatures") + count("weighted") + 2 * count("datasketch");
    assert!(all > 40);
    assert_eq!(python("check_vectors.py", Path::new(FOLDER), &[]), format!("{all} of {all} agree\n"));
}

#[test]
fn the_reading_in_python_has_sixty_lines() {
    let script = std::fs::read_to_string(Path::new(FOLDER).join("signature.py")).unwrap();
    assert!(script.lines().filter(|line| !line.is_empty()).count() <= 60, "{script}");
}

#[test]
fn datasketch_signatures_agree_as_often_as_the_texts_are_similar() {
    // Words of two texts, 8 of 10 in common; 128 values have a standard deviation of sqrt(0.8 · 0.2 / 128) = 0.035, and five of
    // them are allowed.
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (words(FOX), words(CAT));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    assert_eq!((shared, a.len() + b.len() - shared), (8, 10));
    let lines =
        [("a", &a), ("b", &b)].map(|(id, tokens)| serde_json::json!({ "id": id, "tokens": tokens }).to_string());
    let workspace = Workspace::new("signature_datasketch").file("lines", lines.join("\n"));
    for scheme in ["legacy", "affine32"] {
        let script = format!("python3 -B '{FOLDER}/datasketch_signature.py' {scheme} < lines");
        let mut stdout = String::new();
        workspace.shell(&script).stdout_with(|all| stdout = all.to_owned()).stderr("").exit_code(0);
        let values: Vec<Vec<u32>> = stdout
            .lines()
            .map(|line| {
                serde_json::from_value(serde_json::from_str::<Value>(line).unwrap()["signature"].clone()).unwrap()
            })
            .collect();
        let similarity = dedup_scan::estimated_similarity(&values[0], &values[1]);
        assert!((similarity - 0.8).abs() < 5.0 * 0.0354, "{scheme}: {similarity}");
    }
}
