//! Dry friction of joints: they stick and slip, and change between the two by events.
//!
//! A joint that slips has the friction force −c sign(v), with c its Coulomb friction, Stribeck's excess at its speed and, at a drive, the
//! torque of its brake; the sign is kept until v passes zero, which is found within the step. One that sticks is held, v = 0, by a force λ that
//! follows from the others' forces, and breaks away when |λ| exceeds what c is at rest. Who sticks and who slips after an event is one problem of all joints at rest
//! ([`complementarity`]). Between events the equations are smooth, so that steps keep their order, and a joint that sticks does not creep.
//!
//! ```text
//! M v̇ + h = τ − Σ c_i(|v_i|) sign(v_i) e_i + Σ λ_k e_k        sums over slipping and sticking joints
//! G λ = −(v̇ without λ),   G = E M⁻¹ Eᵀ                  e_kᵀ v̇ = 0 of sticking joints
//! ```

mod complementarity;

use super::plant::DryFriction;
use super::{Plant, Reason};
use complementarity::Complementarity;

/// What is nothing beside a velocity of 1 rad/s or m/s: a joint that is slower is at rest where it may stick.
const AT_REST: f64 = 1e-9;

/// By how much the force of a sticking joint exceeds its bound before it breaks away.
const EXCESS: f64 = 1e-10;

/// How a joint with dry friction moves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    /// Held.
    Sticks,
    /// With the sign of its velocity.
    Slips(f64),
}

/// A joint with dry friction.
#[derive(Debug, Clone)]
struct Element {
    joint: usize,         // of the velocities
    drive: Option<usize>, // that acts on it
    dry: DryFriction,
    brake: f64,
    resists: f64, // what it does at the velocity that was looked at last
    mode: Mode,
    crosses: bool, // whether it is on the other side of zero, where it was looked at last
    stops: bool,   // whether it has come to rest
}

impl Element {
    /// What holds it at rest.
    fn level(&self) -> f64 {
        self.dry.at_rest() + self.brake
    }

    /// What resists it at a velocity.
    fn level_at(&self, v: f64) -> f64 {
        self.dry.at(v) + self.brake
    }

    fn sticks(&self) -> bool {
        self.level() > 0.0 && self.mode == Mode::Sticks
    }

    /// The sign of the velocity, if it slips.
    fn slips(&self) -> Option<f64> {
        match self.mode {
            Mode::Slips(sign) if self.level() > 0.0 => Some(sign),
            _ => None,
        }
    }
}

/// The dry friction of a plant, with its memory.
#[derive(Debug, Clone)]
pub(super) struct Friction {
    elements: Vec<Element>,
    efforts: Vec<f64>,  // with the friction of drives that slip
    solved: Vec<usize>, // elements whose forces are not among the efforts
    joints: Vec<usize>, // theirs
    of_r: Vec<f64>,     // ṙ for a unit of force, row by row
    of_v: Vec<f64>,     // v̇ of the same joints
    a: Vec<f64>,        // of all joints
    a_solved: Vec<f64>, // of these joints
    bounds: Vec<f64>,
    lambda: Vec<f64>,
    x_rates: Vec<f64>,
    r_rates: Vec<f64>,
    problem: Complementarity,
    /// Whether a stage of the last step has seen a joint cross zero, or be held by more than its bound.
    is_doubtful: bool,
}

impl Friction {
    /// The friction of a plant's joints, and brakes that are released at its drives.
    pub(super) fn new(plant: &dyn Plant) -> Self {
        let (drives, dry) = (plant.drives(), plant.dry_friction());
        let joints = plant.joints().0.len();
        let of_drive = |joint: usize| drives.iter().position(|&j| j == joint);
        let elements: Vec<Element> = (0..joints)
            .map(|joint| Element {
                joint,
                drive: of_drive(joint),
                dry: dry.get(joint).cloned().unwrap_or_default(),
                brake: 0.0,
                resists: 0.0,
                mode: Mode::Sticks,
                crosses: false,
                stops: false,
            })
            .filter(|element| element.level() > 0.0 || element.drive.is_some())
            .collect();
        let (many, n) = (elements.len(), plant.freedoms());
        Self {
            efforts: vec![0.0; plant.efforts()],
            solved: Vec::with_capacity(many),
            joints: Vec::with_capacity(many),
            of_r: vec![0.0; many * n],
            of_v: vec![0.0; many * many],
            a: vec![0.0; joints],
            a_solved: vec![0.0; many],
            bounds: vec![0.0; many],
            lambda: vec![0.0; many],
            x_rates: vec![0.0; n],
            r_rates: vec![0.0; n],
            problem: Complementarity::new(many),
            is_doubtful: false,
            elements,
        }
    }

    /// Whether any joint has friction now.
    pub(super) fn acts(&self) -> bool {
        self.elements.iter().any(|element| element.level() > 0.0)
    }

    /// Sets the torques and forces of the brakes, one per drive.
    pub(super) fn set_brakes(&mut self, brakes: &[f64]) {
        for element in &mut self.elements {
            element.brake = element.drive.map_or(0.0, |drive| brakes[drive]);
        }
    }

    /// The joints that stick.
    pub(super) fn sticking(&self) -> impl Iterator<Item = usize> {
        self.elements.iter().filter(|element| element.sticks()).map(|element| element.joint)
    }

    /// ẋ and ṙ with friction.
    pub(super) fn rates(
        &mut self,
        plant: &mut dyn Plant,
        efforts: &[f64],
        x_rates: &mut [f64],
        r_rates: &mut [f64],
    ) -> Result<(), Reason> {
        self.slip(plant, efforts, x_rates, r_rates)?;
        let stuck = self.solved.iter().take_while(|&&i| self.elements[i].sticks()).count();
        let (n, many) = (r_rates.len(), self.solved.len());
        if stuck > 0 {
            plant.accelerations(r_rates, &mut self.a)?;
            for (a, &joint) in self.a_solved.iter_mut().zip(&self.joints[..stuck]) {
                *a = self.a[joint];
            }
            let g = pack(&mut self.of_v, many, stuck);
            self.problem.hold_all(g, &self.a_solved[..stuck], &mut self.lambda[..stuck]);
            for (lambda, row) in self.lambda[..stuck].iter().zip(self.of_r.chunks_exact(n)) {
                r_rates.iter_mut().zip(row).for_each(|(rate, of_r)| *rate += lambda * of_r);
            }
            for &joint in &self.joints[..stuck] {
                if let Some(k) = plant.coordinate_of(joint) {
                    r_rates[k] = 0.0;
                }
            }
        }
        self.is_doubtful |= self.is_wrong(plant, stuck);
        Ok(())
    }

    /// The motion with all forces of slipping joints, and those of none that sticks. What a unit of force along the joints that are not
    /// covered by efforts does is known then: first those that stick.
    fn slip(
        &mut self,
        plant: &mut dyn Plant,
        efforts: &[f64],
        x_rates: &mut [f64],
        r_rates: &mut [f64],
    ) -> Result<(), Reason> {
        let Self { elements, solved, joints, .. } = self;
        self.efforts.copy_from_slice(efforts);
        solved.clear();
        joints.clear();
        for (i, element) in elements.iter().enumerate().filter(|(_, element)| element.sticks()) {
            solved.push(i);
            joints.push(element.joint);
        }
        let stuck = solved.len();
        let view = plant.view(0.0);
        for (i, element) in elements.iter_mut().enumerate() {
            element.resists = element.level_at(view.v[element.joint]);
            match (element.slips(), element.drive) {
                (Some(sign), Some(drive)) => self.efforts[drive] -= sign * element.resists,
                (Some(_), None) => {
                    solved.push(i);
                    joints.push(element.joint);
                }
                _ => {}
            }
        }
        plant.rates(&self.efforts, x_rates, r_rates)?;
        if solved.is_empty() {
            return Ok(());
        }
        let (n, many) = (r_rates.len(), solved.len());
        plant.responses(joints, &mut self.of_r[..many * n], &mut self.of_v[..many * many])?;
        for (&i, row) in solved.iter().zip(self.of_r.chunks_exact(n)).skip(stuck) {
            let force = -elements[i].slips().unwrap_or(0.0) * elements[i].resists;
            r_rates.iter_mut().zip(row).for_each(|(rate, of_r)| *rate += force * of_r);
        }
        Ok(())
    }

    /// Whether a joint is on the other side of zero, which is noted, or one of the first `stuck` that are solved is held by more than its
    /// bound and no other share among them would do.
    fn is_wrong(&mut self, plant: &dyn Plant, stuck: usize) -> bool {
        let view = plant.view(0.0);
        let mut is_wrong = false;
        for element in &mut self.elements {
            element.crosses = element.slips().is_some_and(|sign| sign * view.v[element.joint] < 0.0);
            is_wrong |= element.crosses;
        }
        let exceeds = |&(&i, &lambda): &(&usize, &f64)| -> bool {
            let bound: f64 = self.elements[i].level();
            lambda.abs() > bound * (1.0 + EXCESS)
        };
        if !self.solved[..stuck].iter().zip(&self.lambda).any(|pair| exceeds(&pair)) {
            return is_wrong;
        }
        for (bound, &i) in self.bounds.iter_mut().zip(&self.solved[..stuck]) {
            *bound = self.elements[i].level() * (1.0 + EXCESS);
        }
        let (g, bounds) = (&self.of_v[..stuck * stuck], &self.bounds[..stuck]);
        self.problem.solve(g, bounds, &mut self.a_solved[..stuck], &mut self.lambda[..stuck]);
        let moves = |k: usize| self.a_solved[k].abs() > 1e-13 * g[k * stuck + k] * bounds[k];
        is_wrong || (0..stuck).any(moves)
    }

    /// Whether a stage since the last call has seen something that ends these modes.
    pub(super) fn take_doubt(&mut self) -> bool {
        core::mem::take(&mut self.is_doubtful)
    }

    /// Whether these modes end in the state of the plant, under these efforts.
    pub(super) fn ends(&mut self, plant: &mut dyn Plant, efforts: &[f64]) -> Result<bool, Reason> {
        let (mut x_rates, mut r_rates) = (core::mem::take(&mut self.x_rates), core::mem::take(&mut self.r_rates));
        self.is_doubtful = false;
        let found = self.rates(plant, efforts, &mut x_rates, &mut r_rates);
        (self.x_rates, self.r_rates) = (x_rates, r_rates);
        found.map(|()| self.take_doubt())
    }

    /// Notes that the joints which were seen on the other side of zero come to rest.
    pub(super) fn note_stops(&mut self) {
        self.elements.iter_mut().for_each(|element| element.stops = element.crosses);
    }

    /// The elements that slip, and with which sign: joint and sign.
    pub(super) fn slipping(&self) -> impl Iterator<Item = (usize, f64)> {
        self.elements.iter().filter_map(|element| Some((element.joint, element.slips()?)))
    }

    /// Finds who sticks and who slips, in the state of the plant and under these efforts: joints that stick, are slow or come to rest
    /// are taken as at rest.
    pub(super) fn settle(&mut self, plant: &mut dyn Plant, efforts: &[f64]) -> Result<(), Reason> {
        let view = plant.view(0.0);
        for element in &mut self.elements {
            let v = view.v[element.joint];
            let was_stuck = element.mode == Mode::Sticks && v.abs() <= 1e3 * AT_REST;
            let rests = v.abs() <= AT_REST || element.stops || was_stuck;
            element.mode = if rests { Mode::Sticks } else { Mode::Slips(v.signum()) };
            element.stops = false;
        }
        let (mut x_rates, mut r_rates) = (core::mem::take(&mut self.x_rates), core::mem::take(&mut self.r_rates));
        let found = self.slip(plant, efforts, &mut x_rates, &mut r_rates);
        let found = found.and_then(|()| plant.accelerations(&r_rates, &mut self.a));
        (self.x_rates, self.r_rates) = (x_rates, r_rates);
        found?;
        let stuck = self.solved.iter().take_while(|&&i| self.elements[i].sticks()).count();
        for (k, &i) in self.solved[..stuck].iter().enumerate() {
            self.a_solved[k] = self.a[self.joints[k]];
            self.bounds[k] = self.elements[i].level();
        }
        let g = pack(&mut self.of_v, self.solved.len(), stuck);
        let bounds = &self.bounds[..stuck];
        self.problem.solve(g, bounds, &mut self.a_solved[..stuck], &mut self.lambda[..stuck]);
        for k in 0..stuck {
            let (a, scale) = (self.a_solved[k], g[k * stuck + k] * bounds[k]);
            if a.abs() > 1e-12 * scale {
                self.elements[self.solved[k]].mode = Mode::Slips(a.signum());
            }
        }
        self.is_doubtful = false;
        Ok(())
    }

    /// Takes what is left of the velocities of joints at rest out of r, by impulses along them: the velocities of the state the plant is in;
    /// whether they have changed.
    pub(super) fn rest(&mut self, plant: &mut dyn Plant, r: &mut [f64]) -> Result<bool, Reason> {
        let view = plant.view(0.0);
        self.joints.clear();
        let moves = |element: &&Element| element.sticks() && view.v[element.joint] != 0.0;
        self.joints.extend(self.elements.iter().filter(moves).map(|element| element.joint));
        if self.joints.is_empty() {
            return Ok(false);
        }
        let mut are_coordinates = true;
        for &joint in &self.joints {
            match plant.coordinate_of(joint) {
                Some(k) => r[k] = 0.0,
                None => are_coordinates = false,
            }
        }
        if are_coordinates {
            return Ok(true);
        }
        let (n, many) = (r.len(), self.joints.len());
        for (a, &joint) in self.a_solved.iter_mut().zip(&self.joints) {
            *a = view.v[joint];
        }
        plant.responses(&self.joints, &mut self.of_r[..many * n], &mut self.of_v[..many * many])?;
        let impulses = &mut self.lambda[..many];
        self.problem.hold_all(&self.of_v[..many * many], &self.a_solved[..many], impulses);
        for (impulse, row) in impulses.iter().zip(self.of_r.chunks_exact(n)) {
            r.iter_mut().zip(row).for_each(|(r, of_r)| *r += impulse * of_r);
        }
        Ok(true)
    }
}

/// The first `few` rows and columns of a square matrix of `many`, moved to its beginning.
fn pack(matrix: &mut [f64], many: usize, few: usize) -> &[f64] {
    for i in 1..few {
        matrix.copy_within(i * many..i * many + few, i * few);
    }
    &matrix[..few * few]
}
