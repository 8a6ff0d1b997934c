//! Benchmarks of appell.
