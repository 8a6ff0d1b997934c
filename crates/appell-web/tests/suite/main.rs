//! What the page asks of the library, on this machine.
