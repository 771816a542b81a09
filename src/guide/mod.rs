#![doc = include_str!("links.md")]
#![doc = include_str!("README.md")]
// A page is a file that links to other files, as a reader of files needs it. `links.md` stands before each page, and of two
// definitions of one link Markdown takes the first, so that in rustdoc the same links lead to modules.

macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {$(
        #[doc = include_str!("links.md")]
        #[doc = include_str!($file)]
        pub mod $page {}
    )*};
}

pages! {
    inputs: "inputs.md",
    texts: "texts.md",
    two_sets: "two_sets.md",
    choosing: "choosing.md",
    output: "output.md",
    clusters: "clusters.md",
    results: "results.md",
    reports: "reports.md",
    unique: "unique.md",
    index: "index.md",
    passages: "passages.md",
    matching: "matching.md",
    code: "code.md",
    explain: "explain.md",
    signature: "signature.md",
    spark: "spark.md",
    review: "review.md",
    ci: "ci.md",
    config: "config.md",
    safety: "safety.md",
    flags: "flags.md",
    definitions: "definitions.md",
    method: "method.md",
    before_and_after: "before_and_after.md",
    speed: "speed.md",
}
