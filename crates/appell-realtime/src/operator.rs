//! What a person wants of a running controller.
