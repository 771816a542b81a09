//! Groups customers with similar baskets. The edges come from [`jaccard`]; any verified similarity will do.
//!
//! ```text
//! cargo run --example clusters
//! ```

use dedup_scan::compare::{CentreOrder, ClusterBuilder, Linkage, VerifiedEdge};
use dedup_scan::{DocId, ShingleSet, jaccard};
use xxhash_rust::xxh3::xxh3_64;

const BASKETS: [(&str, &[&str]); 5] = [
    ("Ann", &["tea", "milk", "bread", "salt"]),
    ("Ben", &["tea", "milk", "bread", "rice"]),
    ("Cho", &["tea", "milk", "oats", "rice"]),
    ("Dee", &["nails", "glue"]),
    ("Eli", &["nails", "glue", "tape"]),
];

fn main() {
    let set = |items: &[&str]| {
        let hashes: Vec<u64> = items.iter().map(|item| xxh3_64(item.as_bytes())).collect();
        ShingleSet::new(hashes.as_slice())
    };
    let sets: Vec<ShingleSet> = BASKETS.iter().map(|(_, items)| set(items)).collect();

    for linkage in [Linkage::Components, Linkage::Star, Linkage::Complete] {
        let mut builder = ClusterBuilder::new(linkage, sets.len());
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let similarity = jaccard(&sets[a], &sets[b]);
                if similarity >= 0.5 {
                    builder.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), similarity));
                }
            }
        }
        println!("{linkage:?}");
        // In a group, a document of low rank is preferred as its representative: here the largest baskets.
        let ranks = BASKETS.iter().map(|(_, items)| 100 - items.len() as u32).collect();
        for group in builder.finish(&CentreOrder::by_rank(ranks)).iter() {
            let name = |document: DocId| BASKETS[document.index()].0;
            let members: Vec<&str> = group.members.iter().map(|&member| name(member)).collect();
            println!("  {} for {}", name(group.representative), members.join(", "));
            for joined in group.joined {
                println!("    {} by {} at {:.2}", name(joined.document), name(joined.by), joined.similarity);
            }
        }
    }
}
