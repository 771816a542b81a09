//! `dedup explain`: shows two texts side by side with their passages and numbers, and why a scan reports the pair or
//! not.
//!
//! `heading` writes the numbers and the verdict. The view is made in steps: `changes` finds the words that differ
//! within passages, which `line_ends` extends, and `marks` finds the passages at a byte. Then `folding` chooses the lines, `rows` wraps lines to
//! the width, and `sides` puts both texts next to each other. `holders` suggests the files that contain documents such
//! as archive members, and `page` writes the pair as a page.

mod changes;

mod line_ends;

mod marks;

mod rows;

mod folding;

mod sides;

mod heading;

mod holders;

mod page;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, Args};
use dedup_scan::base::shown;
use dedup_scan::documents::{OwnFiles, OwnUse};
use dedup_scan::index::{documents_of_index, index_settings};
use dedup_scan::records::push_json;
use dedup_scan::results::{ExplainableCorpus, Explanation, ExplanationRecord};
use dedup_scan::text::Weighting;
use dedup_scan::{Settings, explain};

pub(super) use self::heading::shares;
pub(super) use self::sides::View;
use super::destination::LineOutput;
use super::indexed_texts::{IndexedText, can_be_explained, explain_texts, inputs_of};
use super::reports::check_terminal;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{
    AgainstFlags, FormatArg, GroupFlags, KeptNamesFlags, ResourceFlags, RunFlags, UnitFlags, ViewFlags, columns,
    other_flag, page_format,
};
use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{Failure, Reporter, Result};

/// The flags that can be given with the documents of an index.
const WITH_INDEX: &[&str] = &[
    "a",
    "b",
    "paths",
    "threshold",
    "min_run",
    "anchor",
    "max_gap",
    "context",
    "color",
    "json",
    "format",
    "title",
    "output",
    "exit_code",
    "quiet",
    "threads",
    "memory",
    "config",
    "no_config",
];

/// The number of most similar documents that are explained.
const NEAREST: usize = 10;

/// Show two documents side by side, and why they are a pair or not
///
/// A and B are files. With --in they are names of documents in the PATHs, as pairs have them, and everything that
/// depends on all documents (--max-df, groups, repeated ids) is as in a scan of the PATHs. `explain A --in PATH` compares A
/// with all other documents, and says of the ten most similar ones why they are a pair or not.
#[derive(Debug, Args)]
#[command(mut_args(for_explain), after_help = ExitCode::help(Some("the pair is reported")))]
pub(crate) struct ExplainCommand {
    /// The first file; with --in the name of a document: a path, an id, `file:line`, or `archive!member`
    a: OsString,

    /// The second file or document. Without B the ten documents of --in that are most similar to A are explained
    b: Option<OsString>,

    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    unit: UnitFlags,

    #[command(flatten)]
    groups: GroupFlags,

    #[command(flatten)]
    against: AgainstFlags,

    /// Explain what --collapse-exact would print
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    #[command(flatten)]
    view: ViewFlags,

    /// Print one JSON object without the texts
    #[arg(long, conflicts_with_all = ["context", "color"], help_heading = "Output")]
    json: bool,

    /// Write both texts side by side as a page, which shows no other document: html=FILE, or html for --output or standard
    /// output
    #[arg(short, long, value_name = "html[=FILE]", value_parser = page_format, conflicts_with_all = ["json", "context", "color"],
        help_heading = "Output")]
    format: Option<FormatArg>,

    /// The title of the page of --format html
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), requires = "format",
        help_heading = "Output")]
    title: Option<String>,

    /// Write the page of --format html to this file, when it is complete
    #[arg(short, long, value_name = "FILE", requires = "format", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Exit with 1 when the pair is reported
    #[arg(long, help_heading = "Output")]
    exit_code: bool,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// Turns the paths into the flag `--in`, since the arguments are names, and makes the other side of a comparison
/// optional.
fn for_explain(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "paths" => arg
            .long("in")
            .num_args(1..)
            .required_unless_present("a")
            .help("The corpus of A and B: an index, or files, folders, data sets and archives, up to the next flag; repeatable [default: A and B]")
            .help_heading("Input"),
        "against" => arg.required_unless_present("a"),
        _ => arg,
    }
}

impl ExplainCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(mut self, given: &[String]) -> Result<ExitCode> {
        let b = match &self.b {
            Some(b) => b.clone(),
            None if self.run.input.paths.is_empty() && self.run.input.files_from.is_none() => {
                return Err(Failure::new(
                    "A, B: give two documents to compare, as in: dedup explain A B; `dedup PATH` finds pairs; see dedup explain --help",
                ));
            }
            None => OsString::new(),
        };
        let are_files = self.run.read_by_default([self.a.clone().into(), b.clone().into()]);
        let has_against = !self.against.against.is_empty() || self.against.against_files_from.is_some();
        if are_files && !has_against && !self.unit.is_given() {
            holders::check([&self.a, &b])?;
        }
        let against = has_against.then_some(&self.against);
        if let Some(index) = self.run.input.paths.iter().find(|path| index_settings(path).is_ok()) {
            return self.in_index(index, given);
        }
        let mut settings = self.run.settings(against, &self.resources, self.quiet)?;
        self.groups.apply(&self.unit, &mut settings)?;
        settings.pairs.collapse_exact = self.collapse_exact;
        if are_files && !has_against && matches!(settings.weights, Some(Weighting::Idf)) {
            return Err(Failure::of_value(
                "--weights",
                "idf",
                "two documents do not show how rare a shingle is; give their corpus with --in PATH",
            ));
        }
        let kind = settings.shingles.kind();
        settings.pairs.kept_names = self.kept_names.size(self.run.matching.preset(), kind);
        // Elements of sets have no order and therefore no passages; flags about passages are refused.
        let wants_passages = kind != dedup_scan::ShingleKind::Set || self.run.passages.given().is_some();
        let passages = wants_passages.then(|| self.run.passage_lengths(kind)).transpose()?;
        if self.b.is_none() {
            self.check_pair()?;
            return self.print_nearest(&settings);
        }
        let output = self.open(&mut settings.input.own_files)?;
        let names = [self.a.as_encoded_bytes(), b.as_encoded_bytes()];
        let explanation = Reporter::watch(self.quiet, |reporter| explain(&settings, names, passages, reporter))?;
        self.run.warn_of_banding()?;
        self.print(&explanation, output, &settings, has_against)
    }

    /// Explains two documents of an index, with its settings.
    fn in_index(&self, index: &Path, given: &[String]) -> Result<ExitCode> {
        let shown_index = shown(&index.to_string_lossy());
        if self.run.input.paths.len() > 1 {
            return Err(Failure::of_value(
                "--in",
                shown_index,
                "is an index, so it is the whole corpus; give no other path",
            ));
        }
        if let Some(flag) = other_flag(given, &[WITH_INDEX]) {
            return Err(Failure::of_flag(
                &flag,
                format!("{shown_index} is an index, which has its own settings; remove the flag"),
            ));
        }
        if !can_be_explained(index)? {
            return Err(Failure::of_value(
                "--in",
                shown_index,
                "this index stores only the shingles of its templates; give the files or folders that it was built from, with --template",
            ));
        }
        let mut settings = index_settings(index)?;
        let threshold = self.run.filter()?.threshold;
        settings.pairs.threshold = threshold.unwrap_or(settings.pairs.threshold);
        let find = |name: &OsString| {
            IndexedText::find(index, name.as_encoded_bytes())?.ok_or_else(|| {
                let is_file = Path::new(name).is_file();
                let name = shown(&name.to_string_lossy());
                // A file that is not in the index can be compared with it.
                let advice = match is_file {
                    true => format!("dedup query {shown_index} {name} compares the file with it"),
                    false => "list them with dedup index list".to_owned(),
                };
                Failure::new(format!("{name}: {shown_index} has no document with this name; {advice}"))
            })
        };
        let Some(b) = &self.b else {
            self.check_pair()?;
            find(&self.a)?;
            return self.nearest_in_index(index, settings);
        };
        let mut own_files = OwnFiles::default();
        if let Ok(metadata) = index.metadata() {
            own_files.add(&metadata, OwnUse::Replaced { path: index.to_owned(), by: "the index", is_own: true });
        }
        let output = self.open(&mut own_files)?;
        let texts = [find(&self.a)?, find(b)?];
        let kind = settings.shingles.kind();
        let passages = (kind != dedup_scan::ShingleKind::Set).then(|| self.run.passage_lengths(kind)).transpose()?;
        self.print(&explain_texts(&settings, passages, texts)?, output, &settings, false)
    }

    /// Prints the documents of an index that are most similar to A.
    fn nearest_in_index(&self, index: &Path, settings: Settings) -> Result<ExitCode> {
        if settings.shingles.kind() == dedup_scan::ShingleKind::Set {
            return Err(Failure::new("B: missing; give a second document, since the documents of this index are sets"));
        }
        self.print_nearest(&Settings { input: inputs_of(documents_of_index(index)), ..settings })
    }

    /// Opens the output of the page; `None` without `--format`.
    fn open(&self, own_files: &mut OwnFiles) -> Result<Option<LineOutput<'_>>> {
        let Some(FormatArg { format, file }) = &self.format else { return Ok(None) };
        if let (Some(file), Some(_)) = (file, &self.output) {
            return Err(Failure::of_flag(
                "--output",
                format!("the page goes to {}; remove one of the two files", shown(&file.to_string_lossy())),
            ));
        }
        let output = LineOutput::open(file.as_deref().or(self.output.as_deref()), own_files, self.quiet)?;
        check_terminal(format, output.is_terminal())?;
        Ok(Some(output))
    }

    /// Refuses a page without a second document.
    fn check_pair(&self) -> Result<()> {
        match self.format {
            Some(_) => Err(Failure::of_value("--format", "html", "shows two documents; give B, or remove the flag")),
            None => Ok(()),
        }
    }

    /// * `output`: the output of the page, if one is wanted.
    /// * `has_sides`: whether the two documents belong to two sides.
    fn print(
        &self,
        explanation: &Explanation,
        output: Option<LineOutput>,
        settings: &Settings,
        has_sides: bool,
    ) -> Result<ExitCode> {
        if let Some(mut output) = output {
            let page = page::page(explanation, settings, has_sides, self.title.as_deref())?;
            let written = output.write_all(&page).and_then(|()| output.flush());
            written.map_err(|error| output.failure(Failure::output(error)))?;
            output.finish_with("1 pair")?;
        } else {
            let printed = if self.json { json(explanation) } else { self.view(explanation).into_bytes() };
            let mut stdout = std::io::stdout().lock();
            uninterrupted(|| stdout.write_all(&printed).and_then(|()| stdout.flush())).map_err(Failure::output)?;
        }
        Ok(if explanation.errors > 0 {
            ExitCode::Incomplete
        } else if self.exit_code && explanation.verdict.is_reported() {
            ExitCode::PairsFound
        } else {
            ExitCode::Complete
        })
    }

    /// Prints the documents that are most similar to A, with the verdict of a run on each.
    fn print_nearest(&self, settings: &Settings) -> Result<ExitCode> {
        let name = self.a.as_encoded_bytes();
        let nearest = |reporter: &Reporter| ExplainableCorpus::read(settings, reporter)?.nearest(name, NEAREST);
        let nearest = Reporter::watch(self.quiet, nearest)?;
        self.run.warn_of_banding()?;
        let printed = match self.json {
            true => nearest.explained.iter().flat_map(json).collect(),
            false => heading::nearest(&shown(&self.a.to_string_lossy()), &nearest).into_bytes(),
        };
        let mut stdout = std::io::stdout().lock();
        uninterrupted(|| stdout.write_all(&printed).and_then(|()| stdout.flush())).map_err(Failure::output)?;
        let is_reported = nearest.explained.iter().any(|found| found.verdict.is_reported());
        Ok(ExitCode::of(nearest.errors, self.exit_code && is_reported))
    }

    fn view(&self, explanation: &Explanation) -> String {
        let stdout = std::io::stdout();
        let of_terminal = stdout.is_terminal().then(|| terminal_size::terminal_size_of(&stdout)).flatten();
        let is_coloured = self.view.color.is_on(anstream::AutoStream::choice(&stdout));
        let view = View { columns: columns(of_terminal), context: self.view.context, is_coloured };
        format!("{}\n{}", heading::text(explanation, view.columns), view.text(explanation))
    }
}

fn json(explanation: &Explanation) -> Vec<u8> {
    let mut line = Vec::new();
    push_json(&mut line, &ExplanationRecord::new(explanation));
    line.push(b'\n');
    line
}
