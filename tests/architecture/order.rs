//! The import rule: a layer imports only from the layers above it, and a module of a layer only from the modules above it.

use crate::source::{Module, files, paths};

/// The layers of the library, and the program, as the table in `src/lib.rs` lists them.
fn layers() -> Vec<String> {
    table(&[])
}

/// The modules in the table of a module's documentation, in order.
fn table(module: &[&str]) -> Vec<String> {
    let files = files();
    let text = &files[&module_of(module)].text;
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.split_once(" |"));
    let names = rows.map(|(name, _)| name.trim_matches(['[', ']', '`']).to_owned());
    names.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !name.is_empty()).collect()
}

fn module_of(parts: &[&str]) -> Module {
    parts.iter().map(|part| part.to_string()).collect()
}

/// The child modules that a module declares, in order, without unit tests.
fn declared(module: &[&str]) -> Vec<String> {
    let files = files();
    let lines = files[&module_of(module)].code.lines();
    let names = lines.filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    });
    names.filter(|name| !name.ends_with("tests")).collect()
}

/// The imports that an order of the modules below `prefix` forbids. They are found as paths that begin with `crate`, or with
/// `super` in a file of a module below.
fn against(order: &[String], prefix: &[&str]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|other| other == name);
    let mut faults = Vec::new();
    for (module, file) in files() {
        let Some(inside) = module.strip_prefix(module_of(prefix).as_slice()) else { continue };
        let Some(name) = inside.first() else { continue };
        let Some(own) = place(name) else {
            faults.push(format!("{name} is in no table"));
            continue;
        };
        for path in paths(&file.code) {
            let Some(other) = absolute(&module, &path) else { continue };
            let Some(other) = other.strip_prefix(module_of(prefix).as_slice()) else { continue };
            // A path to the common parent is an item of that parent, not of another module.
            let Some(other) = other.first() else { continue };
            if place(other).map_or(prefix.is_empty(), |other| other > own) {
                faults.push(format!("{}: {path}", file.path.display()));
            }
        }
    }
    faults
}

/// The parts of a path from the root of the crate, when it begins with `crate` or `super`.
fn absolute(module: &Module, path: &str) -> Option<Module> {
    let mut at = module.clone();
    let mut parts = path.split("::").peekable();
    match parts.next()? {
        "crate" => at.clear(),
        "super" => {
            at.pop();
            while parts.next_if_eq(&"super").is_some() {
                at.pop();
            }
        }
        _ => return None,
    }
    at.extend(parts.map(str::to_owned));
    Some(at)
}

#[test]
fn a_layer_imports_only_from_the_layers_above_it() {
    let layers = layers();
    assert!(layers.len() > 10, "{layers:?}");
    assert_eq!(against(&layers, &[]), [""; 0]);
}

#[test]
fn the_layers_are_declared_in_the_order_of_their_table() {
    let layers: Vec<String> = layers().into_iter().filter(|layer| layer != "cli").collect();
    assert_eq!(declared(&[]), layers);
}

#[test]
fn a_module_imports_only_from_the_modules_of_its_layer_above_it() {
    for layer in ["base", "text", "documents", "sign", "compare", "search", "results"] {
        let modules = table(&[layer]);
        assert!(modules.len() > 1, "{layer}: {modules:?}");
        assert_eq!(declared(&[layer]), modules, "{layer}");
        assert_eq!(against(&modules, &[layer]), [""; 0], "{layer}");
    }
}

#[test]
fn a_part_of_the_index_imports_only_from_the_parts_above_it() {
    let parts = declared(&["index"]);
    assert!(parts.len() > 5, "{parts:?}");
    assert_eq!(against(&parts, &["index"]), [""; 0]);
}

#[test]
fn a_module_of_the_program_imports_only_from_the_modules_above_it() {
    let order = declared(&["cli"]);
    assert!(order.len() > 4, "{order:?}");
    assert_eq!(against(&order, &["cli"]), [""; 0]);
}

#[test]
fn the_program_sees_only_the_public_interface_of_the_library() {
    let inside = |path: &str| path.starts_with("crate::") && !path.starts_with("crate::cli");
    for (module, file) in files() {
        if module.first().is_some_and(|layer| layer == "cli") {
            let paths: Vec<String> = paths(&file.code).into_iter().filter(|path| inside(path)).collect();
            assert_eq!(paths, [""; 0], "{}", file.path.display());
        }
    }
}

#[test]
fn paths_are_resolved_from_the_file_that_has_them() {
    let module = module_of(&["index", "read", "reader"]);
    assert_eq!(
        absolute(&module, "super::super::texts::docs::Row"),
        Some(module_of(&["index", "texts", "docs", "Row"]))
    );
    assert_eq!(absolute(&module, "crate::base::flat"), Some(module_of(&["base", "flat"])));
    assert_eq!(absolute(&module, "std::fs"), None);
}
#[test]
fn a_part_of_the_input_imports_only_from_the_parts_above_it() {
    let parts = declared(&["documents", "input"]);
    assert!(parts.len() > 5, "{parts:?}");
    assert_eq!(against(&parts, &["documents", "input"]), [""; 0]);
}
