//! `read_templates`: reads the template files, whose shingles are removed from every document before it is compared.

use std::sync::Mutex;

use super::stage_settings::StageSettings;
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Unwatched};
use crate::documents::input::{
    AbsentBySource, Cancel, Document, Fold, FoldedPiece, InputSettings, Places, Sources, read_documents,
};
use crate::text::normalize::Normalizer;
use crate::text::removal::Removal;
use crate::text::shingle::{ShingleHashes, ShingleSetBuilder, Shingler};

/// Reads the templates of a run; `None` when there are none.
///
/// # Errors
/// When a template cannot be read, since too few shingles would be removed without it.
pub(crate) fn read_templates(
    settings: StageSettings,
    cancel: &Cancel,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
) -> Result<Option<Removal>> {
    if settings.removal.templates.is_empty() {
        return Ok(None);
    }
    // Templates are read like documents, but without globs, and the first error ends the run.
    let input = InputSettings {
        paths: settings.removal.templates.clone(),
        listed: Vec::new(),
        against: None,
        unit: None,
        groups: None,
        include: Vec::new(),
        exclude: Vec::new(),
        strict: true,
        ..settings.input.clone()
    };
    let settings = StageSettings { input: &input, ..settings };
    let sources = Sources::new(cancel.clone());
    let builder = Mutex::default();
    let new_fold = || TemplateFold {
        settings,
        normalizer: settings.normalizer(),
        shingler: settings.shingler(),
        builder: &builder,
    };
    let (mut pieces, _) = read_documents(settings.inputs(), &sources, &Unwatched, pool, new_fold)?;
    let mut absent = AbsentBySource::take(&mut pieces);
    let mut places = Places::default();
    for piece in pieces {
        let entered = places.enter(&piece, &sources);
        let note = entered.and_then(|source| absent.take_note(source, &sources));
        let problems = piece.problems.into_iter().filter_map(|(_, problem)| places.problem(problem));
        for problem in note.into_iter().chain(problems) {
            if problem.is_error {
                return Err(Error::Template(problem.ending_the_run()));
            }
            observer.problem(&problem);
        }
        places.leave(piece.lines);
    }
    Ok(Some(Removal::new(builder.into_inner().expect("no holder panics").take())))
}

/// Adds the shingles of each template to one set.
struct TemplateFold<'a> {
    settings: StageSettings<'a>,
    normalizer: Normalizer,
    shingler: Shingler,
    builder: &'a Mutex<ShingleSetBuilder>,
}

impl Fold for TemplateFold<'_> {
    type Output = ();

    fn add(&mut self, _: &mut FoldedPiece<()>, document: Document) -> Result<()> {
        self.normalizer.set_syntax(self.settings.syntax_of(document.name.bytes(), document.syntax));
        self.normalizer.normalize_utf8(document.text);
        let mut builder = self.builder.lock().expect("no holder panics");
        self.shingler.shingles_utf8(document.text).for_each_block(&mut |block| builder.extend(block));
        Ok(())
    }
}
