//! A choice of columns for a robot.

use super::{Body, Column, Coupling, Effect, Inertial};
use appell::Robot;
use appell::closed::{ClosedMechanism, Leg, regressor as closed_regressor};
use appell::description::{JointEffects, JointKind, PLATFORM};
use appell::dynamics::regressor::{self, PARAMETERS_PER_BODY};

/// The columns of an observation matrix for one robot, in order.
///
/// ```
/// use appell::Robot;
/// use appell_identification::parameters::{Effect, Model};
///
/// let puma = Robot::builtin("puma560").unwrap();
/// let model = Model::bodies(&puma).with_effects(&[Effect::Viscous]);
/// assert_eq!((model.columns().len(), model.name(5).as_str(), model.name(60).as_str()), (66, "XY1", "Fv1"));
/// assert_eq!(model.find("ZZ.elbow")?, model.find("ZZ3")?);
/// assert_eq!(model.find("M*")?.len(), 24);
/// # Ok::<(), appell_identification::parameters::UnknownName>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    columns: Vec<Column>,
    couplings: Vec<Coupling>,
    joint_names: Vec<String>,
    measured: Vec<usize>,
    numbered: bool,
    transmits: bool,        // whether a file of the robot may have transmissions
    alike: Vec<Vec<usize>>, // the joints whose bodies are one with each joint's, itself first; none where another stands for it
    leg_names: Vec<String>, // of the joints of equal legs, the leg's name; empty for others
}

/// A name that is none of a model's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no parameter is called `{name}`; there are {first} to {last}, and `*` and `?` stand for any letters and one")]
pub struct UnknownName {
    /// What was asked for.
    pub name: String,
    /// The first name there is.
    pub first: String,
    /// The last one.
    pub last: String,
}

impl Model {
    /// The ten parameters of every body.
    #[must_use]
    pub fn bodies(robot: &Robot) -> Self {
        let tree = robot.tree();
        let platform = robot.platform().is_some().then_some(Body::Platform);
        let bodies = (0..tree.dof()).map(Body::Joint).chain(platform);
        Self {
            columns: bodies
                .flat_map(|body| Inertial::ALL.map(|parameter| Column::Inertial { body, parameter }))
                .collect(),
            couplings: Vec::new(),
            joint_names: tree.joint_names().to_vec(),
            measured: robot.drives().iter().map(|drive| drive.index).collect(),
            numbered: robot.closed().is_none(),
            transmits: robot.closed().is_none() && tree.followers().iter().all(Option::is_none),
            alike: (0..tree.dof()).map(|joint| vec![joint]).collect(),
            leg_names: vec![String::new(); tree.dof()],
        }
    }

    /// The same with legs whose bodies are alike: the ten parameters of a body of the first leg stand for those of the same
    /// place in all legs of as many joints of the same kinds, `ZZ.*.u2`. Friction and rotors stay each leg's own.
    ///
    /// ```
    /// use appell::Robot;
    /// use appell_identification::parameters::Model;
    ///
    /// let hexapod = Robot::builtin("gough-stewart").unwrap();
    /// let model = Model::bodies(&hexapod).with_equal_legs(&hexapod);
    /// assert_eq!((model.columns().len(), model.name(10).as_str()), (10 * 4, "M.*.u2"));
    /// ```
    ///
    /// # Panics
    /// If the robot is another one.
    #[must_use]
    pub fn with_equal_legs(mut self, robot: &Robot) -> Self {
        assert_eq!(robot.tree().joint_names(), self.joint_names, "the robot of this model");
        let kinds = |leg: &Leg| leg.joints.iter().map(|&j| robot.tree().links()[j].joint).collect::<Vec<_>>();
        let legs = robot.closed().map_or(&[][..], ClosedMechanism::legs);
        let Some(first) = legs.first() else { return self };
        for leg in legs.iter().skip(1).filter(|leg| kinds(leg) == kinds(first)) {
            for (&own, &other) in first.joints.iter().zip(&leg.joints) {
                let joined = core::mem::take(&mut self.alike[other]);
                self.alike[own].extend(joined);
                self.leg_names[own].clone_from(&first.name);
            }
        }
        let alike = &self.alike;
        self.columns.retain(
            |column| !matches!(column, Column::Inertial { body: Body::Joint(joint), .. } if alike[*joint].is_empty()),
        );
        self
    }

    /// The joints whose bodies have the parameters of a joint's body: itself, and those of equal legs.
    ///
    /// # Panics
    /// If there is no such joint.
    #[must_use]
    pub fn alike(&self, joint: usize) -> &[usize] {
        &self.alike[joint]
    }

    /// The same with effects in every joint whose effort is measured.
    #[must_use]
    pub fn with_effects(self, effects: &[Effect]) -> Self {
        let joints = self.measured.clone();
        self.with_effects_in(&joints, effects)
    }

    /// The same with effects in some joints, which may be passive ones.
    ///
    /// # Panics
    /// If there is no such joint, or a passive one is to have a drive gain.
    #[must_use]
    pub fn with_effects_in(mut self, joints: &[usize], effects: &[Effect]) -> Self {
        for &joint in joints {
            assert!(joint < self.joint_names.len(), "joints of this robot");
            let passive = !self.measured.contains(&joint);
            assert!(!(passive && effects.contains(&Effect::DriveGain)), "a drive gain needs a drive");
            self.columns.extend(effects.iter().map(|&effect| Column::Effect { joint, effect }));
        }
        self
    }

    /// The same with effects in a motor that several joints turn.
    ///
    /// # Panics
    /// If the coupling has not one value per joint, or a drive gain is asked for.
    #[must_use]
    pub fn with_coupling(mut self, coupling: Coupling, effects: &[Effect]) -> Self {
        assert_eq!(coupling.coefficients.len(), self.joint_names.len(), "one value per joint");
        assert!(!effects.contains(&Effect::DriveGain), "a drive gain belongs to a joint");
        let motor = self.couplings.len();
        self.columns.extend(effects.iter().map(|&effect| Column::Coupled { motor, effect }));
        self.couplings.push(coupling);
        self
    }

    /// The same with all ten columns of every body of which some are there, those that were not at the end: what is known
    /// of a body belongs to it.
    #[must_use]
    pub fn with_whole_bodies(&self) -> Self {
        let mut whole = self.clone();
        for column in &self.columns {
            let Column::Inertial { body, .. } = *column else { continue };
            for parameter in Inertial::ALL {
                let own = Column::Inertial { body, parameter };
                if !whole.columns.contains(&own) {
                    whole.columns.push(own);
                }
            }
        }
        whole
    }

    /// The same with the columns that a URDF has numbers for: bodies, viscous friction, and Coulomb friction, which jumps there. Drive
    /// gains stay, since they belong to the recorder.
    ///
    /// ```
    /// use appell::Robot;
    /// use appell_identification::parameters::{Effect, Model};
    ///
    /// let arm = Robot::builtin("two-link").unwrap();
    /// let bodies = Model::bodies(&arm);
    /// let model = bodies.clone().with_effects(&[Effect::Coulomb { smoothing: 0.1 }, Effect::Offset, Effect::Rotor]);
    /// assert_eq!(model.in_urdf(), bodies.with_effects(&[Effect::Coulomb { smoothing: 0.0 }]));
    /// ```
    #[must_use]
    pub fn in_urdf(&self) -> Self {
        let in_urdf = |column: &Column| match *column {
            Column::Effect { joint, effect: Effect::Coulomb { .. } } => {
                Some(Column::Effect { joint, effect: Effect::Coulomb { smoothing: 0.0 } })
            }
            Column::Inertial { .. } | Column::Effect { effect: Effect::Viscous | Effect::DriveGain, .. } => {
                Some(*column)
            }
            Column::Effect { .. } | Column::Coupled { .. } => None,
        };
        Self { columns: self.columns.iter().filter_map(in_urdf).collect(), ..self.clone() }
    }

    /// The same with the columns of these indices alone, in this order.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn with_columns(&self, kept: &[usize]) -> Self {
        Self { columns: kept.iter().map(|&k| self.columns[k]).collect(), ..self.clone() }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of all joints, passive ones too.
    #[must_use]
    pub fn joint_names(&self) -> &[String] {
        &self.joint_names
    }

    /// The motors that several joints turn.
    #[must_use]
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Which drive a joint has, counted from zero.
    pub(crate) fn drive_of(&self, joint: usize) -> Option<usize> {
        self.measured.iter().position(|&driven| driven == joint)
    }

    /// The name of a column.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn name(&self, k: usize) -> String {
        format!("{}{}", self.columns[k].symbol(), self.part(k))
    }

    /// The name of the base parameter that a column stands for when others are added to it: `ZZ3R`.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn regrouped_name(&self, k: usize) -> String {
        let (symbol, part) = (self.columns[k].symbol(), self.part(k));
        if part.starts_with('.') { format!("{symbol}R{part}") } else { format!("{symbol}{part}R") }
    }

    /// All names, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        (0..self.columns.len()).map(|k| self.name(k)).collect()
    }

    /// The unit of a column.
    ///
    /// # Panics
    /// If there is no such column, or the robot is another one.
    #[must_use]
    pub fn unit(&self, robot: &Robot, k: usize) -> &'static str {
        let (joint, effect) = match self.columns[k] {
            Column::Inertial { parameter, .. } => return parameter.unit(),
            Column::Effect { joint, effect } => (joint, effect),
            Column::Coupled { motor, effect } => (self.couplings[motor].joint, effect),
        };
        effect.unit(robot.tree().links()[joint].joint == JointKind::Revolute)
    }

    /// Whether a robot's file has a number for a column: all but gains of drives, and motors that several joints turn where loops are closed
    /// or joints follow others.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn is_described(&self, k: usize) -> bool {
        match self.columns[k] {
            Column::Inertial { .. } => true,
            Column::Effect { effect, .. } => effect.is_described(),
            Column::Coupled { .. } => self.transmits,
        }
    }

    /// The columns of a name, numbered or by the joint's own name; `*` stands for any letters and `?` for one.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<Vec<usize>, UnknownName> {
        let fits =
            |&k: &usize| matches(name, &self.name(k)) || self.long_name(k).is_some_and(|own| matches(name, &own));
        let found: Vec<usize> = (0..self.columns.len()).filter(fits).collect();
        if found.is_empty() {
            let of = |k: Option<usize>| k.map(|k| self.name(k)).unwrap_or_default();
            let last = of(self.columns.len().checked_sub(1));
            return Err(UnknownName { name: name.into(), first: of((!self.columns.is_empty()).then_some(0)), last });
        }
        Ok(found)
    }

    /// The values of a robot as it is described, one of drive gains.
    ///
    /// # Panics
    /// If the robot is another one.
    #[must_use]
    pub fn values(&self, robot: &Robot) -> Vec<f64> {
        let tree = robot.tree();
        let bodies = self.bodies_of(robot);
        let value = |column: &Column| match *column {
            Column::Inertial { body, parameter } => bodies(body)[parameter as usize],
            Column::Effect { joint, effect } => effect.of(&tree.effects()[joint]),
            Column::Coupled { motor, effect } => {
                let none = JointEffects::default();
                effect.of(&robot.description().map_or(none, |file| self.couplings[motor].effects(file)))
            }
        };
        self.columns.iter().map(value).collect()
    }

    /// How large the parameters of a robot like this may be: of a body its mass, mass × radius of gyration, and ∫x² dm, about
    /// the origin of its frame; of an effect its value. What is near zero by symmetry has the size of its neighbours.
    ///
    /// # Panics
    /// If the robot is another one.
    #[must_use]
    pub fn sizes(&self, robot: &Robot) -> Vec<f64> {
        let bodies = self.bodies_of(robot);
        let size = |(column, value): (&Column, f64)| {
            let Column::Inertial { body, parameter } = *column else { return value.abs() };
            let [m, .., xx, _, yy, _, _, zz] = bodies(body);
            let moment = 0.5 * (xx + yy + zz);
            match parameter {
                Inertial::M => m,
                Inertial::Mx | Inertial::My | Inertial::Mz => (m * moment).max(0.0).sqrt(),
                _ => moment,
            }
        };
        self.columns.iter().zip(self.values(robot)).map(size).collect()
    }

    /// The ten parameters of each body.
    fn bodies_of(&self, robot: &Robot) -> impl Fn(Body) -> [f64; PARAMETERS_PER_BODY] + use<> {
        assert_eq!(robot.tree().joint_names(), self.joint_names, "the robot of this model");
        let of_tree = regressor::parameters(robot.tree());
        let of_platform = match robot.closed() {
            Some(closed) => closed_regressor::parameters(closed).split_off(of_tree.len()),
            None => Vec::new(),
        };
        move |body| match body {
            Body::Joint(joint) => core::array::from_fn(|k| of_tree[PARAMETERS_PER_BODY * joint + k]),
            Body::Platform => core::array::from_fn(|k| of_platform[k]),
        }
    }

    fn part(&self, k: usize) -> String {
        match self.columns[k] {
            Column::Inertial { body: Body::Platform, .. } => format!(".{PLATFORM}"),
            Column::Inertial { body: Body::Joint(joint), .. } | Column::Effect { joint, .. } if self.numbered => {
                (joint + 1).to_string()
            }
            Column::Inertial { body: Body::Joint(joint), .. } if self.alike[joint].len() > 1 => {
                let name = &self.joint_names[joint];
                format!(".*{}", name.strip_prefix(&self.leg_names[joint]).unwrap_or(name))
            }
            Column::Inertial { body: Body::Joint(joint), .. } | Column::Effect { joint, .. } => {
                format!(".{}", self.joint_names[joint])
            }
            Column::Coupled { motor, .. } => self.couplings[motor].name.clone(),
        }
    }

    fn long_name(&self, k: usize) -> Option<String> {
        let (Column::Inertial { body: Body::Joint(joint), .. } | Column::Effect { joint, .. }) = self.columns[k] else {
            return None;
        };
        Some(format!("{}.{}", self.columns[k].symbol(), self.joint_names[joint]))
    }
}

/// Whether a name fits a pattern, in which `*` stands for any letters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pattern_letters = pattern.chars();
    match pattern_letters.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = pattern_letters.as_str();
            let ends = name.char_indices().map(|(k, _)| k).chain([name.len()]);
            ends.into_iter().any(|k| matches(rest, &name[k..]))
        }
        Some(letter) => {
            let mut name_letters = name.chars();
            let fits = |found: char| letter == '?' || letter == found;
            name_letters.next().is_some_and(fits) && matches(pattern_letters.as_str(), name_letters.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::Robot;

    #[test]
    fn patterns() {
        assert!(matches("Fc*", "Fc12") && matches("*", "") && matches("?Z3", "MZ3") && matches("X*3", "XX3"));
        assert!(!matches("Fc*", "Fv1") && !matches("M?", "M") && !matches("M3", "M33"));
    }

    #[test]
    fn closed_robots_have_names_of_their_parts() {
        let robot = Robot::builtin("gough-stewart").unwrap();
        let model = Model::bodies(&robot).with_effects(&[Effect::Viscous]);
        assert_eq!(model.columns().len(), 10 * 19 + 6);
        assert_eq!(model.name(0), "M.leg1.u1");
        assert_eq!(model.name(189), "ZZ.platform");
        assert_eq!(model.name(195), "Fv.leg6.slide");
        assert_eq!(model.regrouped_name(189), "ZZR.platform");
        assert_eq!(model.find("*.platform").unwrap().len(), 10);
        let values = model.values(&robot);
        assert_eq!(values[model.find("M.platform").unwrap()[0]], 25.0);
    }

    #[test]
    fn unknown_names_are_told() {
        let robot = Robot::builtin("two-link").unwrap();
        let error = Model::bodies(&robot).find("ZZ3").unwrap_err();
        assert_eq!((error.first.as_str(), error.last.as_str()), ("M1", "ZZ2"));
    }
}
