//! Reading a corpus: once, or, when shingles are taken out that are in too many documents, once to count and once more to sign.

use super::max_df::{Tally, frequent_shingles};
use super::read::{Corpus, Listed, Reading, SignedLater};
use super::reread::Rereader;
use super::templates::read_templates;
use super::{Observer, Removed, Summary};
use crate::config::Config;
use crate::error::Result;
use crate::input::Sources;
use crate::removal::Removal;
use crate::shingle::ShingleSet;

/// Reads and signs all documents; returns what was taken out of them too.
pub(super) fn read(
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
    let loader = Rereader::new(observer, config, None, &corpus.documents, sources);
    summary.memory.tables_at_least(corpus.num_bytes() + tally.num_bytes());
    let (limit, frequent) = pool.install(|| frequent_shingles(config, max_df, tally, &corpus.documents, &loader));
    let template_shingles = templates.as_ref().map(|templates| templates.len() as u64);
    let removal = templates.unwrap_or_else(|| Removal::new(ShingleSet::default())).and(&frequent);
    let lists = list.is_some();
    let signed = pool.install(|| SignedLater::new(config, &removal, &corpus.documents, &loader, lists));
    for problem in loader.into_problems() {
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
