//! Passes the optimisation level of the build to the program, since only a build script knows it.

fn main() {
    let level = std::env::var("OPT_LEVEL").expect("cargo sets it");
    println!("cargo:rerun-if-changed=src/build.rs");
    println!("cargo:rustc-env=DEDUP_OPT_LEVEL={level}");
}
