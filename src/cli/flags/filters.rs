//! The flags that filter and sort pairs and groups: `--sort`, `--top` and `--min-containment`.
//!
//! A new filter needs a field here, a line in `leave_out`, its test in `PairPrinter` for runs and for saved results, and its
//! id in `exclusions` and in the `conflicts_with_all` of `--list-documents` and `--stdin`.

use clap::{Args, ValueEnum};
use dedup_scan::compare::ClusterSort;
use dedup_scan::records::PairSort;
use dedup_scan::search::OverlapSort;
use dedup_scan::{Result, Threshold};

use super::values::{Choices, choice, similarity, whole};
use crate::cli::messages::Failure;

/// The pairs that are printed, and their order.
#[derive(Debug, Clone, Args)]
pub(crate) struct FilterFlags {
    /// The order of the pairs. All but `order` keep the pairs in memory until the last one is found [default: order; with
    /// --top the order of the text view: jaccard, kept for programs, and matched for passages]
    #[arg(long, value_parser = choice(SORTS), value_name = "ORDER", help_heading = "Output")]
    sort: Option<PairSort>,

    /// Print only the first N pairs in the order of --sort
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1 << 32), allow_negative_numbers = true,
        help_heading = "Output")]
    pub(crate) top: Option<usize>,

    /// Print only pairs in which one document shares at least this part of its shingles with the other, from 0 to 1.
    /// Filters the pairs above the threshold: contained texts below it are not searched for, and --recall does not
    /// cover them
    #[arg(long, value_name = "PART", value_parser = similarity, allow_negative_numbers = true, help_heading = "Output")]
    min_containment: Option<f64>,

    /// The order of `--top` without `--sort`, which depends on how the documents are compared.
    #[arg(skip)]
    pub(crate) of_view: Option<PairSort>,
}

/// The groups that are printed, and their order.
#[derive(Debug, Args)]
pub(crate) struct GroupFilterFlags {
    /// The order of the groups, which keep their numbers [default: order; size with --top or --by; size, then jaccard with --format text]
    #[arg(long, value_enum, value_name = "ORDER", conflicts_with = "labels", help_heading = "Output")]
    sort: Option<GroupSortFlag>,

    /// Print only the first N groups in the order of --sort
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1 << 32), allow_negative_numbers = true,
        conflicts_with = "labels", help_heading = "Output")]
    pub(crate) top: Option<usize>,

    /// Use only pairs in which one document shares at least this part of its shingles with the other, from 0 to 1.
    /// Filters the pairs above the threshold: contained texts below it are not searched for, and --recall does not
    /// cover them. Every pair is verified
    #[arg(long, value_name = "PART", value_parser = similarity, allow_negative_numbers = true, help_heading = "Groups")]
    min_containment: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GroupSortFlag {
    /// The largest groups first
    Size,
    /// The highest jaccard_min first: the similarity of the least similar pair of a group
    #[value(alias = "jaccard_min")]
    Jaccard,
    /// The highest jaccard_mean first: the mean similarity of the pairs of a group
    #[value(alias = "jaccard_mean")]
    Mean,
    /// The highest jaccard_least first: the similarity of the least similar two members, where it is known
    #[value(alias = "jaccard_least")]
    Least,
    /// The highest share first, of the two shares of a line; only with --by
    Share,
    /// The highest number of pairs between two groups first; only with --by
    Pairs,
    /// Document order of the first members
    Order,
}

impl GroupFilterFlags {
    /// * `is_for_people`: whether the groups are printed as text.
    pub(crate) fn sort(&self, is_for_people: bool) -> ClusterSort {
        match self.sort {
            Some(GroupSortFlag::Size) => ClusterSort::Size,
            Some(GroupSortFlag::Jaccard) => ClusterSort::Jaccard,
            Some(GroupSortFlag::Mean) => ClusterSort::Mean,
            Some(GroupSortFlag::Least) => ClusterSort::Least,
            Some(GroupSortFlag::Order | GroupSortFlag::Share | GroupSortFlag::Pairs) => ClusterSort::Order,
            None if is_for_people => ClusterSort::SizeThenJaccard,
            None if self.top.is_some() => ClusterSort::Size,
            None => ClusterSort::Order,
        }
    }

    /// The order of groups that are compared with each other.
    ///
    /// # Errors
    /// When the groups do not have the number that `--sort` sorts them by.
    pub(crate) fn overlap_sort(&self) -> Result<OverlapSort, Failure> {
        match self.sort {
            None | Some(GroupSortFlag::Size) => Ok(OverlapSort::Matched),
            Some(GroupSortFlag::Share) => Ok(OverlapSort::Share),
            Some(GroupSortFlag::Pairs) => Ok(OverlapSort::Pairs),
            Some(GroupSortFlag::Order) => Ok(OverlapSort::Order),
            Some(sort @ (GroupSortFlag::Jaccard | GroupSortFlag::Mean | GroupSortFlag::Least)) => {
                let name = sort.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
                let what = "two groups have no similarity; choose size, share, pairs or order";
                Err(Failure::of_value("--sort", name, what))
            }
        }
    }

    /// Refuses an order that only groups of `--by` have.
    ///
    /// # Errors
    /// When the order is `share` or `pairs`.
    pub(crate) fn check_sort(&self) -> Result<(), Failure> {
        let of_overlaps = match self.sort {
            Some(GroupSortFlag::Share) => "share",
            Some(GroupSortFlag::Pairs) => "pairs",
            _ => return Ok(()),
        };
        Err(Failure::of_value("--sort", of_overlaps, "only applies to --by; add it, or choose another order"))
    }

    pub(crate) fn min_containment(&self) -> Result<Option<Threshold>> {
        self.min_containment.map(Threshold::new).transpose()
    }
}

const SORTS: Choices<PairSort> = &[
    ("jaccard", PairSort::Jaccard, "The most similar pairs first"),
    (
        "containment",
        PairSort::Containment,
        "The highest containment first: the larger of containment_a and containment_b",
    ),
    ("shared", PairSort::Shared, "The highest number of shared shingles first"),
    ("shingles", PairSort::Shingles, "The longest documents first: the larger of shingles_a and shingles_b"),
    (
        "weight-shared|weight_shared",
        PairSort::WeightShared,
        "The highest weight_shared first: the weight of the shingles in both documents",
    ),
    ("weight", PairSort::Weight, "The heaviest documents first: the larger of weight_a and weight_b"),
    ("coverage", PairSort::Coverage, "The highest coverage by passages first: the larger of coverage_a and coverage_b"),
    ("matched", PairSort::Matched, "The highest number of tokens in passages first"),
    ("longest", PairSort::Longest, "The longest run that is the same in both first"),
    ("kept|jaccard_kept", PairSort::Kept, "The highest jaccard_kept first: the similarity of programs with names kept"),
    (
        "raw|jaccard_raw",
        PairSort::Raw,
        "The highest jaccard_raw first: the similarity with the shingles that are removed",
    ),
    ("estimate", PairSort::Estimate, "The highest estimate by signatures first"),
    ("order", PairSort::Order, "Document order, as pairs are found"),
];

/// The numbers that pairs have only in some runs, and by which `--sort` orders them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SortableNumbers {
    /// Whether the pairs have passages.
    pub(crate) passages: bool,
    /// Whether the pairs have the similarity with identifiers kept.
    pub(crate) kept: bool,
    /// Whether the pairs have the similarity with removed shingles.
    pub(crate) raw: bool,
    /// Whether shingles have weights.
    pub(crate) weights: bool,
}

impl FilterFlags {
    pub(crate) fn sort(&self) -> PairSort {
        match self.sort {
            Some(sort) => sort,
            None if self.top.is_some() => self.of_view.unwrap_or(PairSort::Jaccard),
            None => PairSort::Order,
        }
    }

    /// Sets the order of `--top` without `--sort`.
    ///
    /// * `by_passages`, `have_kept`: whether the pairs match by their passages, and have the similarity with identifiers
    ///   kept.
    pub(crate) fn set_view(&mut self, by_passages: bool, have_kept: bool) {
        self.of_view = match (by_passages, have_kept) {
            (true, _) => Some(PairSort::Matched),
            (false, true) => Some(PairSort::Kept),
            (false, false) => None,
        };
    }

    /// Checks that the pairs have the number that `--sort` sorts them by.
    ///
    /// # Errors
    /// When the pairs do not have that number.
    pub(crate) fn check_sort(&self, pairs: SortableNumbers) -> Result<(), Failure> {
        match self.sort {
            Some(PairSort::Coverage | PairSort::Matched | PairSort::Longest) if !pairs.passages => Err(Failure::of_flag("--sort", "the pairs have no passages to sort them by; add --match passages or --show-passages, or choose another order").and("--match").and("--show-passages")),
            Some(PairSort::Kept) if !pairs.kept => Err(Failure::of_value("--sort", "kept", "the pairs have no jaccard_kept to sort them by; scan with --preset code or --jaccard-kept 8, or choose another order").and("--preset").and("--jaccard-kept")),
            Some(PairSort::Raw) if !pairs.raw => Err(Failure::of_value("--sort", "raw", "the pairs have no jaccard_raw to sort them by; remove shingles with --template or --max-df, or choose another order")),
            Some(PairSort::WeightShared | PairSort::Weight) if !pairs.weights => {
                let what = "the pairs have no weights to sort them by; scan with --weights idf, or choose another order";
                Err(Failure::of_flag("--sort", what))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn min_containment(&self) -> Result<Option<Threshold>> {
        self.min_containment.map(Threshold::new).transpose()
    }

    /// Whether pairs are kept until the last one is found.
    pub(crate) fn ranks(&self) -> bool {
        self.sort() != PairSort::Order || self.top.is_some()
    }

    /// Whether `--sort` or `--top` is given.
    pub(crate) fn has_order(&self) -> bool {
        self.sort.is_some() || self.top.is_some()
    }

    /// The given flags that may hide pairs.
    pub(crate) fn leave_out(&self) -> impl Iterator<Item = &'static str> {
        let given = [("--top", self.top.is_some()), ("--min-containment", self.min_containment.is_some())];
        given.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag))
    }
}
