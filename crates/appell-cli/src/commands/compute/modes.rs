//! Which assembly of a robot with closed loops every row is.

use crate::output;
use appell::Robot;
use appell::closed::direct::{self, Options};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell_drawing::listing::counted;

/// What is answered of a row.
pub(super) const COLUMNS: [&str; 4] = ["assembly", "assemblies", "side", "next"];

/// Two configurations nearer than this are one, over the characteristic length, or rad.
const SAME: f64 = 1e-5;

/// Finds all assemblies of every row.
pub(super) struct Modes<'r> {
    robot: &'r ClosedMechanism,
    assembly: assembly::Workspace,
    singularity: singularity::Workspace,
    metric: Metric,
    unproved: Option<String>, // how the first row whose assemblies are not counted says so
}

impl<'r> Modes<'r> {
    /// Of a closed robot.
    pub(super) fn of(robot: &'r Robot) -> Option<Self> {
        let robot = robot.closed()?;
        Some(Self {
            robot,
            assembly: assembly::Workspace::new(robot),
            singularity: singularity::Workspace::new(robot),
            metric: Metric::of(robot),
            unproved: None,
        })
    }

    /// What is known of a configuration.
    pub(super) fn columns(&mut self, at: &Configuration) -> anyhow::Result<[Option<f64>; COLUMNS.len()]> {
        let robot = self.robot;
        let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
        let all = direct::all_at_drives(robot, &mut self.assembly, &drives, &Options::default())?;
        if !all.are_all() && self.unproved.is_none() {
            self.unproved = Some(all.count.to_string());
        }
        let far: Vec<f64> = all.assemblies.iter().map(|one| assembly::distance(robot, &one.at, at)).collect();
        // Where the output is at one place in several assemblies, the joints say which it is.
        let joints = |k: &usize| assembly::apart(robot, &all.assemblies[*k].at, at);
        let own = (0..far.len()).filter(|&k| far[k] < SAME).min_by(|a, b| joints(a).total_cmp(&joints(b)));
        let others = (0..far.len()).filter(|&k| Some(k) != own).map(|k| far[k]);
        let next = others.fold(f64::INFINITY, f64::min);
        let measures = singularity::measures(robot, &mut self.singularity, at, &self.metric);
        let determinant = measures.inverse_jacobian.as_ref().and_then(|j_inv| j_inv.determinant);
        #[allow(clippy::cast_precision_loss, reason = "there are not so many")]
        Ok([
            own.map(|k| (k + 1) as f64),
            Some(far.len() as f64),
            determinant.filter(|det| *det != 0.0).map(f64::signum),
            Some(next).filter(|next| next.is_finite()),
        ])
    }

    /// Says if assemblies are not counted, but searched for.
    pub(super) fn report(&self, table: &str) {
        if let Some(how) = &self.unproved {
            output::note(format_args!("{table}: --modes: {how}"));
        }
    }
}

/// Keeps account of rows whose drives do not say in which assembly the robot is.
#[derive(Default)]
pub(super) struct Undecided {
    rows: usize,
    first: Option<u64>,
}

impl Undecided {
    pub(super) fn look(&mut self, is_undecided: bool, line: u64) {
        if is_undecided {
            self.rows += 1;
            self.first.get_or_insert(line);
        }
    }

    /// Warns of such rows, once, if there were some.
    pub(super) fn report(&self, table: &str) {
        let Some(line) = self.first else { return };
        output::note(format_args!(
            "{table}: warning: the drives of {}, first of line {line}, cannot come there straight from home: a singularity of Type 2 or the end \
             of reach is on the way, so that it cannot be decided which assembly the robot is in; the nearest that was found is taken; give t for \
             a motion, or see `appell assemble ROBOT --at DRIVES --all`",
            counted(self.rows, "row")
        ));
    }
}
