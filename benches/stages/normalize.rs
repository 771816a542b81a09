//! Normalisation, in bytes of text: clean prose, prose as it is wrapped and indented in files, and Chinese.
//!
//! Through the public `normalize`, which copies the text once; the pipeline folds it in the buffer it was read into.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use dedup::normalize;

use crate::corpus::{Author, Script};

pub(crate) fn register(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("normalize");
    let prose = Author::new(Script::Ascii, 1).text(64 << 10);
    let wrapped = prose.replace(". ", ".\r\n\t    ").replace("ta ", "ta\n");
    let chinese = Author::new(Script::Chinese, 1).text(64 << 10).replace('。', "。\u{3000}");
    for (name, text) in [("ascii", &prose), ("ascii_wrapped", &wrapped), ("chinese", &chinese)] {
        let expected = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(normalize(text), expected, "{name}");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group
            .bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| b.iter(|| normalize(black_box(text))));
    }
}
