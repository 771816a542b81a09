//! The benchmarks: one module for each stage, and one for everything from files to pairs.
//!
//! Every module checks the result of the measured code once, before the clock starts. The data comes from `corpus` and
//! is seeded, so two runs measure the same work. Run one stage with `cargo bench --bench stages -- signature`, and
//! check that everything still runs with `cargo bench --bench stages -- --test`. With `--counts` it runs the kernels
//! whose instructions are counted, see `counts`.

mod banding;
mod corpus;
mod counts;
mod crowd;
mod end_to_end;
mod input;
mod matching;
mod normalize;
mod output;
mod passages;
mod read;
mod shingle;
mod signature;
mod verify;

use criterion::Criterion;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--counts") {
        return counts::run();
    }
    let mut criterion = Criterion::default().configure_from_args();
    let stages = [
        read::register,
        input::register,
        normalize::register,
        shingle::register,
        signature::register,
        banding::register,
        verify::register,
        crowd::register,
        passages::register,
        matching::register,
        output::register,
        end_to_end::register,
    ];
    for register in stages {
        register(&mut criterion);
    }
    criterion.final_summary();
}
