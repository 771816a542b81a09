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
    shingles: "shingles.md",
    sides_groups_templates: "sides_groups_templates.md",
    choosing: "choosing.md",
    exhaustive: "exhaustive.md",
    weights: "weights.md",
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
    families: "families.md",
    review: "review.md",
    ci: "ci.md",
    config: "config.md",
    safety: "safety.md",
    forecast: "forecast.md",
    program: "program.md",
    flags: "flags.md",
    release: "release.md",
    memory: "memory.md",
    speed: "speed.md",
    method: "method.md",
    definitions: "definitions.md",
    architecture: "architecture.md",
}
