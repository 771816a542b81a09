//! Writes a corpus without its duplicates, in the format of the inputs.
//!
//! `find_unique` runs all stages and chooses the representative of each group (`choice`); `find_unique_saved` uses
//! the pairs of a saved result instead (`saved`). The corpus is written file by file (`jobs`). A file without a
//! duplicate is copied byte for byte; any other file is read once more by the readers of the input (`content`) and
//! written without its duplicates (`edits`, `parquet`, `zip`). The output is written next to its final place and
//! renamed when it is complete (`staging`).
//!
//! `find_cuts` finds repeated parts of texts instead (`cut`), and the texts of documents are edited while they are written.
//! `find_contaminated` finds the documents that contain benchmarks instead of duplicates, and writes the corpus without
//! them (`contamination`).
//!
//! `dedup cluster`, which removes nothing, chooses the representatives of groups by the same rules (`kept_order`).
//!
//! Files in folders can have a plan instead of an output (`plan`): a script for people to read and run (`script`),
//! made from a run or from a saved result (`planned_result`).

mod change;
mod choice;
mod contamination;
mod content;
mod convert;
mod corpus;
mod cut;
mod cut_corpus;
mod edits;
mod fates;
mod form;
mod jobs;
mod kept_order;
mod layout;
mod modes;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod planned_result;
mod preserved;
mod renumber;
mod result_files;
mod saved;
mod script;
mod settings;
mod side_files;
mod staging;
mod tar;
mod write;
mod written;
mod zip;
mod zip_parts;

pub use self::choice::StandIn;
use self::choice::{KeepRules, stand_ins};
pub use self::contamination::{ContaminatedCorpus, ContaminationAction, find_contaminated};
pub use self::corpus::UniqueCorpus;
pub use self::cut::{CutCounts, CutPlace, CutSettings, CutSink, RepeatCutRecord};
pub use self::cut_corpus::find_cuts;
use self::jobs::Fingerprints;
pub use self::kept_order::KeptOrder;
pub use self::plan::{FilePlan, LeftDocument, PlanAction};
pub use self::planned_result::plan_result;
use self::preserved::{Chosen, PreservingChoice};
pub use self::saved::find_unique_saved;
pub use self::settings::{CopiedWhole, Keep, Preserve, UniqueSettings, WriteSettings, Written};
use crate::base::error::{CorpusError, Error, Result};
use crate::base::observe::Observer;
use crate::base::problem::Reason;
use crate::compare::clusters::{ClusterBuilder, Linkage};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{ByName, Compared};
use crate::search::run::{Search, Searched, Settings, Summary, coverages};

/// Finds the duplicates of a corpus and chooses the representative of each group.
///
/// Memory: as for [`find_duplicates`](crate::search::find_duplicates), and 8 bytes for each file. Each document needs
/// 12 bytes for its place and up to 44 for the groups; each edge that the linkage keeps 16; each removed document 40,
/// and 64 more if documents match by their passages. [`Keep::Max`] and [`Keep::Min`] need 24 more for each document,
/// [`Keep::Newest`] and [`Keep::Oldest`] 16, and 40 for each member of an archive. If 256 or more documents share a
/// bucket, a second bucket table is built, and with [`Linkage::Star`] before it a third table of the documents that
/// such buckets connect.
///
/// # Errors
/// When the run fails, or a document has changed since it was first read.
///
/// # Panics
/// When the settings specify two sides, or a comparison across groups.
pub fn find_unique(settings: &Settings, unique: &UniqueSettings, observer: &dyn Observer) -> Result<UniqueCorpus> {
    let is_within = settings.input.groups.as_ref().is_none_or(|groups| groups.within);
    let is_one_corpus = settings.input.against.as_ref().is_none_or(|against| against.compared == Compared::All);
    assert!(is_one_corpus && is_within, "one corpus, compared as a whole or within groups");
    let mut settings = settings.clone();
    settings.input.with_source = true;
    settings.pairs.collapse_exact = true;
    settings.input.value_field = unique.field().cloned();
    settings.input.member_times = unique.member_times();
    settings.input.container_items = ByName::collected();
    let prints = Fingerprints::of(settings.corpus().inputs());
    if unique.preserve.is_some() || settings.input.against.is_some() {
        return find_preserved(settings, unique, prints, observer);
    }
    // Pairs of documents that are already connected join no groups; complete groups need all pairs.
    settings.pairs.spanning = unique.linkage == Linkage::Components;
    let mut builder = None;
    let mut sink = |documents: &Documents, pairs: &[_], _: &[_]| {
        builder.get_or_insert_with(|| ClusterBuilder::new(unique.linkage, documents.len())).add_pairs(documents, pairs);
        Ok(())
    };
    let rules = KeepRules { keep: &unique.keep, settings: &settings, prints: &prints };
    let keep_order = |documents: &Documents| rules.order(documents, documents.len());
    let (searched, order) = if unique.linkage == Linkage::Star {
        let mut order = None;
        let mut find_order = |documents: &Documents| Ok(order.insert(keep_order(documents)?).clone());
        let searched = Search::new(&settings, observer).of_stars(&mut find_order).run(&mut sink)?;
        (searched, order)
    } else {
        (Search::new(&settings, observer).run(&mut sink)?, None)
    };
    let mut searched = searched;
    let Searched { documents, summary, pool, .. } = &searched;
    check_unchanged(summary)?;
    let builder = builder.unwrap_or_else(|| ClusterBuilder::new(unique.linkage, documents.len()));
    let order = order.map_or_else(|| keep_order(documents), Ok)?;
    let stand_ins = pool.install(|| {
        let clusters = builder.finish_with_copies(documents, &order);
        let rereader = searched.corpus(observer).rereader();
        stand_ins(&clusters, documents, &rereader)
    })?;
    let pairs: Vec<(DocId, DocId)> = stand_ins.iter().map(|stand_in| (stand_in.document, stand_in.by)).collect();
    let coverages = coverages(observer, &pairs, &mut searched)?;
    let Searched { documents, summary, pool, .. } = searched;
    let corpus = UniqueCorpus::new(settings, documents, stand_ins, prints, Some(summary), pool);
    Ok(corpus.with_coverages(coverages))
}

/// Chooses by all pairs, for documents that must be preserved or that another corpus has.
fn find_preserved(
    settings: Settings,
    unique: &UniqueSettings,
    prints: Fingerprints,
    observer: &dyn Observer,
) -> Result<UniqueCorpus> {
    let mut choice = PreservingChoice::default();
    let mut sink = |documents: &Documents, pairs: &[_], _: &[_]| {
        choice.add_pairs(documents, pairs);
        Ok(())
    };
    let mut searched = Search::new(&settings, observer).run(&mut sink)?;
    let Searched { documents, summary, pool, .. } = &searched;
    check_unchanged(summary)?;
    let num_own = summary.sides.as_ref().map_or(documents.len(), |sides| sides.a.documents as usize);
    let rules = KeepRules { keep: &unique.keep, settings: &settings, prints: &prints };
    let order = rules.order(documents, num_own)?;
    let chosen = pool.install(|| {
        let rereader = searched.corpus(observer).rereader();
        choice.choose(documents, &order, num_own, unique.preserve, &rereader)
    })?;
    let Chosen { stand_ins, num_unpreserved } = chosen;
    let pairs: Vec<(DocId, DocId)> = stand_ins.iter().map(|stand_in| (stand_in.document, stand_in.by)).collect();
    let coverages = coverages(observer, &pairs, &mut searched)?;
    let Searched { documents, summary, pool, .. } = searched;
    let corpus = UniqueCorpus::new(settings, documents, stand_ins, prints, Some(summary), pool);
    let num_unpreserved = unique.preserve.map(|_| num_unpreserved);
    Ok(corpus.with_coverages(coverages).of_first(num_own).with_unpreserved(num_unpreserved))
}

/// Refuses a run in which a document changed.
fn check_unchanged(summary: &Summary) -> Result<()> {
    if summary.skipped.contains_key(&Reason::Changed) {
        return Err(Error::Corpus(CorpusError::Changed("a document that was compared".to_owned())));
    }
    Ok(())
}
