//! No files import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Module, files, passed_on, paths};

/// Which files each file imports from.
fn imports() -> BTreeMap<Module, BTreeSet<Module>> {
    let files = files();
    let passed: BTreeMap<&Module, BTreeMap<String, String>> =
        files.iter().map(|(module, file)| (module, passed_on(&file.code).into_iter().collect())).collect();
    // The file that has what a path names, looked for from `module` on.
    let find = |module: &Module, path: &str| {
        let mut parts: Vec<String> = path.split("::").map(str::to_owned).collect();
        let mut at = match parts.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => module.clone(),
            _ => return None,
        };
        while parts.first().is_some_and(|part| part == "super") {
            at.pop();
            parts.remove(0);
        }
        if parts.first().is_some_and(|part| part == "crate" || part == "self") {
            parts.remove(0);
        }
        while let Some(part) = parts.first() {
            let child: Module = at.iter().cloned().chain([part.clone()]).collect();
            if files.contains_key(&child) {
                at = child;
                parts.remove(0);
            } else if let Some(from) = passed.get(&at).and_then(|passed| passed.get(part)) {
                parts.splice(0..0, from.split("::").map(str::to_owned));
            } else {
                break;
            }
        }
        files.contains_key(&at).then_some(at)
    };
    let of = |module: &Module, code: &str| -> BTreeSet<Module> {
        let found = paths(code).into_iter().filter_map(|path| find(module, &path));
        found.filter(|other| other != module && !other.is_empty()).collect()
    };
    files
        .iter()
        .filter(|(module, _)| !module.is_empty())
        .map(|(module, file)| (module.clone(), of(module, &file.code)))
        .collect()
}

/// All that a file imports from, by way of others too.
fn reached(imports: &BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        next.extend(imports[module].iter().filter(|&other| reached.insert(other.clone())));
    }
    reached
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let imports = imports();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 400, "imports are found");
    let circular = imports.keys().filter(|module| reached(&imports, module).contains(*module));
    let circular: Vec<String> = circular.map(|module| module.join("::")).collect();
    assert!(circular.is_empty(), "{circular:#?}");
}
