//! The licences and sources of dependencies, by `.ci/deny.toml`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rules() -> toml::Table {
    std::fs::read_to_string(folder().join(".ci/deny.toml")).unwrap().parse().unwrap()
}

/// All packages of the lock file, with every feature, as Cargo describes them. If the packages of other systems were not
/// fetched, which only `cargo fetch` does, the packages of this system.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = |of_system: &[&str]| {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--all-features"];
        Command::new(&cargo).args(arguments).args(of_system).current_dir(folder()).output().unwrap()
    };
    let mut output = metadata(&[]);
    if !output.status.success() {
        let version = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("-vV").output();
        let version = String::from_utf8(version.unwrap().stdout).unwrap();
        let system = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        output = metadata(&["--filter-platform", system]);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether a licence expression can be met with the allowed licences only: one side of `OR` is enough, and `AND` needs both.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ");
    let mut depth = 0;
    let (mut ors, mut ands) = (Vec::new(), Vec::new());
    for (at, word) in
        expression.split_whitespace().map(|word| (word.as_ptr() as usize - expression.as_ptr() as usize, word))
    {
        match word {
            "OR" if depth == 0 => ors.push(at),
            "AND" if depth == 0 => ands.push(at),
            _ => depth += word.matches('(').count() as i32 - word.matches(')').count() as i32,
        }
    }
    // `OR` binds less than `AND`.
    if let Some(&at) = ors.first() {
        return is_met(&expression[..at], allowed) || is_met(&expression[at + 2..], allowed);
    }
    if let Some(&at) = ands.first() {
        return is_met(&expression[..at], allowed) && is_met(&expression[at + 3..], allowed);
    }
    let inner = expression.trim();
    match inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_met(inner, allowed),
        None => allowed.iter().any(|licence| licence == inner),
    }
}

fn texts(list: &toml::Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned()];
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("GPL-3.0 OR MIT AND Zlib", true),
        ("(GPL-3.0 OR MIT) AND BSD-3-Clause", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

#[test]
fn dependencies_have_allowed_licences_and_sources_and_none_is_banned() {
    let rules = rules();
    let allowed = texts(&rules["licenses"]["allow"]);
    let registries = texts(&rules["sources"]["allow-registry"]);
    let banned = rules["bans"]["deny"].as_array().unwrap();
    let banned: Vec<&str> = banned.iter().map(|ban| ban["crate"].as_str().unwrap()).collect();
    let packages = packages();
    assert!(packages.len() > 100, "all dependencies are listed");
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_met(licence, &allowed), "{name}: its licence {licence:?} is not in .ci/deny.toml");
        assert!(!banned.contains(&name), "{name}: is banned by .ci/deny.toml");
        // The package of this repository has no source.
        if let Some(source) = package["source"].as_str() {
            let registry = source.strip_prefix("registry+").unwrap_or(source);
            assert!(registries.iter().any(|allowed| allowed == registry), "{name}: is from {source}");
        }
    }
    // A licence that no package needs is a mistake in the list.
    let is_used = |licence: &&String| {
        packages.iter().any(|package| package["license"].as_str().is_some_and(|text| text.contains(&***licence)))
    };
    let unused: Vec<&String> = allowed.iter().filter(|licence| !is_used(licence)).collect();
    assert!(unused.is_empty(), "no dependency has {unused:?}");
}
