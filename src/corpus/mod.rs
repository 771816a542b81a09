//! Reading a corpus: once, or, when shingles are taken out that are in too many documents, once to count and once more to sign.

mod absent;
mod assembly;
mod band_keys;
mod forecast;
mod frequent;
mod grouping;
mod names;
mod part;
mod reading;
mod report;
mod reread;
mod sign_again;
mod signing;
mod sparse;
mod strict;
mod templates;

use self::frequent::{Tally, frequent_shingles};
pub(crate) use self::reading::Corpus;
use self::reading::Reading;

pub(crate) use self::report::Listed;
pub(crate) use self::reread::{Rereader, Tools};
use self::sign_again::SignedAgain;
use self::templates::read_templates;
use crate::config::Config;
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;
use crate::run::{Removed, Summary};
use crate::shingle::ShingleSet;

/// Reads and signs all documents; returns what was taken out of them too.
pub(crate) fn read(
    config: &Config,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    summary: &mut Summary,
    mut list: Option<&mut Vec<Listed>>,
) -> Result<(Corpus, Option<Removal>)> {
    let templates = read_templates(config, observer)?;
    let Some(max_df) = config.max_df else {
        let reading = Reading::Sign(templates.as_ref());
        let corpus = Corpus::read(config, reading, sources, observer, pool, summary, list)?;
        return Ok((corpus, templates));
    };
    let tally = Tally::new(max_df, config.threads.get(), config.memory_bytes / 4);
    let reading = Reading::Count(&tally);
    let mut corpus = Corpus::read(config, reading, sources, observer, pool, summary, list.as_deref_mut())?;
    let rereader = Rereader::new(observer, config, None, &corpus.documents, sources);
    summary.memory.tables_at_least(corpus.num_bytes() + tally.num_bytes());
    let (limit, frequent) = pool.install(|| frequent_shingles(config, max_df, tally, &corpus.documents, &rereader));
    let template_shingles = templates.as_ref().map(|templates| templates.len() as u64);
    let removal = templates.unwrap_or_else(|| Removal::new(ShingleSet::default())).and(&frequent);
    let lists = list.is_some();
    let signed = pool.install(|| SignedAgain::new(config, &removal, &corpus.documents, &rereader, lists))?;
    for problem in rereader.into_problems() {
        summary.count(&problem);
        observer.problem(&problem);
    }
    let removed = corpus.take_signed(signed, list);
    let frequent_shingles = frequent.len() as u64;
    summary.removed = Some(Removed { template_shingles, most_documents: Some(limit), frequent_shingles, ..removed });
    summary.count_copies(&corpus.documents);
    summary.memory.tables_at_least(corpus.num_bytes() + removal.num_bytes());
    Ok((corpus, Some(removal)))
}
