//! `page`: fills the template with the values of an overview; returns the text before and after the data of the page.
//!
//! The template, the style and the scripts are files in this folder. The page's content security policy lists the
//! hashes of its style and its script, so that a browser runs only them.

use base64::prelude::{BASE64_STANDARD, Engine};
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The beginning of every page.
pub(super) const START: &str = "<!DOCTYPE html>\n<!-- A report of dedup";

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// The scripts, in the order in which they depend on each other.
const SCRIPTS: &[&str] = &[
    include_str!("script/words.js"),
    include_str!("script/model.js"),
    include_str!("script/answers.js"),
    include_str!("script/texts.js"),
    include_str!("script/differences.js"),
    include_str!("script/scrolling.js"),
    include_str!("script/layout.js"),
    include_str!("script/table.js"),
    include_str!("script/graph.js"),
    include_str!("script/pair.js"),
    include_str!("script/main.js"),
];
/// The line of the template that the data of a page replaces.
const DATA: &str = "<!-- data -->\n";

/// The text before the data, and the text after it.
///
/// # Panics
/// When the template does not match the values, which a test would detect.
pub(super) fn page(overview: &impl Serialize) -> [String; 2] {
    let script = script();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let mut environment = Environment::new();
    environment.add_template("page.html", TEMPLATE).expect("the template is valid");
    let template = environment.get_template("page.html").expect("it was added");
    let version = env!("CARGO_PKG_VERSION");
    let values = context! { o => Value::from(Serde(overview)), policy, version, style => STYLE, script };
    let text = template.render(values).expect("the template fits the overview");
    let (head, foot) = text.split_once(DATA).expect("the template has a place for the data");
    [head.to_owned(), format!("{}\n", foot.trim_end())]
}

/// All scripts as one function, so that they define nothing global.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat())
}

/// The hash of a text as in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}
