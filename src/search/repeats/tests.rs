//! Compares the repeats of random corpora with the result of a slow twin, which compares every run.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::base::memory::Resources;
use crate::base::observe::Unwatched;
use crate::documents::document::{GroupBy, GroupSettings};
use crate::documents::input::InputSettings;
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::shingle::{ShingleKind, ShingleSettings, Shingler};

/// Tokens of documents, by the numbers of both.
type Positions = Vec<(usize, usize)>;

/// The repeated tokens of each text: document and token.
fn slowly(texts: &[(String, u32)], kind: ShingleKind, repeats: RepeatSettings) -> BTreeSet<(usize, usize)> {
    let mut normalizer = Normalizer::new(&Normalization::default(), kind.units());
    // The positions of each run, in its scope.
    let mut positions: HashMap<(usize, Vec<String>), Positions> = HashMap::new();
    for (document, (text, group)) in texts.iter().enumerate() {
        let tokens = Shingler::new(kind, 1).tokens(normalizer.normalize(text));
        let strings: Vec<String> =
            (0..tokens.len()).map(|at| tokens.text()[tokens.bytes_of(at..at + 1)].to_owned()).collect();
        let scope = match repeats.scope {
            RepeatScope::Corpus => 0,
            RepeatScope::Group => *group as usize,
            RepeatScope::Document => document,
        };
        for (token, run) in strings.windows(repeats.run()).enumerate() {
            let chars: usize = run.iter().map(|token| token.chars().count()).sum::<usize>() + run.len() - 1;
            if repeats.unit.kind().is_none() || chars as u64 >= repeats.min_chars {
                positions.entry((scope, run.to_vec())).or_default().push((document, token));
            }
        }
    }
    let mut repeated = BTreeSet::new();
    for positions in positions.into_values() {
        let documents: BTreeSet<usize> = positions.iter().map(|position| position.0).collect();
        if positions.len() < 2 || (documents.len() as u32) < repeats.least_documents() {
            continue;
        }
        let kept = usize::from(repeats.keep == KeptOccurrence::First);
        for &(document, token) in &positions[kept..] {
            repeated.extend((token..token + repeats.run()).map(|token| (document, token)));
        }
    }
    repeated
}

fn quickly(
    texts: &[(String, u32)],
    kind: ShingleKind,
    repeats: RepeatSettings,
    resources: Resources,
) -> (BTreeSet<(usize, usize)>, Vec<RepeatedRun>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let mut file = std::fs::File::create(&path).unwrap();
    for (text, group) in texts {
        writeln!(file, "{}", serde_json::json!({ "text": text, "group": group })).unwrap();
    }
    let by = GroupBy::Field("group".to_owned());
    let groups = (repeats.scope == RepeatScope::Group).then_some(GroupSettings { by, within: true, with_names: false });
    let settings = Settings {
        shingles: repeats.grams(&ShingleSettings::new(kind)).unwrap(),
        resources,
        ..Settings::of(InputSettings { groups, ..InputSettings::of(vec![path]) })
    };
    let found = find_repeats(&settings, repeats, 0, 100, &Unwatched).unwrap();
    assert_eq!(found.documents.len(), texts.len());
    let runs = found.runs.all();
    let tokens = runs.iter().flat_map(|run| (run.start..run.end).map(|token| (run.document().index(), token as usize)));
    (tokens.collect(), runs.to_vec())
}

fn any_texts() -> impl Strategy<Value = Vec<(String, u32)>> {
    // Few parts, so that long runs repeat, also within a text and overlapping each other.
    let part = prop::sample::select(vec![
        "a",
        "b",
        "a b",
        "one two three four five",
        "é ü",
        "x y z x y z x y",
        "end.\n",
        "\n",
        "\n\n",
        "A line.\n",
        "文字 ",
        "Yes. No. ",
    ]);
    let text = prop::collection::vec(part, 0..14).prop_map(|parts| parts.join(" "));
    prop::collection::vec((text, 0u32..3), 1..9)
}

fn any_settings() -> impl Strategy<Value = (ShingleKind, RepeatSettings)> {
    let passage = (1usize..9).prop_map(RepeatUnit::Passage);
    let sentences = (1usize..4).prop_map(RepeatUnit::Sentences);
    let unit = prop_oneof![4 => passage, 1 => sentences, 1 => Just(RepeatUnit::Line), 1 => Just(RepeatUnit::Paragraph)];
    let keep = prop::sample::select(vec![KeptOccurrence::First, KeptOccurrence::None]);
    let scope = prop::sample::select(vec![RepeatScope::Corpus, RepeatScope::Group, RepeatScope::Document]);
    let kind = prop::sample::select(vec![ShingleKind::Word, ShingleKind::Char, ShingleKind::Line]);
    (unit, keep, scope, 1u32..4, 1u64..8, kind).prop_map(|(unit, keep, scope, min_documents, min_chars, kind)| {
        (unit.kind().unwrap_or(kind), RepeatSettings { unit, keep, scope, min_documents, min_chars })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_repeats_are_those_of_the_slow_twin(texts in any_texts(), (kind, repeats) in any_settings()) {
        let resources = Resources { threads: 2.try_into().unwrap(), ..Resources::with_memory_bytes(1 << 20) };
        let (tokens, runs) = quickly(&texts, kind, repeats, resources);
        prop_assert_eq!(&tokens, &slowly(&texts, kind, repeats), "{:?} {:?}", kind, repeats);
        for pair in runs.windows(2) {
            let is_apart = pair[0].document() < pair[1].document() || pair[0].end < pair[1].start;
            prop_assert!(is_apart, "{:?}", pair);
        }
    }
}

#[test]
fn memory_and_threads_make_no_difference_and_the_first_occurrence_is_known() {
    let common: String = (0..3000).map(|word| format!("common{word} ")).collect();
    let texts: Vec<(String, u32)> = (0..120)
        .map(|document| {
            let own: String = (0..200).map(|word| format!("own{document}x{word} ")).collect();
            // Each document has another part of the common text.
            (format!("{own}{} {own}", &common[document * 50 / 11 * 11..20_000]), 0)
        })
        .collect();
    let repeats = RepeatSettings { unit: RepeatUnit::Passage(20), ..RepeatSettings::default() };
    let of = |threads: usize, memory| {
        let resources = Resources { threads: threads.try_into().unwrap(), ..Resources::with_memory_bytes(memory) };
        quickly(&texts, ShingleKind::Word, repeats, resources).1
    };
    let expected = of(1, 1 << 28);
    assert!(expected == of(4, 1 << 12) && expected == of(3, 1 << 16));
    // The second copy of each document's own words; it follows the common part, which all but the first one lose.
    assert_eq!(expected.len(), 120);
    let second = expected[1];
    assert_eq!((second.document(), second.first.document), (DocId::new(1), 0));
}
