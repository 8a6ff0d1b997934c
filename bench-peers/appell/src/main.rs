//! Measures appell on the models and states of the harness: `appell-bench-peers MODELS FLAT`, a folder of URDF files
//! and one of the same in the harness's own format, which says the order of joints (both by `harness/models.py`).
//!
//! It prints the harness's lines, so that one table can be made of all: `R,model,algorithm,peer,min_ns,median_ns,note` for
//! a time, `C,model,algorithm,peer,numbers…` for an answer that all must agree on. Everything runs on one thread.

mod generated;
mod parallel;
mod report;
mod trees;

use std::path::PathBuf;

fn main() {
    let folder = |k| std::env::args().nth(k).map(PathBuf::from).expect("appell-bench-peers MODELS FLAT");
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
    trees::measure(&folder(1), &folder(2));
    generated::measure();
    parallel::measure();
}
