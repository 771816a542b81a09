//! Finds customers with similar baskets: the stages of the library, one by one, over sets that are not texts.
//!
//! Anything that can be hashed to 64 bits can be an item. The set of a basket's hashes replaces the shingles of a text;
//! signatures, buckets and verification work in the same way.
//!
//! ```text
//! cargo run --example baskets
//! ```

use dedup_scan::compare::VerifiableSet;
use dedup_scan::sign::banding::{BucketTable, band_keys};
use dedup_scan::{
    Banding, DocId, ShingleSet, SignatureMethod, SignatureSettings, Threshold, Verifier, estimated_similarity, jaccard,
};
use xxhash_rust::xxh3::xxh3_64;

const BASKETS: [(&str, &str); 10] = [
    ("Ada", "bread butter milk eggs apples coffee cheese"),
    ("Ben", "nails hammer paint brush tape"),
    ("Chen", "rice tofu ginger soy-sauce spring-onions noodles eggs"),
    ("Dora", "bread butter milk eggs apples coffee tea"),
    ("Emil", "milk cocoa flour sugar butter eggs vanilla"),
    ("Fatma", "rice lentils onions cumin tomatoes yoghurt"),
    ("Goran", "nails hammer paint brush"),
    ("Hana", "rice tofu ginger soy-sauce spring-onions noodles mirin miso"),
    ("Ines", "flour sugar butter eggs vanilla milk almonds"),
    ("Jonas", "coffee"),
];

fn main() -> dedup_scan::Result<()> {
    // The items of a basket, hashed: a set of 64-bit numbers.
    let sets = BASKETS.map(|(_, items)| {
        let hashes: Vec<u64> = items.split(' ').map(|item| xxh3_64(item.as_bytes())).collect();
        VerifiableSet::new(ShingleSet::new(hashes.as_slice()))
    });

    // Baskets are similar when at least six tenths of the items in either are in both. The banding follows from that.
    let threshold = Threshold::new(0.6)?;
    let banding = Banding::for_recall(threshold.value(), Banding::DEFAULT_RECALL);
    println!(
        "{} bands x {} rows find {:.1} % of the pairs at {}",
        banding.bands(),
        banding.rows(),
        banding.recall(threshold.value()) * 100.0,
        threshold.value()
    );

    // Makes a signature of each set, and from it one key for each band.
    let mut signer =
        SignatureSettings { method: SignatureMethod::Fast, ..SignatureSettings::default() }.signer(banding);
    let mut signatures = vec![vec![0; banding.num_hashes()]; sets.len()];
    let mut keys = vec![vec![0; banding.bands()]; sets.len()];
    for (mut set, (signature, keys)) in sets.iter().map(VerifiableSet::set).zip(signatures.iter_mut().zip(&mut keys)) {
        signer.sign(&mut set, signature);
        band_keys(signature, keys);
    }

    // Baskets with an equal key in some band share a bucket. An empty set must be excluded here, since it is similar to
    // no other set.
    let table = BucketTable::build(banding.bands(), sets.len(), |band, bucket_keys| {
        bucket_keys.extend(keys.iter().enumerate().map(|(basket, keys)| (keys[band], DocId::new(basket))));
    });

    // Baskets that share a bucket are candidates, each pair once; verification keeps the pairs that reach the
    // threshold.
    println!("\nJaccard  estimate  shared  baskets");
    let (mut num_candidates, mut num_pairs) = (0, 0);
    let mut candidates = table.candidates();
    for a in (0..sets.len()).map(DocId::new) {
        let mut verifier = Verifier::new(&sets[a.index()]);
        for &b in candidates.of(a) {
            num_candidates += 1;
            let (a, b) = (a.index(), b.index());
            let Some(shared) = verifier.verify(&sets[b], threshold) else { continue };
            num_pairs += 1;
            let estimate = estimated_similarity(&signatures[a], &signatures[b]);
            let similarity = jaccard(sets[a].set(), sets[b].set());
            println!("{similarity:7.3}  {estimate:8.3}  {shared:6}  {} and {}", BASKETS[a].0, BASKETS[b].0);
        }
    }

    // Compares all pairs, which is possible only with few baskets.
    let all = (0..sets.len()).flat_map(|a| (a + 1..sets.len()).map(move |b| (a, b)));
    let alike = all.clone().filter(|&(a, b)| Verifier::new(&sets[a]).verify(&sets[b], threshold).is_some()).count();
    println!("\n{num_pairs} pairs from {num_candidates} candidates; of all {} pairs {alike} are alike", all.count());
    Ok(())
}
