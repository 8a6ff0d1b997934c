//! Recordings of robots for `appell identify`: simulated, changed, and of a measured robot.

use super::{Folder, Run, appell, appell_with, compute, numbers, repository, shared};
use appell_identification::signals::{Decimation, LowPass};
use std::fs;

/// The PUMA with friction, rotors and heavier bodies: the true one, where the built-in is the first idea of it.
pub(crate) fn true_puma() -> String {
    let puma = appell::robots::find("puma560").unwrap().toml;
    let mut text = puma.replace("mass = 8.767", "mass = 9.5").replace("3.3768", "3.5");
    for (k, joint) in ["waist", "shoulder", "elbow", "wrist-roll", "wrist-pitch", "wrist-yaw"].iter().enumerate() {
        let (viscous, coulomb, rotor) = (4.0 - 0.5 * k as f64, 5.0 - 0.7 * k as f64, 1e-4 / (1.0 + k as f64));
        text += &format!(
            "\n[joint.{joint}]\nfriction = {{ viscous = {viscous}, coulomb = {coulomb}, smoothing = 0.05, offset = 0.3 }}\n\
             rotor = {{ inertia = {rotor}, gear = 60.0 }}\n"
        );
    }
    text
}

impl Folder {
    /// With the true robot, and what a recorder would write of two of its motions: run.csv and other.csv.
    pub(crate) fn recorded() -> Self {
        let folder = Self::new();
        let robot = folder.write("true.toml", true_puma());
        for (name, seed) in [("run.csv", 3), ("other.csv", 4)] {
            folder.fourier(name, &robot, &format!("{PUMA_MOTION} --seed {seed}"));
        }
        folder
    }

    /// A file of what was identified.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        self.text(&format!("out/{name}"))
    }

    /// Runs the command; words that are names of files in the folder become paths.
    pub(crate) fn identify(&self, command: &str) -> Run {
        let path = |word: &str| if self.path(word).is_file() { self.shown(word) } else { word.to_owned() };
        let words = command.split_whitespace().map(path).chain(["--out".into(), self.shown("out")]);
        let words: Vec<String> = ["identify".to_owned()].into_iter().chain(words).collect();
        appell_with(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
    }

    /// Asserts that it is refused with a message of these parts.
    #[track_caller]
    pub(crate) fn refuses(&self, command: &str, parts: &[&str]) {
        self.identify(command).refused_with(parts);
    }

    /// Writes a motion of a robot with its efforts.
    pub(crate) fn fourier(&self, name: &str, robot: &str, options: &str) {
        appell(&format!("trajectory fourier {robot} {options} --torques --out {}", self.shown(name))).done();
    }

    /// Writes run.csv with other numbers: of a column's name, a row and a number. `None` leaves a column out.
    pub(crate) fn change<N: Into<Option<f64>>>(&self, name: &str, mut change: impl FnMut(&str, usize, f64) -> N) {
        let table = self.text("run.csv");
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        let mut kept = vec![true; header.len()];
        let mut row = |(k, line): (usize, &str)| {
            let numbers = line.split(',').zip(&header).zip(&mut kept).filter_map(|((cell, name), kept)| {
                let number: Option<f64> = change(name, k, cell.parse().unwrap()).into();
                *kept = number.is_some();
                number.map(|number| number.to_string())
            });
            numbers.collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = lines.enumerate().map(&mut row).collect();
        let header: Vec<&str> = header.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(name, _)| *name).collect();
        self.write(name, header.join(",") + "\n" + &rows.join("\n"));
    }

    /// Writes a layout of the program's own tables without velocities, and more lines.
    pub(crate) fn layout(&self, joints: usize, time: &str, more: &str) {
        let [q, tau] = ["q", "tau"].map(|symbol| names(symbol, joints));
        self.write("layout.toml", format!("{time}\nposition.columns = [{q}]\neffort.columns = [{tau}]\n{more}\n"));
    }
}

/// A motion of the PUMA for [`Folder::fourier`].
pub(crate) const PUMA_MOTION: &str = "--harmonics 5 --amplitude 0.5 --frequency 0.2 --periods 2 --dt 0.005";

/// Columns of joints, in quotes.
pub(crate) fn names(symbol: &str, joints: usize) -> String {
    (1..=joints).map(|k| format!("'{symbol}{k}'")).collect::<Vec<_>>().join(", ")
}

/// The largest relative error of a joint's torques along other.csv, of a robot in the folder against the true one.
pub(crate) fn torque_error(folder: &Folder, robot: &str) -> f64 {
    let table = folder.text("other.csv");
    let of = |robot: &str| numbers(&compute(&format!("inverse-dynamics {}", folder.shown(robot)), &table).done());
    let (real, found) = (of("true.toml"), of(robot));
    let error = |joint: usize| {
        let squares = |of: &dyn Fn(usize) -> f64| (0..real.len()).map(|k| of(k).powi(2)).sum::<f64>();
        let column = real[0].len() - 6 + joint;
        (squares(&|k| found[k][column] - real[k][column]) / squares(&|k| real[k][column])).sqrt()
    };
    (0..6).map(error).fold(0.0, f64::max)
}

/// Writes robot, layout and published recording of the TX40 (decimated to 1 kHz) to a folder, as staubli-tx40.toml, layout.toml and
/// motors.csv; false where this machine does not have the recording, which is data of others.
pub(crate) fn write_tx40(folder: &Folder) -> bool {
    let Some(data) = shared("tx40") else { return false };
    for file in ["staubli-tx40.toml", "layout.toml"] {
        let own = repository(&format!("crates/appell-cli/src/commands/reproduce/tx40/{file}"));
        fs::copy(own, folder.path(file)).unwrap();
    }
    let filter = LowPass::new(8, 400.0, 5000.0).unwrap().with_padding(200);
    let decimation = Decimation::with_filter(5, filter).unwrap().with_border(0);
    let rounded = |x: &f64| (x * 1e5).round() / 1e5;
    let (mut names, mut columns) = (Vec::new(), Vec::new());
    for (file, name) in [("motor_positions.csv", "position"), ("motor_torques.csv", "torque")] {
        let rows = numbers(&fs::read_to_string(format!("{data}/{file}")).unwrap());
        for k in 0..6 {
            let signal: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            names.push(format!("{name}{}", k + 1));
            columns.push(decimation.of(&signal).unwrap().iter().map(rounded).collect::<Vec<_>>());
        }
    }
    let row = |i: usize| columns.iter().map(|column| column[i].to_string()).collect::<Vec<_>>().join(",");
    let rows = (0..columns[0].len()).map(row);
    folder.write("motors.csv", [names.join(",")].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
    true
}
