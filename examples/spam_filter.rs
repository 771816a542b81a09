//! Keeps messages that were reported as spam in an index, and looks up every incoming message in it.
//!
//! ```text
//! cargo run --example spam_filter
//! ```

use dedup_scan::index::{AddWhat, IndexSettings, OpenIndex, QuerySettings, build_index};
use dedup_scan::{InputSettings, Result, Settings, Threshold, Unwatched};

/// Incoming messages: an id and a text.
const MESSAGES: [(&str, &str); 3] = [
    ("m1", "Dear friend, you have won 5,000,000 pounds in our lottery! Reply with your bank details today."),
    ("m2", "The minutes of the meeting on Thursday are in the shared folder; please send corrections by Monday."),
    ("m3", "Dear friend, you have won 7,500,000 euros in our lottery! Reply with your bank details today!!"),
];
/// A message that was reported as spam earlier.
const REPORTED: &str = "{\"id\":\"report-1\",\"text\":\"Dear friend, you have won 1,000,000 dollars in our lottery! Reply with your bank details today.\"}\n";

fn main() -> Result<()> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let (reports, index) = (folder.path().join("reports.jsonl"), folder.path().join("spam.index"));
    std::fs::write(&reports, REPORTED).expect("there is room for a file");

    // The change of one number makes a large difference in a short text, so the threshold is low.
    let mut settings = Settings::of(InputSettings::of(vec![reports]));
    settings.pairs.threshold = Threshold::new(0.4)?;
    settings.banding = dedup_scan::Banding::for_recall(0.4, 0.999);
    build_index(&index, IndexSettings::default(), &settings, &Unwatched)?;

    // The index is opened once. Each message is looked up without being added, since people decide what is spam.
    let mut seen = OpenIndex::open(&QuerySettings { index: index.clone(), best: Some(1), ..QuerySettings::default() })?;
    let mut verdicts = Vec::new();
    for (id, text) in MESSAGES {
        let result = seen.search(Some(id), text)?;
        let like = result.matches.first().map(|found| (found.b.to_bytes(), found.jaccard));
        verdicts.push((id, like));
    }
    for (id, like) in &verdicts {
        match like {
            Some((report, jaccard)) => println!("{id}: spam, {jaccard:.2} like {}", String::from_utf8_lossy(report)),
            None => println!("{id}: not seen before"),
        }
    }

    // A person reports another message. It is added, and all later queries find it.
    let add = QuerySettings { index, add: AddWhat::All, ..QuerySettings::default() };
    let mut reports = OpenIndex::open(&add)?;
    let reported = "Your parcel could not be delivered. Pay the fee of 1.99 at the link within 24 hours.";
    assert!(reports.search(Some("report-2"), reported)?.added);
    reports.commit()?;
    let result = seen.search(None, &reported.replace("1.99", "2.49"))?;
    println!("m4: {} like it", result.matches.len());
    assert_eq!(result.matches.len(), 1);
    assert_eq!(verdicts.iter().map(|(_, like)| like.is_some()).collect::<Vec<_>>(), [true, false, true]);
    Ok(())
}
