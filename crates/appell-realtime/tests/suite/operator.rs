//! Commands, points, the desk and its socket.

use appell::Robot;
use appell::sample::Sampler;
use appell_realtime::operator::{
    COMMANDS, Client, ClientError, Command, Console, Desk, Facts, Fault, Order, Points, PointsError, Request, Server,
    ServerError, Status, desk, socket_of,
};
use appell_realtime::timing::Timed;
use appell_simulation::control::operated::{self, Mode, Operated, Pace, Positions, Refusal};
use appell_simulation::trajectory::JointReference;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

const PERIOD: f64 = 1e-3;

fn robot() -> Robot {
    let robot = Robot::builtin("puma560").unwrap();
    let mut description = robot.description().unwrap().clone();
    for joint in &mut description.joints {
        (joint.limits.lower, joint.limits.upper) = (-2.0, 2.0);
    }
    Robot::new(description).unwrap()
}

const START: [f64; 6] = [0.1, -0.8, 0.3, 0.2, 0.6, 0.0];

/// A controller whose drives are where they shall be, in periods that nobody waits for.
struct Control {
    console: Console,
    operated: Operated<'static>,
    reference: Box<dyn JointReference>,
    k: u32,
    q: [f64; 6],
    v: [f64; 6],
    a: [f64; 6],
}

impl Control {
    fn new() -> (Self, Desk) {
        let robot = robot();
        let operated = Operated::new(&robot, &START, &Pace::default()).unwrap();
        let (console, desk) = desk(Facts::of(&robot, &operated, PERIOD), 5);
        let reference = operated.reference();
        (Self { console, operated, reference, k: 0, q: START, v: [0.0; 6], a: [0.0; 6] }, desk)
    }

    fn period(&mut self) -> Option<Request> {
        let request = self.console.obey(&self.operated);
        if request == Some(Request::Reset) {
            self.operated.restart(&self.q).unwrap();
            self.console.set_stopped(false);
        }
        let t = f64::from(self.k) * PERIOD;
        self.reference.at(t, &mut self.q, &mut self.v, &mut self.a).unwrap();
        if let Some(status) = self.console.status() {
            status.t = t;
            status.fault = if status.stopped { Fault::new(7, "emergency stop") } else { Fault::default() };
            status.set_drives(&self.q, &self.v, &[1.0; 6], &self.q);
            self.console.show(&self.operated);
        }
        self.k += 1;
        request
    }
}

/// A controller in a thread of its own, served in a folder.
struct Served {
    folder: tempfile::TempDir,
    server: Option<Server>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        let ends = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&ends);
        // What an operator moves belongs to one thread.
        let thread = std::thread::spawn(move || {
            let (mut control, desk) = Control::new();
            sender.send(desk).unwrap();
            while !over.load(Ordering::Relaxed) && control.period() != Some(Request::Quit) {
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        let desk = receiver.recv().unwrap();
        let server = Server::start(desk, &folder.path().join("socket"), &folder.path().join("points.toml")).unwrap();
        let served = Self { folder, server: Some(server), ends, thread: Some(thread) };
        while served.client().ask("status").is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
        served
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    fn client(&self) -> Client {
        Client::connect(&self.socket()).unwrap()
    }

    fn settle(&self, client: &mut Client) -> serde_json::Value {
        let mut first = None; // the last status may be older than what was commanded
        for _ in 0..2000 {
            let status: serde_json::Value = serde_json::from_str(&client.ask("status").unwrap()).unwrap();
            let periods = status["periods"].as_u64().unwrap();
            if status["mode"] == "holding" && periods > *first.get_or_insert(periods) {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it comes to rest");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        drop(self.server.take());
    }
}

fn wrong(answer: Result<String, ClientError>) -> String {
    match answer {
        Err(ClientError::Answer(wrong)) => wrong,
        other => panic!("{other:?}"),
    }
}

#[test]
fn commands_are_written_as_they_are_read() {
    let mut sampler = Sampler::new(1);
    let name = |sampler: &mut Sampler| -> String {
        let letters = b"abcXYZ019-_";
        let rest =
            (0..sampler.below(12)).map(|_| char::from(letters[sampler.below(letters.len())])).collect::<String>();
        format!("p{rest}")
    };
    for _ in 0..2000 {
        let speed = sampler.within(1.0) * 10_f64.powi(sampler.below(12) as i32 - 6);
        let command = match sampler.below(17) {
            0 => Command::Home,
            1 => Command::Hold,
            2 => Command::Jog { drive: name(&mut sampler), speed },
            3 => Command::JogFreedom { freedom: "vx".into(), speed },
            4 => Command::GoToPoint { name: name(&mut sampler) },
            5 => Command::GoToPositions { positions: (0..1 + sampler.below(8)).map(|_| sampler.within(3.0)).collect() },
            6 => Command::Follow,
            7 => Command::Stop,
            8 => Command::Reset,
            9 => Command::Teach { name: name(&mut sampler) },
            10 => Command::Forget { name: name(&mut sampler) },
            11 => Command::Points,
            12 => Command::Status,
            13 => Command::Facts,
            14 => Command::Help,
            15 => Command::Timings,
            _ => Command::Quit,
        };
        let line = command.to_string();
        assert_eq!(line.parse::<Command>().as_ref(), Ok(&command), "{line}");
        assert!(COMMANDS.iter().any(|(how, _)| how.split(' ').next() == line.split(' ').next()), "{line}");
    }
}

#[test]
fn lines_that_are_no_commands_are_refused_by_name() {
    for (line, expected) in [
        ("", "an empty line; expected a command: home, hold, jog,"),
        ("dance", "unknown command `dance`; expected one of home, hold, jog,"),
        ("HOME", "unknown command `HOME`"),
        ("home now", "`home` has 1 word after it; expected `home`"),
        ("jog waist", "`jog` has 1 word after it; expected `jog DRIVE SPEED`"),
        ("jog waist fast", "`fast` is not a finite number; expected a speed, rad/s or m/s"),
        ("jog waist NaN", "`NaN` is not a finite number"),
        ("jog waist inf", "`inf` is not a finite number"),
        ("go 1 2 x", "`x` is not a finite number; expected positions of all drives"),
        ("go", "`go` has 0 words after it; expected `go POINT`"),
        ("teach 1st", "`1st` cannot name a point"),
        ("teach ../../etc", "`../../etc` cannot name a point"),
        ("go a.b", "`a.b` cannot name a point"),
        ("\u{1b}[2J", "unknown command `?[2J`"),
    ] {
        let error = line.parse::<Command>().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{line:?}: {error}");
    }
}

/// Any bytes are answered or refused, and never more than a line.
#[test]
fn random_lines_do_no_harm() {
    let mut sampler = Sampler::new(2);
    let words = ["jog", "go", "teach", "1", "-1e999", "waist", "\u{0}", "é", "home", "{}", "\"", "0x10", "…"];
    for _ in 0..5000 {
        let line: Vec<&str> = (0..sampler.below(6)).map(|_| words[sampler.below(words.len())]).collect();
        if let Err(error) = line.join(" ").parse::<Command>() {
            assert!(!error.to_string().contains(['\n', '\0', '\u{1b}']), "{error}");
        }
    }
}

#[test]
fn points_are_kept_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.toml");
    let drives = ["waist", "leg 1.\"arm\""].map(str::to_owned);
    let points = Points::open(&path, &drives).unwrap();
    assert!(!path.exists() && points.all().unwrap().is_empty());
    points.teach("above", &[0.1, -1e-300]).unwrap();
    points.teach("below", &[f64::MAX, 0.0]).unwrap();
    points.teach("above", &[0.2, 1.0 / 3.0]).unwrap();
    let all = [("above", [0.2, 1.0 / 3.0]), ("below", [f64::MAX, 0.0])];
    assert_eq!(points.all().unwrap(), all.map(|(name, positions)| (name.to_owned(), positions.to_vec())));
    assert_eq!(points.get("above").unwrap(), [0.2, 1.0 / 3.0]);
    let error = points.get("nowhere").unwrap_err().to_string();
    assert_eq!(error, "there is no point `nowhere`; there are above, below");
    points.forget("below").unwrap();
    assert!(points.forget("below").is_err());
    assert_eq!(Points::open(&path, &drives).unwrap().all().unwrap().len(), 1);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["points.toml"], "no neighbour stays");
}

/// What somebody writes into the file while it is in use stays, and what cannot be read is not written over.
#[test]
fn points_of_somebody_else_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.toml");
    let points = Points::open(&path, &["a".to_owned()]).unwrap();
    points.teach("first", &[1.0]).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("1.0", "1.5") + "\n[points.theirs]\na = 7\n").unwrap();
    points.teach("mine", &[2.0]).unwrap();
    assert_eq!((points.get("first").unwrap(), points.get("theirs").unwrap()), (vec![1.5], vec![7.0]));
    fs::write(&path, "[points.broken").unwrap();
    for error in
        [points.teach("more", &[3.0]).unwrap_err(), points.forget("mine").unwrap_err(), points.get("mine").unwrap_err()]
    {
        assert!(matches!(error, PointsError::Malformed { .. }), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "[points.broken");
    fs::remove_file(&path).unwrap();
    points.teach("again", &[4.0]).unwrap();
    assert_eq!(points.all().unwrap(), [("again".to_owned(), vec![4.0])], "somebody has removed the others");
}

#[test]
fn a_file_that_cannot_be_written_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone").join("points.toml");
    let points = Points::open(&path, &["a".to_owned()]).unwrap();
    assert!(matches!(points.teach("x", &[0.0]), Err(PointsError::Unwritten { .. })));
    assert!(points.all().unwrap().is_empty());
}

#[test]
fn files_that_are_no_points_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.toml");
    for (text, expected) in [
        ("x = 1", "expected [points.NAME]"),
        ("[points.a]\nb = 1", "unknown drive `b`; expected a"),
        ("[points.a]\n", "points.a.a: expected a position"),
        ("[points.a]\na = \"1\"", "points.a.a: expected a position"),
        ("[points.a]\na = nan", "points.a.a: expected a position"),
        ("[points.\"a b\"]\na = 1", "cannot name a point"),
        ("[points", "is not a file of points"),
        ("[points]\na = 1", "points.a; expected a position of every drive"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Points::open(&path, &["a".to_owned()]).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    // A device would be read for ever.
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let error = Points::open(&path, &["a".to_owned()]).unwrap_err().to_string();
    assert!(error.ends_with("is not a file of points: it is no file"), "{error}");
}

#[test]
fn the_control_thread_allocates_nothing() {
    let (mut control, mut desk) = Control::new();
    let positions = Positions::of(&[0.2, START[1], START[2], START[3], START[4], START[5]]);
    control.period();
    let info = allocation_counter::measure(|| {
        for k in 0..4000 {
            if k % 10 == 0 {
                let order = match (k / 10) % 6 {
                    0 => operated::Order::Hold,
                    1 => operated::Order::Jog { drive: 1, speed: 0.2 },
                    2 => operated::Order::GoTo(positions),
                    3 => operated::Order::JogFreedom { freedom: 2, speed: 0.05 },
                    4 => operated::Order::Follow, // refused: there is nothing to follow
                    _ => operated::Order::Home,
                };
                desk.order(Order::Move(order));
                if k == 2000 {
                    desk.stop();
                }
            }
            control.period();
            desk.status();
            while desk.answer().is_some() {}
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn a_stop_goes_before_all_that_waits_and_stays() {
    let (mut control, mut desk) = Control::new();
    let jog = Order::Move(operated::Order::Jog { drive: 0, speed: 0.5 });
    while desk.order(jog).is_some() {}
    desk.stop();
    assert_eq!(control.period(), Some(Request::Stop), "although the ring is full");
    for _ in 0..100 {
        assert_eq!(control.period(), None);
    }
    assert_eq!((control.q, control.operated.mode()), (START, Mode::Holding));
    let mut refused = 0;
    while let Some((_, answer)) = desk.answer() {
        assert_eq!(answer, Err(Refusal::Stopped));
        refused += 1;
    }
    assert_eq!(refused, 32);
    assert!(desk.status().unwrap().stopped);
    desk.order(Order::Reset).unwrap();
    assert_eq!(control.period(), Some(Request::Reset));
    desk.order(jog).unwrap();
    for _ in 0..50 {
        control.period();
    }
    assert!(control.q[0] > START[0]);
    // A desk that nobody reads takes nothing from the control thread.
    for _ in 0..10_000 {
        control.period();
    }
}

/// What the reference is given is known period by period: with it a run can be given again. The first is known of every operated run.
#[test]
fn what_is_ordered_is_known_with_its_period() {
    let (mut control, mut desk) = Control::new();
    let hold = operated::Order::Hold;
    let jog = operated::Order::Jog { drive: 0, speed: 0.5 };
    control.period();
    assert_eq!(control.console.given(), Some(&hold));
    for order in [jog, operated::Order::Follow] {
        desk.order(Order::Move(order)).unwrap();
    }
    for expected in [Some(&jog), Some(&operated::Order::Follow), None] {
        control.period();
        assert_eq!(control.console.given(), expected, "one in a period, also one that is refused");
    }
    desk.order(Order::Move(jog)).unwrap();
    desk.stop();
    control.period();
    assert_eq!(control.console.given(), Some(&hold));
    control.period();
    assert_eq!(control.console.given(), None, "a stopped robot has not heard of it");
}

#[test]
fn texts_of_faults_have_a_fixed_size() {
    assert_eq!(Fault::new(3, "é").text(), "é");
    let long = "é".repeat(100);
    let fault = Fault::new(3, &long);
    assert!(long.starts_with(fault.text()) && fault.text().len() == 120);
    assert!(size_of::<Status>() < 4096);
}

#[test]
fn a_script_moves_a_robot_over_the_socket() {
    let served = Served::start();
    let mut client = served.client();
    let facts: serde_json::Value = serde_json::from_str(&client.ask("facts").unwrap()).unwrap();
    assert_eq!(
        (facts["robot"].as_str(), facts["drives"][0]["upper"].as_f64()),
        (Some("PUMA 560"), Some(2.0)),
        "{facts}"
    );
    assert!(client.ask("help").unwrap().starts_with("home; hold; jog DRIVE SPEED;"));
    client.ask("go 0.2 -0.7 0.3 0.2 0.6 0.1").unwrap();
    served.settle(&mut client);
    assert_eq!(client.ask("teach there").unwrap(), "taught there");
    client.ask("home").unwrap();
    let status = served.settle(&mut client);
    assert_eq!(status["drives"][0]["position"], 0.1);
    client.ask("go there").unwrap();
    let status = served.settle(&mut client);
    assert_eq!(status["drives"][5]["wanted"], 0.1);
    assert_eq!(status["drives"][5]["error"], 0.0);
    client.ask("jog waist 0.1").unwrap();
    client.ask("jog 2 0.1").unwrap();
    client.ask("jog-freedom vz 0.02").unwrap();
    client.ask("hold").unwrap();
    served.settle(&mut client);
    let points: serde_json::Value = serde_json::from_str(&client.ask("points").unwrap()).unwrap();
    assert_eq!(points["there"][1], -0.7);
    for (line, expected) in [
        ("go 0 0", "2 positions; expected 6: waist, shoulder,"),
        ("go 3 0 0 0 0 0", "`waist` would go to 3, beyond its limit 2"),
        ("go 0 0 0 0 0 -1e300", "`wrist-yaw` would go to -1e300; expected at most 1000000 rad or m"),
        ("go nowhere", "there is no point `nowhere`; there are there"),
        ("jog hip 1", "unknown drive `hip`; expected waist, shoulder,"),
        ("jog 0 1", "unknown drive `0`"),
        ("jog-freedom up 1", "unknown degree of freedom `up`; expected vx, vy,"),
        ("follow", "there is no trajectory to follow"),
    ] {
        let error = wrong(client.ask(line));
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    assert_eq!(client.ask("stop").unwrap(), "stopping");
    while !client.ask("status").unwrap().contains("\"stopped\":true") {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(wrong(client.ask("home")), "the robot is stopped; reset first");
    assert!(client.ask("status").unwrap().contains("\"fault\":{\"code\":7,\"text\":\"emergency stop\"}"));
    client.ask("reset").unwrap();
    client.ask("home").unwrap();
}

/// Timings are taken down by another thread than the one that controls.
#[test]
fn timings_are_answered_with_their_histograms() {
    let (mut control, desk) = Control::new();
    control.period();
    let live = desk.live().clone();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(desk, &folder.path().join("socket"), &folder.path().join("points.toml")).unwrap();
    let mut client = Client::connect(server.path()).unwrap();
    let mut timings = || serde_json::from_str::<serde_json::Value>(&client.ask("timings").unwrap()).unwrap();
    assert_eq!(timings()["step"]["count"], 0);
    for k in 1..=1000 {
        live.take(&Timed {
            wake_up: Some(1000 * k),
            step: 300,
            round_trip: None,
            lost: None,
            missed: 2,
            without_sensors: 1,
        });
    }
    let answer = timings();
    assert_eq!(
        (&answer["wake_up"]["count"], &answer["round_trip"]["count"], &answer["missed"]),
        (&1000.into(), &0.into(), &2.into())
    );
    assert!((answer["wake_up"]["median"].as_f64().unwrap() / 500e-6 - 1.0).abs() < 0.01, "{answer}");
    let steps = answer["wake_up"]["histogram"].as_array().unwrap().iter();
    assert_eq!(steps.map(|step| step[1].as_u64().unwrap()).sum::<u64>(), 1000);
}

#[test]
fn the_socket_is_the_users_own() {
    let served = Served::start();
    let mode = fs::metadata(served.socket()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let path = served.socket();
    drop(served);
    assert!(!path.exists(), "it goes with its server");
    assert!(matches!(Client::connect(&path), Err(ClientError::NotRunning { is_there: false, .. })));
    let trial = tempfile::NamedTempFile::new().unwrap();
    let place = socket_of(trial.path()).unwrap();
    let folder = fs::metadata(place.parent().unwrap()).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    assert!(place.as_os_str().len() < 108 && place == socket_of(trial.path()).unwrap());
}

#[test]
fn what_a_dead_controller_left_is_replaced_and_a_living_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, points) = (folder.path().join("socket"), folder.path().join("points.toml"));
    drop(UnixListener::bind(&socket).unwrap()); // as one that was killed
    assert!(matches!(Client::connect(&socket), Err(ClientError::NotRunning { is_there: true, .. })));
    let (_one, desk) = Control::new();
    let server = Server::start(desk, &socket, &points).unwrap();
    let (_other, desk) = Control::new();
    assert!(matches!(Server::start(desk, &socket, &points), Err(ServerError::Taken { .. })));
    assert!(Client::connect(&socket).is_ok(), "the first still serves");
    drop(server);
    fs::write(&socket, "text").unwrap();
    let (_third, desk) = Control::new();
    assert!(matches!(Server::start(desk, &socket, &points), Err(ServerError::NotASocket { .. })));
    assert_eq!(fs::read_to_string(&socket).unwrap(), "text");
}

#[test]
fn a_controller_that_hangs_or_ends_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let (control, desk) = Control::new();
    let _server = Server::start(desk, &socket, &folder.path().join("points.toml")).unwrap();
    let mut client = Client::connect(&socket).unwrap();
    assert_eq!(wrong(client.ask("status")), "the controller has not shown anything yet");
    assert_eq!(wrong(client.ask("teach here")), "the controller has not shown anything yet");
    assert_eq!(wrong(client.ask("home")), "the controller does not answer");
    drop(control);
    assert_eq!(wrong(client.ask("home")), "the controller does not answer");
}

fn raw(served: &Served) -> UnixStream {
    let stream = UnixStream::connect(served.socket()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream
}

#[test]
fn floods_and_silence_hurt_nobody() {
    let served = Served::start();
    let mut client = served.client();
    // One that writes without reading, one without ends of lines, one of no text, one that only stays.
    let flood = raw(&served);
    flood.set_nonblocking(true).unwrap();
    let line = "status\n".repeat(1000);
    for _ in 0..50 {
        let _ = (&flood).write(line.as_bytes());
        assert!(client.ask("status").is_ok());
    }
    let mut endless = raw(&served);
    let _ = endless.write_all(&[b'x'; 20_000]);
    let mut answer = String::new();
    let _ = BufReader::new(&endless).read_line(&mut answer);
    assert_eq!(answer, "error: a line of more than 4096 bytes\n");
    let mut binary = raw(&served);
    binary.write_all(&[0xff, 0xfe, b'\n']).unwrap();
    let mut answer = String::new();
    BufReader::new(&binary).read_line(&mut answer).unwrap();
    assert_eq!(answer, "error: the line is not UTF-8\n");
    let _silent = raw(&served);
    assert!(client.ask("hold").is_ok());
    // More than there is room for are told so, and who was there is still heard.
    let all: Vec<UnixStream> = (0..20).map(|_| raw(&served)).collect();
    let mut refused = 0;
    for mut stream in all {
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        refused += usize::from(text == "error: too many clients; close one\n");
    }
    assert!(refused >= 12, "{refused}");
    assert!(client.ask("status").is_ok());
}

/// One who asks for much and hangs up half gets all answers.
#[test]
fn lines_of_a_pipe_are_all_answered() {
    let served = Served::start();
    let mut stream = raw(&served);
    stream.write_all("hold\n".repeat(30).as_bytes()).unwrap();
    stream.write_all(b"points\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text, "ok\n".repeat(30) + "{}\n");
}

#[test]
fn a_folder_that_is_not_there_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (_control, desk) = Control::new();
    let nowhere = folder.path().join("gone").join("socket");
    assert!(matches!(Server::start(desk, &nowhere, &folder.path().join("p.toml")), Err(ServerError::Socket { .. })));
}

/// Where the tests run as root, another user knocks at a socket whose permissions somebody has opened.
#[test]
fn other_users_are_not_heard() {
    use std::os::unix::process::CommandExt;
    if let Some(socket) = std::env::var_os("APPELL_TEST_SOCKET") {
        // This is the other user.
        let mut stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let _ = stream.write_all(b"points\n");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        println!("heard <{text}>");
        return;
    }
    let served = Served::start();
    for path in [served.folder.path(), &served.socket()] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let knock = |user: Option<u32>| {
        let mut other = std::process::Command::new(std::env::current_exe().unwrap());
        other.args(["--exact", "operator::other_users_are_not_heard", "--nocapture"]).current_dir("/");
        other.env("APPELL_TEST_SOCKET", served.socket());
        if let Some(user) = user {
            other.uid(user).gid(user);
        }
        // Without the rights, or the file, there is nothing to be seen here.
        other.output().ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert!(knock(None).is_some_and(|heard| heard.contains("heard <{}\n>")), "the same user is heard");
    if let Some(heard) = knock(Some(65534)).filter(|heard| heard.contains("heard <")) {
        assert!(heard.contains("heard <>"), "{heard}");
        println!("seen");
    }
}
