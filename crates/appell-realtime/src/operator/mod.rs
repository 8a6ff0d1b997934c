//! What a person wants of a running controller.
//!
//! ```text
//! page, scripts ──lines──► Server ──Order──► Console ──► Operated, the reference of the law
//!                  socket  (thread) ◄─Status─ (control thread)
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `command` | [`Command`]: one line of text each, read and written |
//! | `facts` | [`Facts`]: what does not change while a robot is operated: names, units, limits |
//! | `status` | [`Status`]: what a robot does at an instant, of a fixed size |
//! | `desk` | [`desk()`]: the two ends, [`Console`] for the control thread and [`Desk`] for the other |
//! | `points` | [`Points`]: taught points, in a file that is never half-written |
//! | `clerk` | what a line is answered |
//! | `place` | where the socket of a trial is |
//! | `server` | [`Server`]: the socket, on a thread of its own |
//! | `client` | [`Client`]: asks it |
//!
//! The control thread neither waits nor allocates: orders are of a fixed size, with points resolved to positions before they
//! enter its ring, and what it shows is dropped where nobody takes it. Each period it does this:
//!
//! ```
//! use appell::Robot;
//! use appell_realtime::operator::{Facts, Request, desk};
//! use appell_simulation::control::operated::{Operated, Pace};
//!
//! let robot = Robot::builtin("scara").unwrap();
//! let operated = Operated::new(&robot, &[0.0; 4], &Pace::default())?;
//! let mut reference = operated.reference(); // of the law
//! let (mut console, desk) = desk(Facts::of(&robot, &operated, 1e-3), 20);
//! // `Server::start(desk, …)` on the other side; then every period:
//! let [mut q, mut v, mut a] = [[0.0; 4]; 3];
//! for k in 0..100 {
//!     match console.obey(&operated) {
//!         Some(Request::Stop) => {}  // emergency stop: brakes
//!         Some(Request::Reset) => {} // after a fault: operated.restart(measured)
//!         Some(Request::Quit) => break,
//!         None => {}
//!     }
//!     reference.at(f64::from(k) * 1e-3, &mut q, &mut v, &mut a)?; // the law does
//!     if let Some(status) = console.status() {
//!         status.t = f64::from(k) * 1e-3;
//!         status.load = 0.1;
//!         status.set_drives(&q, &v, &[0.0; 4], &q); // measured positions and speeds, torques, wanted positions
//!         console.show(&operated);
//!     }
//! }
//! # drop(desk);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod facts;
mod status;
mod desk;
mod points;
mod clerk;
mod place;
mod server;
mod client;

pub use client::{Client, ClientError};
pub use command::{COMMANDS, Command, CommandError};
pub use desk::{Console, Desk, Order, Request, desk};
pub use facts::Facts;
pub use place::{PlaceError, socket_of};
pub use points::{Points, PointsError};
pub use server::{Server, ServerError};
pub use status::{Fault, Status};
