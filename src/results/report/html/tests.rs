//! Tests of the page as text: its contents, equal bytes for equal pairs, and that it loads nothing from elsewhere.

use super::super::tests::{hostile_pairs, settings, with_passages, written};
use crate::results::report::{ReportSearch, ReportSettings};

fn index(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"index\">";
    let (_, rest) = page.split_once(start).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn names_are_whole_in_the_index_and_end_no_script() {
    let pairs = hostile_pairs();
    let page = written("html", &settings(), &pairs);
    let index = index(&page);
    let names: Vec<&str> = index["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for pair in &pairs {
        let name = crate::results::report::words::whole_name(&pair.a.to_bytes());
        assert!(names.contains(&name.as_str()), "{name:?}");
    }
    // The script elements are the index and the script of the page.
    assert_eq!(page.matches("</script").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(index["a"].as_array().unwrap().len(), pairs.len());
    assert_eq!(index["text"].as_array().unwrap().len(), names.len());
    assert!(!page.contains("http:") && !page.contains("https:"));
}

#[test]
fn shares_are_millionths_and_groups_are_numbered_by_size() {
    let pair = |a: &'static str, b: &'static str| with_passages(a.as_bytes(), b.as_bytes());
    let pairs = [pair("x/1", "x/2"), pair("x/a", "x/b"), pair("x/b", "x/c")];
    let page = written("html", &settings(), &pairs);
    let index = index(&page);
    assert_eq!(index["share"], serde_json::json!([428_571, 428_571, 428_571]));
    assert_eq!(index["contained"][0], serde_json::json!([600_000, 600_000]));
    assert_eq!(index["groups"], serde_json::json!([1, 2]));
    assert_eq!(index["sizes"], serde_json::json!([3, 2]));
    assert_eq!(index["of"], serde_json::json!([1, 1, 0, 0, 0]));
    assert!(
        page.contains("All in <span class=\"name\">x&#x2f;</span>")
            || page.contains("All in <span class=\"name\">x/</span>")
    );
}

#[test]
fn the_page_says_what_it_leaves_out_and_how_pairs_were_looked_for() {
    let pair = |a: &'static str, b: &'static str| with_passages(a.as_bytes(), b.as_bytes());
    let pairs = [pair("1", "2"), pair("a", "b"), pair("b", "c")];
    let few = ReportSettings { max_pairs: 1, search: Some(ReportSearch::EveryPair), ..settings() };
    let page = written("html", &few, &pairs);
    assert!(page.contains("are of 1 pair, the most similar; max_pairs shows more."), "{page:.3000}");
    // The largest group has no pair here, but is listed with its own number.
    let index = index(&page);
    assert_eq!((&index["groups"], &index["sizes"]), (&serde_json::json!([2]), &serde_json::json!([2])));
    let row = "<span title=\"No pair of this group is on this page\">1</span></td><td>3</td>";
    assert!(page.contains(row), "{page}");
    assert!(page.contains("so none is missing") && !page.contains("class=\"curve\""));
    assert_eq!(index["share"].as_array().unwrap().len(), 1);
    let banding = crate::sign::Banding::new(20, 5).unwrap();
    let page = written("html", &ReportSettings { search: Some(ReportSearch::Banded(banding)), ..settings() }, &pairs);
    assert!(page.contains("class=\"curve\"") && page.contains("of all pairs with these similarities"));
    assert_eq!(
        page,
        written("html", &ReportSettings { search: Some(ReportSearch::Banded(banding)), ..settings() }, &pairs)
    );
    let page = written("html", &settings(), &[]);
    assert!(page.contains("Nothing was found") && !page.contains("id=\"rows\""));
}
