//! The input flags: which files are read, and how.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::documents::{Against, Compared, Filter, InputFormat, PathGlob, read_path_list};
use dedup_scan::{InputSettings, Summary};

use super::against::AgainstFlags;
use super::file_reading::FileReadingFlags;
use super::preset::Preset;
use crate::cli::messages::{Failure, Result, waiting};
use crate::cli::streams::{stdin_has_data, stdin_is_open};

#[derive(Debug, Args)]
pub(crate) struct InputFlags {
    /// Files, folders, data sets (JSON Lines, CSV, TSV, Parquet) and archives (tar, zip), also compressed; `-` is
    /// standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read more paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) files_from: Option<PathBuf>,

    /// The paths of lists such as --files-from are separated by NUL bytes, as by `find -print0`
    #[arg(short = '0', long, help_heading = "Input")]
    null: bool,

    #[command(flatten)]
    reading: FileReadingFlags,
}

impl InputFlags {
    /// Without a path, reads standard input if it has data, and otherwise the working directory.
    pub(crate) fn read_by_default(&mut self) {
        if self.paths.is_empty() && self.files_from.is_none() {
            self.paths.push(if stdin_has_data() { "-" } else { "." }.into());
        }
    }

    /// Compares the whole texts of mail, unless the command line says otherwise.
    pub(crate) fn keep_mail_quotes(&self, input: &mut InputSettings) {
        self.reading.keep_mail_quotes(input);
    }

    /// Refuses tables without a header, for commands that write the files of records again.
    ///
    /// * `edits`: whether the texts of records are changed, and not only removed.
    pub(crate) fn refuse_unwritten(settings: &InputSettings, edits: bool) -> Result<()> {
        if settings.no_header {
            return Err(Failure::of_flag(
                "--no-header",
                "tables without a header are not written again; add a header line with the names of the fields",
            ));
        }
        if edits && settings.format == InputFormat::Lines {
            return Err(Failure::of_value(
                "--input-format",
                "lines",
                "lines are documents, which can be removed but not edited; remove the flag to cut the texts of whole files",
            ));
        }
        Ok(())
    }

    /// Warnings about flags that had no effect, because no input had a format that they apply to.
    pub(crate) fn without_effect(&self, summary: &Summary) -> Vec<String> {
        self.reading.without_effect(summary)
    }

    /// The given flags that choose files and read them, and do not apply to the documents of an index.
    pub(super) fn of_files(&self, against: Option<&AgainstFlags>) -> Vec<&'static str> {
        let of_side = against
            .map_or([false; 2], |against| [!against.against_include.is_empty(), !against.against_exclude.is_empty()]);
        let of_side = ["--against-include", "--against-exclude"].into_iter().zip(of_side);
        let of_side = of_side.filter(|(_, is_given)| *is_given).map(|(flag, _)| flag);
        self.reading.of_files().chain(of_side).collect()
    }

    /// The commands of `--filter`.
    pub(crate) fn filters(&self) -> Vec<Filter> {
        self.reading.filters().to_vec()
    }

    /// The settings to read single files: input settings without paths and without filter commands.
    pub(crate) fn settings_of_files(self, preset: Option<Preset>) -> InputSettings {
        InputSettings { filters: Vec::new(), ..self.reading.settings(preset) }
    }

    pub(crate) fn settings(
        &self,
        against: Option<&AgainstFlags>,
        templates: &[PathBuf],
        preset: Option<Preset>,
        quiet: bool,
    ) -> Result<InputSettings> {
        let against_list = against.and_then(|against| against.against_files_from.as_deref());
        let lists = [self.files_from.as_deref(), against_list];
        if self.null && lists == [None, None] {
            return Err(Failure::of_flag(
                "--null",
                "only applies to lists of paths; add --files-from FILE, or remove the flag",
            ));
        }
        let against_paths = against.map_or(&[][..], |against| &against.against);
        let check_stdin = |listed: [&[PathBuf]; 2]| {
            let paths = [
                ("PATH", self.paths.as_slice()),
                ("a path in the list of --files-from", listed[0]),
                (if against.is_some_and(|against| against.is_old) { "--old" } else { "--against" }, against_paths),
                ("a path in the list of --against-files-from", listed[1]),
                ("--template", templates),
            ];
            let paths =
                paths.into_iter().flat_map(|(what, paths)| paths.iter().map(move |path| (what, path.as_path())));
            let lists = ["--files-from", "--against-files-from"].into_iter().zip(lists);
            let all = paths.chain(lists.filter_map(|(what, list)| Some((what, list?))));
            let uses: Vec<_> = all.filter(|&(_, path)| path == Path::new("-")).map(|(what, _)| what).collect();
            match uses.len() {
                0 => Ok(()),
                1 if stdin_is_open() => Ok(()),
                1 => Err(Failure::input_closed()),
                _ => Err(Failure::new(format!(
                    "-: standard input can only be read once, but is used by {}; use it once",
                    uses.join(" and by ")
                ))),
            }
        };
        // Checked once before a list is read from standard input, and again with the paths in the lists.
        check_stdin([&[], &[]])?;
        if !quiet {
            let paths = [&self.paths, against_paths, templates].into_iter().flatten().map(PathBuf::as_path);
            paths.chain(lists.into_iter().flatten()).for_each(waiting::report_waiting_input);
        }
        let read = |list: Option<&Path>| list.map_or(Ok(Vec::new()), |list| read_path_list(list, self.null));
        let (listed, against_listed) = (read(lists[0])?, read(lists[1])?);
        check_stdin([&listed, &against_listed])?;
        let own_or = |own: &[PathGlob], other: &[PathGlob]| if own.is_empty() { other } else { own }.to_vec();
        let is_old = against.is_some_and(|against| against.is_old);
        let against = against.map(|against| Against {
            paths: against.against.clone(),
            listed: against_listed,
            stored: Vec::new(),
            include: own_or(&against.against_include, &self.reading.include),
            exclude: own_or(&against.against_exclude, &self.reading.exclude),
            compared: if is_old { Compared::NewWithAll } else { Compared::Sides },
        });
        Ok(InputSettings { paths: self.paths.clone(), listed, against, ..self.reading.settings(preset) })
    }
}
