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
    // Start.
    first_steps: "first_steps.md",
    settings: "settings.md",
    // Do.
    copied_passages: "copied_passages.md",
    copied_programs: "copied_programs.md",
    copied_blocks: "copied_blocks.md",
    web_pages: "web_pages.md",
    mail: "mail.md",
    logs: "logs.md",
    records: "records.md",
    groups: "groups.md",
    clean_copy: "clean_copy.md",
    cut_repeats: "cut_repeats.md",
    test_sets: "test_sets.md",
    deletion_script: "deletion_script.md",
    look_up: "look_up.md",
    save_and_report: "save_and_report.md",
    look_at_pairs: "look_at_pairs.md",
    check_results: "check_results.md",
    ci: "ci.md",
    // Look up.
    inputs: "inputs.md",
    texts: "texts.md",
    two_sets: "two_sets.md",
    output: "output.md",
    config: "config.md",
    flags: "flags.md",
    definitions: "definitions.md",
    safety: "safety.md",
    compatibility: "compatibility.md",
    // Background.
    method: "method.md",
    before_and_after: "before_and_after.md",
    speed: "speed.md",
    inside_index: "inside_index.md",
    signature: "signature.md",
    spark: "spark.md",
}
