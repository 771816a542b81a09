//! `junit`: a failed test for each pair, or one passed test without pairs, because readers treat an empty suite as a
//! failure.
//!
//! The number of tests precedes the tests in the file, so the tests wait in a temporary file.

use std::io::{self, BufWriter, Write};

use super::pair::ReportPair;
use super::waiting::WaitingFile;
use super::words::{lines, marked_name, similarity_clause, whole_name};
use super::xml::xml;
use super::{ReportSettings, ReportTotals, ReportWriter};

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ";

#[derive(Default)]
struct Junit {
    /// The failed tests; `None` before the first pair.
    cases: Option<BufWriter<WaitingFile>>,
    num_cases: u64,
}

pub(super) fn report(_: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::<Junit>::default()
}

impl ReportWriter for Junit {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        self.num_cases += 1;
        let (about, other, passages) = (pair.about(), pair.other(), pair.passages());
        let (name, file) = (whole_name(about.name), whole_name(about.file));
        let message = format!("{name} {} {}", similarity_clause(pair), marked_name(other));
        let [line, _] = about.place(passages.first().copied()).lines_or_first();
        let cases = match &mut self.cases {
            Some(cases) => cases,
            none => none.insert(BufWriter::new(WaitingFile::new("junit")?)),
        };
        let [name, other_name] = [&name, &whole_name(other.name)].map(|name| xml(name).into_owned());
        writeln!(
            cases,
            r#"    <testcase classname="{name}" name="{other_name}" file="{}" line="{line}">"#,
            xml(&file)
        )?;
        write!(cases, r#"      <failure type="near-duplicate" message="{}">"#, xml(&message))?;
        let mut separator = "";
        for passage in passages {
            let [here, there] = [about, other].map(|side| side.place(Some(passage)).lines.map(lines));
            if let (Some(here), Some(there)) = (here, there) {
                write!(cases, "{separator}{here}: {there} of {other_name}")?;
                separator = "\n";
            }
        }
        writeln!(cases, "</failure>\n    </testcase>")
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let (failures, tests) = (self.num_cases, self.num_cases.max(1));
        let numbers = format!(r#"name="dedup" tests="{tests}" failures="{failures}" errors="0" time="0""#);
        writeln!(out, "{START}{numbers}>\n  <testsuite {numbers}>")?;
        match self.cases.take() {
            Some(cases) => {
                let cases = cases.into_inner().map_err(io::IntoInnerError::into_error)?;
                cases.copy_to(out)?;
            }
            None => writeln!(
                out,
                r#"    <testcase classname="dedup" name="no pair of near-duplicates: {}"/>"#,
                xml(&totals.sentence())
            )?,
        }
        out.write_all(b"  </testsuite>\n</testsuites>\n")
    }
}
