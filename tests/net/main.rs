//! The net under every change: what the program prints for many command lines, as recorded.
//!
//! `cases/` lists command lines, `corpora/` makes their inputs from a seed, and `recorded.txt` has for each its exit code
//! and what it wrote to stdout, stderr and its summary; times and bytes of memory are masked. Some run in several ways,
//! such as with more threads or less memory, and must give the same. `agreements.rs` checks what two command lines must
//! agree in.
//!
//! After an intended change of messages or results, `DEDUP_NET=record cargo test --test net` records anew. Then read the
//! difference of `recorded.txt`. With a filter behind `--` it records those cases alone.

mod agreements;
mod cases;
mod corpora;
#[path = "../ignored/mod.rs"]
mod ignored;
#[path = "../random/mod.rs"]
mod random;
mod recorded;
mod run;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};

use self::cases::Case;
use self::corpora::Corpora;
use self::recorded::Sections;

/// What all tests share.
struct Net {
    corpora: OnceLock<Corpora>,
    recorded: Sections,
    /// The sections of this run, when it is to record them.
    recording: Option<Mutex<Sections>>,
}

impl Net {
    fn run(&self, name: &str, command: &str) -> Result<run::Outcome, Failed> {
        run::run(self.corpora.get_or_init(Corpora::new), &name.replace(['/', ' '], "-"), command)
    }

    /// Runs a case in one of its ways, and compares what it did with what is recorded.
    fn check(&self, case: &Case, way: Option<usize>) -> Result<(), Failed> {
        let folder = way.map_or_else(|| case.name.to_owned(), |way| format!("{}.{way}", case.name));
        let outcome = self.run(&folder, &case.command(way.map(|way| case.ways[way])))?;
        let section = recorded::section(case, &outcome);
        let expected = match &self.recording {
            None => self.recorded.get(case.name).cloned().unwrap_or_default(),
            // The first way to end is as good as any other: they must be equal.
            Some(sections) => {
                sections.lock().expect("no holder panics").entry(case.name.into()).or_insert(section.clone()).clone()
            }
        };
        if section == expected {
            if way.is_none() {
                recorded::keep(case, &outcome)?;
            }
            return Ok(());
        }
        Err(format!(
            "{}: what it did differs from what is recorded\n{}\n\
             if that is meant: DEDUP_NET=record cargo test --test net\n",
            case.command(way.map(|way| case.ways[way])),
            recorded::difference(case, &expected, &outcome)?
        )
        .into())
    }

    /// Every case has a section, and every section a case.
    fn is_complete(&self, cases: &[Case]) -> Result<(), Failed> {
        let names: BTreeMap<&str, &Case> = cases.iter().map(|case| (case.name, case)).collect();
        assert_eq!(names.len(), cases.len(), "two cases of one name");
        let missing: Vec<&str> = names.keys().copied().filter(|&name| !self.recorded.contains_key(name)).collect();
        let left: Vec<&String> = self.recorded.keys().filter(|name| !names.contains_key(name.as_str())).collect();
        if missing.is_empty() && left.is_empty() || self.recording.is_some() {
            return Ok(());
        }
        Err(format!("not recorded: {missing:?}; recorded, but no case: {left:?}").into())
    }
}

fn main() -> ExitCode {
    let recording = match std::env::var("DEDUP_NET").as_deref() {
        Err(_) => None,
        Ok("record") => Some(Mutex::default()),
        Ok(other) => panic!("DEDUP_NET={other:?}: it is `record` or not there"),
    };
    let net = Arc::new(Net { corpora: OnceLock::new(), recorded: recorded::read(), recording });
    let cases = Arc::new(cases::all());
    let (mut trials, mut missing) = (Vec::new(), ignored::Missing::default());
    for number in 0..cases.len() {
        let case = &cases[number];
        for way in std::iter::once(None).chain((0..case.ways.len()).map(Some)) {
            let name = format!("{} {}", case.name, way.map_or("", |way| case.ways[way]));
            let (net, cases) = (Arc::clone(&net), Arc::clone(&cases));
            let trial = Trial::test(name.trim_end(), move || net.check(&cases[number], way));
            let has_parquet = !case.needs_parquet || cfg!(feature = "parquet");
            trials.push(missing.unless(has_parquet, "the feature parquet (build with it)", trial));
        }
    }
    for agreement in agreements::all() {
        let net = Arc::clone(&net);
        trials.push(Trial::test(format!("agreement {}", agreement.name), move || agreement.holds(&net)));
    }
    let (shared, all) = (Arc::clone(&net), Arc::clone(&cases));
    trials.push(Trial::test("recorded", move || shared.is_complete(&all)));

    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(sections) = &net.recording {
        if conclusion.has_failed() {
            eprintln!("nothing is recorded, since command lines that must agree do not");
        } else {
            let mut all = net.recorded.clone();
            all.extend(sections.lock().expect("no holder panics").clone());
            recorded::write(cases.iter().map(|case| case.name), &all).expect("recorded.txt can be written");
        }
    }
    missing.report(&arguments, &conclusion);
    // Exiting would leave the folder of inputs behind.
    drop(net);
    conclusion.exit_code()
}
