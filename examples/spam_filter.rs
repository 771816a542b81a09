//! Keeps what was reported as spam in an index, and asks it about every message that comes in.
//!
//! ```text
//! cargo run --example spam_filter
//! ```

use dedup_scan::{
    AddWhat, FollowedAnswer, FollowedLine, InputSettings, QuerySettings, Result, Settings, Threshold, Unwatched,
    build_index, follow_index,
};

/// Messages as they come in: an id and a text.
const MESSAGES: [(&str, &str); 3] = [
    ("m1", "Dear friend, you have won 5,000,000 pounds in our lottery! Reply with your bank details today."),
    ("m2", "The minutes of the meeting on Thursday are in the shared folder; please send corrections by Monday."),
    ("m3", "Dear friend, you have won 7,500,000 euros in our lottery! Reply with your bank details today!!"),
];
/// What was reported as spam before.
const REPORTED: &str = "{\"id\":\"report-1\",\"text\":\"Dear friend, you have won 1,000,000 dollars in our lottery! Reply with your bank details today.\"}\n";

fn main() -> Result<()> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let (reports, index) = (folder.path().join("reports.jsonl"), folder.path().join("spam.index"));
    std::fs::write(&reports, REPORTED).expect("there is room for a file");

    // Short texts differ in much by one number, so that the threshold is low.
    let mut settings = Settings::of(InputSettings::of(vec![reports]));
    settings.pairs.threshold = Threshold::new(0.4)?;
    settings.banding = dedup_scan::Banding::for_recall(0.4, 0.999);
    build_index(&index, &settings, &Unwatched)?;

    // Each message is asked about. None is added: what is spam, people decide.
    let query = QuerySettings { index, best: Some(1), add: AddWhat::None, ..QuerySettings::default() };
    let mut messages = MESSAGES.into_iter();
    let mut next = |_| match messages.next() {
        Some((id, text)) => FollowedLine::Line(serde_json::json!({ "id": id, "text": text }).to_string().into()),
        None => FollowedLine::End,
    };
    let mut verdicts = Vec::new();
    let mut answer = |answer: &FollowedAnswer| {
        if let FollowedAnswer::Found { id, matches, .. } = answer {
            let like = matches.first().map(|found| (found.b.to_bytes(), found.jaccard));
            verdicts.push((id.as_ref().map(|id| id.to_bytes()), like));
        }
        Ok(())
    };
    follow_index(&query, &Settings::default(), false, &mut next, &mut answer)?;
    for (id, like) in &verdicts {
        let id = id.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        match like {
            Some((report, jaccard)) => println!("{id}: spam, {jaccard:.2} like {}", String::from_utf8_lossy(report)),
            None => println!("{id}: not seen before"),
        }
    }
    assert_eq!(verdicts.iter().map(|(_, like)| like.is_some()).collect::<Vec<_>>(), [true, false, true]);
    Ok(())
}
