//! Small models, and what is wrong with them.
