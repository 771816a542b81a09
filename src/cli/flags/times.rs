//! The flag that adds the times of documents to pairs, so that people see which document was first.

use std::str::FromStr;

use clap::Args;
use dedup_scan::Settings;
use dedup_scan::base::shown;
use dedup_scan::documents::MemberTimes;

use super::against::refuse_with_index;
use crate::cli::messages::{Failure, Result};

/// The flag that says which time each document has.
#[derive(Debug, Args)]
pub(crate) struct TimesFlags {
    /// Add the time of each document to each pair, as time_a and time_b, to see which of the two was first: `file`, the time
    /// at which its file or its member of an archive was modified, or `field:NAME`, a date in the record. Text, Markdown,
    /// tables and pages have the times too
    #[arg(long, value_name = "file|field:NAME", help_heading = "Output")]
    times: Option<TimeSource>,
}

/// The source of the time of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimeSource {
    /// Its file, or its member of an archive.
    File,
    /// A field of its record.
    Field(String),
}

impl FromStr for TimeSource {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.split_once(':') {
            None if text == "file" => Ok(Self::File),
            Some(("field", name)) if !name.is_empty() => Ok(Self::Field(name.to_owned())),
            _ => Err("give file, or a field such as field:created".to_owned()),
        }
    }
}

impl TimesFlags {
    /// The source of times, if pairs have them.
    pub(crate) fn source(&self) -> Option<&TimeSource> {
        self.times.as_ref()
    }

    /// Changes the settings so that the run collects the times.
    ///
    /// # Errors
    /// When documents are joined from files or come from an index, or another flag uses a field of records.
    pub(crate) fn apply(&self, settings: &mut Settings) -> Result<()> {
        let Some(times) = &self.times else { return Ok(()) };
        if settings.input.unit.is_some() {
            let what = "with --unit, documents are joined from files, and have no time; remove one of the flags";
            return Err(Failure::of_flag("--times", what).and("--unit"));
        }
        refuse_with_index(
            settings,
            "--times",
            "the documents of an index have no time; give the files of the index to --old, or remove the flag",
        )?;
        match times {
            TimeSource::File => settings.input.member_times = MemberTimes::collected(),
            TimeSource::Field(name) if settings.input.groups.is_some() => {
                let what = "cannot be used with --group-by; give --times file, or remove one of the flags";
                return Err(Failure::of_value("--times", format!("field:{}", shown(name)), what).and("--group-by"));
            }
            TimeSource::Field(name) => settings.input.value_field = Some(name.clone()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_files_or_of_a_field() {
        assert_eq!("file".parse(), Ok(TimeSource::File));
        assert_eq!("field:a:b".parse(), Ok(TimeSource::Field("a:b".to_owned())));
        for wrong in ["", "files", "field:", "field", "newest:x"] {
            assert!(wrong.parse::<TimeSource>().is_err(), "{wrong}");
        }
    }
}
