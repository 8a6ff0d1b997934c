//! Measures appell on the models and states of the peers' harness: `appell-bench-peers MODELS`, a folder of URDF files.
//!
//! It prints the harness's lines, so that one table can be made of all: `R,model,algorithm,peer,min_ns,median_ns,note` for
//! a time, `C,model,algorithm,peer,numbers…` for an answer that all must agree on. Everything runs on one thread.

mod generated;
mod parallel;
mod report;
mod trees;

use std::path::PathBuf;

fn main() {
    let models = std::env::args().nth(1).map(PathBuf::from).expect("appell-bench-peers MODELS");
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
    trees::measure(&models);
    generated::measure();
    parallel::measure();
}
