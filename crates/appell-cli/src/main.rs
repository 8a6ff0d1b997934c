//! The program `appell`.
fn main() {}
