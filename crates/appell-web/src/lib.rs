//! appell as WebAssembly: a robot on a bench, for pages in a browser. `laboratory/src/contract.ts` says what crosses the border.

mod asked;
pub mod numbers;
pub mod reading;
