//! A controller without a robot: its drives are where they shall be. For looking at the operator's page:
//!
//! ```text
//! cargo run -p appell-realtime --example desk -- puma560 /tmp/desk.sock /tmp/points.toml
//! appell operate /tmp/desk.sock
//! ```

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use appell::Robot;
    use appell_realtime::operator::{Facts, Fault, Request, Server, desk};
    use appell_simulation::control::operated::{Operated, Pace};
    use appell_simulation::trajectory::{Ramp, Shape, TimeLaw};
    use std::time::{Duration, Instant};

    let mut words = std::env::args().skip(1);
    let mut next = |what: &str| words.next().ok_or(format!("usage: desk ROBOT SOCKET POINTS; {what} is missing"));
    let (name, socket, points) = (next("ROBOT")?, next("SOCKET")?, next("POINTS")?);
    let robot = Robot::builtin(&name)?;
    let start: Vec<f64> = match robot.closed() {
        Some(closed) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
        None => (0..robot.drives().len()).map(|j| 0.4 * (j as f64 + 1.0).sin()).collect(),
    };
    let there: Vec<f64> = start.iter().map(|q| q + 0.05).collect();
    let ramp = Ramp::new(&start, &there, TimeLaw::new(Shape::Quintic, 4.0)?)?;
    let operated = Operated::new(&robot, &start, &Pace::default())?.with_trajectory(Box::new(ramp))?;
    let (period, n) = (Duration::from_millis(1), start.len());
    let (mut console, desk) = desk(Facts::of(&robot, &operated, period.as_secs_f64()), 20);
    let server = Server::start(desk, socket.as_ref(), points.as_ref())?;
    println!("serves {}", server.path().display());
    let mut reference = operated.reference();
    let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; n]);
    let (begin, mut k, mut load) = (Instant::now(), 0_u32, 0.0_f64);
    loop {
        let woken = Instant::now();
        match console.obey(&operated) {
            Some(Request::Quit) => return Ok(()),
            Some(Request::Reset) => {
                let _ = operated.restart(&q);
                console.set_stopped(false);
            }
            Some(Request::Stop) | None => {}
        }
        let t = f64::from(k) * period.as_secs_f64();
        reference.at(t, &mut q, &mut v, &mut a)?;
        load = load.max(woken.elapsed().as_secs_f64() / period.as_secs_f64());
        if let Some(status) = console.status() {
            let effort: Vec<f64> = a.iter().map(|a| 5.0 + 10.0 * a).collect();
            (status.t, status.load) = (t, load);
            status.fault = if status.stopped { Fault::new(1, "emergency stop") } else { Fault::default() };
            status.set_drives(&q, &v, &effort, &q);
            console.show(&operated);
            load = 0.0;
        }
        k += 1;
        std::thread::sleep((begin + period * k).saturating_duration_since(Instant::now()));
    }
}

#[cfg(not(unix))]
fn main() {}
