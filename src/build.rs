//! Tells the program which level of optimisation it is built with, since only a build script knows that.

fn main() {
    let level = std::env::var("OPT_LEVEL").expect("cargo sets it");
    println!("cargo:rerun-if-changed=src/build.rs");
    println!("cargo:rustc-env=DEDUP_OPT_LEVEL={level}");
}
