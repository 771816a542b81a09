//! The kernels whose instructions `benches/counts/run.py` counts: each runs once in [`counted`], and prints its name.
//!
//! Callgrind collects only while `counted` runs, and writes the count of each call. The inputs are seeded, so the counts
//! are the same every time. A kernel with several implementations runs in each form that callgrind can emulate; it
//! emulates no AVX-512. Every kernel has one thread, since callgrind collects by thread.

use std::hint::black_box;

use dedup_scan::compare::passages::{Aligner, PassageSettings, Winnower};
use dedup_scan::compare::{VerifiableSet, overlap_by_kernel};
use dedup_scan::sign::banding::band_keys;
use dedup_scan::text::Syntax;
use dedup_scan::{
    Normalization, Normalizer, ShingleKind, ShingleSet, Shingler, SignatureMethod, Signer, Threshold, Units, Verifier,
    jaccard, normalize,
};

use crate::corpus::{Author, Script, hashes};
use crate::passages::edited;
use crate::shingle::count;

const BANDS: usize = 20;
const ROWS: usize = 5;
const SEED: u64 = 42;
/// The bytes of a text.
const NUM_BYTES: usize = 64 << 10;
/// The number of shingles of a text or set.
const NUM_SHINGLES: u64 = 8000;

/// Runs every kernel.
pub(crate) fn run() {
    texts();
    signatures();
    sets();
    passages();
}

/// Prints the name of a kernel, and runs it a second time: allocations of the first run do not count.
fn kernel(name: &str, form: &str, mut work: impl FnMut()) {
    println!("{name}{}{form}", if form.is_empty() { "" } else { "/" });
    work();
    counted(&mut work);
}

/// Callgrind collects during this function. It is not inlined, so it has a symbol.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Without this the call above would be a jump, and callgrind would see no return from this function.
    black_box(());
}

fn texts() {
    let prose = Author::new(Script::Ascii, 1).text(NUM_BYTES);
    let wrapped = prose.replace(". ", ".\r\n\t    ").replace("ta ", "ta\n");
    let chinese = Author::new(Script::Chinese, 1).text(NUM_BYTES).replace('。', "。\u{3000}");
    for (form, fold_spaces) in Normalizer::fold_spaces_by_kernel() {
        kernel("normalize/wrapped", form, || {
            let mut bytes = wrapped.as_bytes().to_vec();
            fold_spaces(&mut bytes);
            black_box(bytes);
        });
    }
    kernel("normalize/chinese", "", || {
        black_box(normalize(&chinese));
    });
    for (name, kind, size) in [("shingle/char9", ShingleKind::Char, 9), ("shingle/word5", ShingleKind::Word, 5)] {
        for (form, mut shingler) in Shingler::by_kernel(kind, size) {
            kernel(name, form, || {
                black_box(count(&mut shingler, &prose));
            });
        }
    }
    let mut shingler = Shingler::new(ShingleKind::Char, 9);
    kernel("shingle/set", "", || {
        black_box(ShingleSet::new(shingler.shingles(&prose)));
    });
    // A separate text, since the programs of this package change.
    let program =
        "/// Adds.\nfn add(left: u32, right: u32) -> Option<u32> {\n    let text = \"a \\\" b\"; // why\n    \
                   if left > 0x1F && text.len() != 3 { return left.checked_add(right); }\n    None\n}\n"
            .repeat(300);
    let mut normalizer = Normalizer::new(&Normalization::default(), ShingleKind::Code.units());
    normalizer.set_syntax(Some(Syntax::Rust));
    assert_eq!(
        normalizer.normalize("a // b"),
        normalizer.normalize("c"),
        "comments are no tokens, and names are alike"
    );
    kernel("normalize/code", "", || {
        black_box(normalizer.normalize(&program));
    });
    let mut normalizer = Normalizer::new(&Normalization { lowercase: true, ..Normalization::default() }, Units::Text);
    kernel("normalize/lowercase", "", || {
        black_box(normalizer.normalize(&wrapped));
    });
}

fn signatures() {
    let shingles = hashes(0..4096);
    let mut signature = vec![0; BANDS * ROWS];
    let methods = [
        ("sign/classic", Signer::classic_by_kernel(BANDS, ROWS, SEED)),
        ("sign/fast", Signer::fast_by_kernel(BANDS, ROWS, SEED)),
    ];
    for (name, signers) in methods {
        for (form, mut signer) in signers {
            kernel(name, form, || {
                signer.sign(&mut black_box(shingles.as_slice()), black_box(&mut signature));
            });
        }
    }
    let weights: Vec<u32> = shingles.iter().map(|hash| 65_536 + (hash % (19 << 16)) as u32).collect();
    let mut signer = Signer::new(SignatureMethod::Weighted, BANDS, ROWS, SEED);
    kernel("sign/weighted", "", || {
        signer.sign_weighted(black_box(&shingles), black_box(&weights), black_box(&mut signature));
    });
    let mut keys = [0; BANDS];
    kernel("band/keys", "", || (0..100).for_each(|_| band_keys(black_box(&signature), black_box(&mut keys))));
}

fn sets() {
    let set = |start: u64| ShingleSet::new(hashes(start..start + NUM_SHINGLES).as_slice());
    // 8,000 shingles each, with 7,200 in both: a similarity of 0.818.
    let (a, b) = (set(0), set(NUM_SHINGLES / 10));
    kernel("verify/merge", "", || {
        black_box(jaccard(black_box(&a), black_box(&b)));
    });
    let (a, b) = (VerifiableSet::new(a), VerifiableSet::new(b));
    let mut verifier = Verifier::new(&a);
    assert!(verifier.verify(&b, Threshold::default()).is_some());
    kernel("verify/count", "", || {
        black_box(verifier.verify(black_box(&b), Threshold::default()));
    });
    let (a, b) = (hashes(0..NUM_SHINGLES), hashes(NUM_SHINGLES..2 * NUM_SHINGLES));
    for (form, differ_by_more_than) in VerifiableSet::differ_by_more_than_by_kernel() {
        kernel("verify/odd_sketch", form, || {
            black_box(differ_by_more_than(black_box(&a), black_box(&b), usize::MAX));
        });
    }
    for (form, overlap) in overlap_by_kernel() {
        kernel("verify/overlap", form, || {
            black_box(overlap(black_box(&a), black_box(&b), black_box(&[a.len()])));
        });
    }
}

fn passages() {
    let settings = PassageSettings::of(ShingleKind::Word).expect("words have an order");
    let [a, b] = edited(2000, 40);
    let mut aligner = Aligner::new(settings);
    kernel("passages/align", "", || {
        black_box(aligner.align(black_box(&a), black_box(&b)));
    });
    let mut winnower = Winnower::new(settings);
    let mut kept = Vec::new();
    kernel("passages/winnow", "", || {
        kept.clear();
        winnower.keep(black_box(&a), |hash, _| kept.push(hash));
    });
}
