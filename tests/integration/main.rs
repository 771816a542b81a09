//! The built program, run on small corpora: stdout, stderr and exit code, always all three.
//!
//! One file a theme. Every test makes a workspace of its own, so that they run in any order and side by side.

#[path = "../office/mod.rs"]
mod office;
mod packing;
#[path = "../random/mod.rs"]
mod random;
mod mail;
mod support;
#[path = "../twin/mod.rs"]
mod twin;

// The output: lines, summary, and that nothing but the corpus decides about them.
mod scan_all_pairs;
mod scan_copies;
mod scan_determinism;
mod scan_output;
mod scan_passages;
// Which documents are compared with which.
mod columns;
mod compare;
mod compare_old;
mod compare_old_index;
mod compare_units;
mod compressed_outputs;
mod groups;
mod clones;
mod matching;
mod matching_flags;
mod matching_groups;
mod matching_saved;
mod scope_twin;
mod templates;
mod times;
// The input: which files and records become documents, under which names, in which order.
mod scan_archives;
mod scan_arrays;
#[cfg(feature = "arrow")]
mod scan_arrow;
mod scan_dialects;
mod scan_documents;
mod scan_documents_hostile;
mod scan_encodings;
mod scan_inputs;
mod scan_lines;
mod scan_links;
mod scan_crawls;
mod scan_formats;
mod scan_mail;
mod scan_office_names;
mod scan_outlook;
mod scan_mail_hostile;
mod scan_lists;
mod scan_packed;
mod scan_pages;
mod common_frame;
#[cfg(feature = "pdf")]
mod scan_pdf;
#[cfg(feature = "parquet")]
mod scan_parquet;
mod scan_records;
mod scan_sources;
mod scan_tables;
mod scan_values;
mod scan_walks;
// What is compared: what a shingle is, and what is folded or left out before.
mod code;
mod code_kept_names;
mod scan_folding;
mod scan_sets;
mod scan_shingles;
mod unclosed_programs;
// The method: flags that choose shingles, signatures and bands.
mod scan_flags;
// What goes wrong, how it is told, and how a run ends.
mod bombs;
mod closed_pipes;
mod ends;
mod exit_codes;
mod filters;
#[cfg(feature = "arrow")]
mod filters_arrow;
mod filters_blocks;
mod filters_refused;
mod flag_names;
mod for_people;
mod out_of_memory;
mod scan_endings;
mod scan_errors;
mod scan_memory;
mod sign;
mod signals;
mod signature_spec;
mod streams;
// Groups of documents, and results that are kept.
mod cluster;
mod cluster_by;
mod cluster_keep;
mod saved;
// The index, which stays.
mod index;
mod index_advice;
mod index_changes;
mod index_containment;
mod index_damage;
mod index_details;
mod index_dictionary;
mod index_faults;
mod index_follow;
mod index_long;
mod index_passages;
mod index_referred;
mod replaced_inputs;
mod index_restored;
mod index_several;
// What other programs and people read of a result, and which of its pairs are new.
mod baseline;
mod check;
mod kept;
mod later_versions;
mod mcp;
mod changes;
mod ci_files;
mod report_one;
mod report_places;
mod reports;
// The corpus without its duplicates.
mod plan;
mod review;
mod review_table;
mod uses_of_documents;
mod unique;
mod unique_archives;
mod unique_choice;
mod unique_converted;
mod unique_cut;
mod unique_cut_refused;
mod unique_cut_suffixes;
mod unique_from;
mod unique_mail;
mod unique_odd;
#[cfg(feature = "parquet")]
mod unique_parquet;
mod unique_places;
mod unique_preserved;
mod unique_times;
mod unique_twin;
mod weights;
// What the run itself writes.
mod own_files;
mod summary_file;
// Two documents explained.
mod explain;
mod explain_nearest;
// The subcommand that explains the method, and the help texts.
mod curve;
mod decontaminate;
mod decontaminate_trial;
mod help;
mod typos;
// The settings of a project, forecasts, and what the program says of itself.
mod config;
mod presets;
mod forecast;
mod manual;
mod pictures;
mod schema;
mod screens;
