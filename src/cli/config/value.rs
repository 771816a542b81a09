//! Turns the value of a key into command line arguments.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::ValueHint;
use clap::{Arg, ArgAction};
use dedup_scan::base::shown;

use super::file::FileValue;

/// The arguments for a flag with a value of a settings file; empty for a switch that is off.
///
/// * `folder`: the folder that paths in the file are relative to.
///
/// # Errors
/// When the flag does not accept the value; the error says what to give instead.
pub(super) fn arguments(arg: &Arg, value: &FileValue, folder: &Path) -> Result<Vec<OsString>, String> {
    let flag = format!("--{}", arg.get_long().expect("keys have names"));
    let with = |text: &str| OsString::from(format!("{flag}={text}"));
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let values = arg.get_num_args();
    match value {
        FileValue::Switch(false) if is_switch || values.is_some_and(|values| values.min_values() == 0) => {
            Ok(Vec::new())
        }
        FileValue::Switch(true) if is_switch || values.is_some_and(|values| values.min_values() == 0) => {
            Ok(vec![flag.into()])
        }
        _ if is_switch => Err("give true or false".to_owned()),
        FileValue::Switch(_) => Err("give a value, and not true or false".to_owned()),
        // A flag with two values accepts a list of pairs.
        FileValue::Many(pairs) if values.is_some_and(|values| values.min_values() == 2) => {
            let mut arguments = Vec::new();
            for pair in pairs {
                let FileValue::Many(pair) = pair else { return Err(PAIRS.to_owned()) };
                let [FileValue::One(start), FileValue::One(end)] = pair.as_slice() else {
                    return Err(PAIRS.to_owned());
                };
                arguments.extend([flag.clone().into(), start.into(), end.into()]);
            }
            Ok(arguments)
        }
        _ if values.is_some_and(|values| values.min_values() == 2) => Err(PAIRS.to_owned()),
        FileValue::Many(values) => {
            if !matches!(arg.get_action(), ArgAction::Append) {
                return Err("give one value, and no list".to_owned());
            }
            let text = |value: &FileValue| match value {
                FileValue::One(text) => Ok(with(&located(arg, text, folder))),
                _ => Err("give a list of strings or numbers".to_owned()),
            };
            values.iter().map(text).collect()
        }
        FileValue::One(text) => Ok(vec![with(&located(arg, text, folder))]),
    }
}

/// Whether a value is a format with an output file.
pub(super) fn names_an_output(arg: &Arg, value: &FileValue) -> bool {
    let names = |value: &FileValue| matches!(value, FileValue::One(text) if text.contains('='));
    arg.get_id() == "format"
        && match value {
            FileValue::Many(values) => values.iter().any(names),
            value => names(value),
        }
}

/// The reason to refuse a path in a file that was found automatically: the path leads out of the folder of the file,
/// or to something other than a file or folder. `None` if all paths are allowed; the command reports missing paths.
///
/// * `folder`: the folder of the settings file; empty for the working directory.
pub(super) fn path_outside(arg: &Arg, value: &FileValue, folder: &Path) -> Option<String> {
    if !matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) {
        return None;
    }
    let values = match value {
        FileValue::Many(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    values.iter().find_map(|value| match value {
        FileValue::One(path) => {
            fault_of_path(path, if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        }
        _ => None,
    })
}

fn fault_of_path(path: &str, folder: &Path) -> Option<String> {
    let named = "give the settings file with --config, or remove the key";
    if path == "-" {
        return Some(format!("a file that was found cannot name standard input; {named}"));
    }
    let place = folder.join(path).canonicalize().ok()?;
    if !folder.canonicalize().is_ok_and(|folder| place.starts_with(folder)) {
        return Some(format!("{} lies outside of the folder of a file that was found; {named}", shown(path)));
    }
    let is_usual = place.metadata().is_ok_and(|metadata| metadata.is_file() || metadata.is_dir());
    (!is_usual).then(|| format!("{} is a FIFO, socket or device; {named}", shown(path)))
}

const PAIRS: &str = "give a list of pairs, as in [[\"START\", \"END\"]]";

/// A value in which paths are relative to the working directory.
fn located(arg: &Arg, text: &str, folder: &Path) -> String {
    let join = |path: &str| match path {
        "" | "-" => path.to_owned(),
        path => folder.join(path).to_string_lossy().into_owned(),
    };
    // A format may be followed by `=FILE`.
    if arg.get_id() == "format" {
        return text.split_once('=').map_or(text.to_owned(), |(name, file)| format!("{name}={}", join(file)));
    }
    match arg.get_value_hint() {
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => join(text),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> FileValue {
        FileValue::One(text.to_owned())
    }

    #[test]
    fn values_become_arguments() {
        let folder = Path::new("up");
        let switch = Arg::new("x").long("x").action(ArgAction::SetTrue);
        assert_eq!(arguments(&switch, &FileValue::Switch(true), folder).unwrap(), ["--x"]);
        assert_eq!(arguments(&switch, &FileValue::Switch(false), folder).unwrap(), [""; 0]);
        assert!(arguments(&switch, &one("1"), folder).is_err());
        let list = Arg::new("l").long("l").action(ArgAction::Append).num_args(1);
        let two = FileValue::Many(vec![one("a"), one("-b")]);
        assert_eq!(arguments(&list, &two, folder).unwrap(), ["--l=a", "--l=-b"]);
        let path = Arg::new("p").long("p").action(ArgAction::Set).num_args(1).value_hint(ValueHint::AnyPath);
        assert_eq!(arguments(&path, &one("a.txt"), folder).unwrap(), ["--p=up/a.txt"]);
        assert_eq!(arguments(&path, &one("/a.txt"), folder).unwrap(), ["--p=/a.txt"]);
        assert!(arguments(&path, &two, folder).is_err() && arguments(&path, &FileValue::Switch(true), folder).is_err());
        let pair = Arg::new("q").long("q").action(ArgAction::Append).num_args(2);
        let pairs = FileValue::Many(vec![FileValue::Many(vec![one("<!--"), one("-->")])]);
        assert_eq!(arguments(&pair, &pairs, folder).unwrap(), ["--q", "<!--", "-->"]);
        assert!(arguments(&pair, &two, folder).is_err());
        let format = Arg::new("format").long("format").action(ArgAction::Append).num_args(1);
        assert_eq!(arguments(&format, &one("csv=a.csv"), folder).unwrap(), ["--format=csv=up/a.csv"]);
        assert_eq!(arguments(&format, &one("csv"), folder).unwrap(), ["--format=csv"]);
    }
}
