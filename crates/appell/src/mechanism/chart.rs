//! A joint whose position is a quaternion, in the coordinates of its elementary joints.
//!
//! Its rows are anchored turns, of a free joint three slides s, and three turns r about axes e₁, e₂, e₃
//! ([`elementary`](crate::description::elementary)). With the rotation R of the turns and velocities in the body's axes,
//!
//! ```text
//! ω = c₁ ṙ₁ + c₂ ṙ₂ + c₃ ṙ₃       c₃ = e₃,  c₂ = R₃ᵀ e₂,  c₁ = R₃ᵀ R₂ᵀ e₁
//! ω̇ = Σ cᵢ r̈ᵢ + ṙ₁ ṙ₂ c₁ × c₂ + ṙ₁ ṙ₃ c₁ × c₃ + ṙ₂ ṙ₃ c₂ × c₃
//! ṡ = R v        s̈ = R (v̇ + ω × v)
//! ```
//!
//! A position is anchored so that r is zero but for what the anchor put into r₁ of a spherical joint: there the cᵢ are the eᵢ, and
//! rates are velocities. Derivatives and steps through time leave zero; both are short.

use crate::description::JointType;
use crate::description::elementary::Compound;
use crate::real::Real;
use crate::spatial::{Mat3, Pose, Quaternion, Vec3};

/// Where the numbers of a spherical or free joint stand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    anchored: Anchored,
    slides: Option<usize>, // row of the first of a free joint
    turns: usize,          // row of the first moving turn
    order: [usize; 3],     // axes e₁, e₂, e₃
    pub(super) q: usize,   // the first of its positions
    pub(super) v: usize,   // and of its velocities
}

/// The rows that hold Rz(φ) Rx(θ) Ry(ψ); the last of a spherical joint moves.
type Anchored = [usize; 3];

/// The cᵢ at a place, and what undoes them.
pub(crate) struct Frame<T> {
    columns: [Vec3<T>; 3],
    inverse: [Vec3<T>; 3], // ṙᵢ = inverseᵢ · ω
    rotation: Mat3<T>,     // R, of a free joint
}

impl Chart {
    /// Of a compound with a quaternion, whose positions and velocities begin at `q` and `v`.
    pub(super) fn of(compound: &Compound, q: usize, v: usize) -> Option<Self> {
        let first = compound.first;
        let anchored = [first, first + 1, first + 2];
        match compound.kind {
            JointType::Spherical => Some(Self { anchored, slides: None, turns: first + 2, order: [1, 0, 2], q, v }),
            JointType::Free => {
                Some(Self { anchored, slides: Some(first + 3), turns: first + 6, order: [0, 1, 2], q, v })
            }
            _ => None,
        }
    }

    /// Where its quaternion begins among the positions.
    pub(super) fn quaternion(&self) -> usize {
        self.q + if self.slides.is_some() { 3 } else { 0 }
    }

    /// How many velocities it has.
    pub(super) fn velocities(&self) -> usize {
        if self.slides.is_some() { 6 } else { 3 }
    }

    /// Where its angular velocity begins among the velocities.
    fn omega(&self) -> usize {
        self.v + self.velocities() - 3
    }

    /// The row of a velocity, counted from its first; slides before turns.
    pub(super) fn row(&self, k: usize) -> usize {
        match self.slides {
            Some(slides) if k < 3 => slides + k,
            _ => {
                let axis = k % 3;
                self.turns + (0..3).find(|&i| self.order[i] == axis).unwrap_or(axis)
            }
        }
    }

    /// Anchors a position: puts the rows where it is, the moving ones at zero.
    #[inline(always)]
    pub(super) fn anchor<T: Real>(&self, q: &[T], rows: &mut [T]) {
        let at = self.quaternion();
        let rotation = Quaternion::rotation_of([q[at], q[at + 1], q[at + 2], q[at + 3]]);
        let zero = q[at].zero();
        // Rz(φ) Rx(θ) Ry(ψ); where θ is a right angle any φ does, and ψ is the one that belongs to it.
        let [x, y, z] = rotation.rows;
        let phi = (-x.y).atan2(y.y);
        let (sin, cos) = phi.sin_cos();
        let theta = z.y.atan2(cos * y.y - sin * x.y);
        let psi = (cos * x.z + sin * y.z).atan2(cos * x.x + sin * y.x);
        rows[self.turns..self.turns + 3].fill(zero);
        for (row, angle) in self.anchored.into_iter().zip([phi, theta, psi]) {
            rows[row] = angle;
        }
        if let Some(slides) = self.slides {
            let s = rotation.transpose_times(Vec3::new(q[self.q], q[self.q + 1], q[self.q + 2]));
            put(rows, slides, s);
        }
    }

    /// The position that the rows are at; of the two quaternions of an attitude the one nearer to what `q` holds.
    pub(super) fn release(&self, rows: &[f64], q: &mut [f64]) {
        let turned = |rotation: Mat3<f64>, axis, row: usize| rotation * about(axis, rows[row], 0.0);
        let [z, x, y] = self.anchored;
        let mut rotation = turned(turned(Mat3::identity(0.0), 2, z), 0, x);
        if let Some(slides) = self.slides {
            rotation = turned(rotation, 1, y);
            put(q, self.q, rotation * get(rows, slides));
        }
        rotation = (0..3).fold(rotation, |rotation, i| turned(rotation, self.order[i], self.turns + i));
        let at = self.quaternion();
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&rotation);
        let own = &mut q[at..at + 4];
        let is_far = own[0] * x + own[1] * y + own[2] * z + own[3] * w < 0.0;
        let sign = if is_far { -1.0 } else { 1.0 };
        own.copy_from_slice(&[x, y, z, w].map(|part| sign * part));
    }

    /// The axes where the rows are.
    #[inline(always)]
    pub(super) fn frame<T: Real>(&self, rows: &[T]) -> Frame<T> {
        let r = [rows[self.turns], rows[self.turns + 1], rows[self.turns + 2]];
        let turns = [0, 1, 2].map(|i| about(self.order[i], r[i], r[i]));
        let [e1, e2, e3] = self.order.map(|axis| unit(axis, r[0]));
        let columns = [turns[2].transpose_times(turns[1].transpose_times(e1)), turns[2].transpose_times(e2), e3];
        let [c1, c2, c3] = columns;
        let normals = [c2.cross(c3), c3.cross(c1), c1.cross(c2)];
        let one_over = c1.x.constant(1.0) / c1.dot(normals[0]);
        let inverse = normals.map(|normal| normal.times(one_over));
        // The anchor is in r₁ of a spherical joint, which has no slides to turn.
        Frame { columns, inverse, rotation: turns[0] * turns[1] * turns[2] }
    }

    /// Local rates of velocities, each in the velocity's place.
    #[inline(always)]
    pub(super) fn rates<T: Real>(&self, at: &Frame<T>, v: &[T], rates: &mut [T]) {
        self.put_turns(rates, at.inverse.map(|row| row.dot(get(v, self.omega()))));
        if self.slides.is_some() {
            put(rates, self.v, at.rotation * get(v, self.v));
        }
    }

    /// Velocities of local rates.
    #[inline(always)]
    pub(super) fn velocities_of<T: Real>(&self, at: &Frame<T>, rates: &[T], v: &mut [T]) {
        put(v, self.omega(), combined(&at.columns, self.turns_of(rates)));
        if self.slides.is_some() {
            put(v, self.v, at.rotation.transpose_times(get(rates, self.v)));
        }
    }

    /// Local accelerations of rates of velocities; `v` are velocities and `rates` their local rates.
    #[inline(always)]
    pub(super) fn accelerations<T: Real>(&self, at: &Frame<T>, v: &[T], rates: &[T], a: &[T], accelerations: &mut [T]) {
        let rest = get(a, self.omega()) - at.bias(self.turns_of(rates));
        self.put_turns(accelerations, at.inverse.map(|row| row.dot(rest)));
        if self.slides.is_some() {
            let carried = get(v, self.omega()).cross(get(v, self.v));
            put(accelerations, self.v, at.rotation * (get(a, self.v) + carried));
        }
    }

    /// Rates of velocities of local accelerations.
    #[inline(always)]
    pub(super) fn velocity_rates<T: Real>(
        &self,
        at: &Frame<T>,
        v: &[T],
        rates: &[T],
        accelerations: &[T],
        a: &mut [T],
    ) {
        let turning = combined(&at.columns, self.turns_of(accelerations)) + at.bias(self.turns_of(rates));
        put(a, self.omega(), turning);
        if self.slides.is_some() {
            let carried = get(v, self.omega()).cross(get(v, self.v));
            put(a, self.v, at.rotation.transpose_times(get(accelerations, self.v)) - carried);
        }
    }

    /// Forces along the velocities of forces along the local rates.
    #[inline(always)]
    pub(super) fn forces<T: Real>(&self, at: &Frame<T>, local: &[T], tau: &mut [T]) {
        put(tau, self.omega(), combined(&at.inverse, self.turns_of(local)));
        if self.slides.is_some() {
            put(tau, self.v, at.rotation.transpose_times(get(local, self.v)));
        }
    }

    /// Forces along the local rates of forces along the velocities.
    #[inline(always)]
    pub(super) fn local_forces<T: Real>(&self, at: &Frame<T>, tau: &[T], local: &mut [T]) {
        self.put_turns(local, at.columns.map(|column| column.dot(get(tau, self.omega()))));
        if self.slides.is_some() {
            put(local, self.v, at.rotation * get(tau, self.v));
        }
    }

    /// Ḃ w where r = 0, with local rates B v: at w = v what local accelerations have beside those of the velocities.
    #[inline(always)]
    pub(super) fn bias_at_zero<T: Real>(&self, v: &[T], w: &[T], bias: &mut [T]) {
        let [_, r2, r3] = self.turns_of(v);
        let [w1, w2, _] = self.turns_of(w);
        let [e1, e2, e3] = self.order.map(|axis| unit(axis, w1));
        let turning = e1.cross(e2).times(r2 * w1) + e1.cross(e3).times(r3 * w1) + e2.cross(e3).times(r3 * w2);
        put(bias, self.omega(), -turning);
        if self.slides.is_some() {
            put(bias, self.v, get(v, self.omega()).cross(get(w, self.v)));
        }
    }

    /// Numbers of the turns in the order of the rows.
    #[inline(always)]
    fn turns_of<T: Copy>(&self, numbers: &[T]) -> [T; 3] {
        self.order.map(|axis| numbers[self.omega() + axis])
    }

    #[inline(always)]
    fn put_turns<T>(&self, numbers: &mut [T], turns: [T; 3]) {
        for (axis, turn) in self.order.into_iter().zip(turns) {
            numbers[self.omega() + axis] = turn;
        }
    }

    /// The position that is reached from `q` by moving for a unit of time with the velocities `v`: q ⊕ v.
    pub(super) fn integrate(&self, q: &mut [f64], v: &[f64]) {
        let (mut at, omega) = (self.pose(q), get(v, self.omega()));
        if self.slides.is_some() {
            let way = crate::spatial::omega_of_rotation_vector_rate(omega) * get(v, self.v);
            at.position = at.position + at.rotation * way;
        }
        at.rotation = at.rotation * crate::spatial::turned(&Mat3::identity(0.0), omega);
        self.put_pose(&at, q);
    }

    /// The velocities that lead from one position to another in a unit of time: `to` ⊖ `from`.
    pub(super) fn difference(&self, from: &[f64], to: &[f64], v: &mut [f64]) {
        let (from, to) = (self.pose(from), self.pose(to));
        let between = from.inverse() * to;
        let omega = crate::spatial::turn_between(&Mat3::identity(0.0), &between.rotation);
        put(v, self.omega(), omega);
        if self.slides.is_some() {
            put(v, self.v, crate::spatial::rotation_vector_rate(omega, between.position));
        }
    }

    /// The norm of its quaternion.
    pub(super) fn norm(&self, q: &[f64]) -> f64 {
        self.quaternion_of(q).norm()
    }

    /// Makes its quaternion one of unit norm.
    pub(super) fn normalise(&self, q: &mut [f64]) {
        let at = self.quaternion();
        let Quaternion { x, y, z, w } = self.quaternion_of(q).normalized();
        q[at..at + 4].copy_from_slice(&[x, y, z, w]);
    }

    fn quaternion_of(&self, q: &[f64]) -> Quaternion {
        let at = self.quaternion();
        Quaternion { x: q[at], y: q[at + 1], z: q[at + 2], w: q[at + 3] }
    }

    fn pose(&self, q: &[f64]) -> Pose<f64> {
        let position = if self.slides.is_some() { get(q, self.q) } else { Vec3::zero(0.0) };
        Pose { rotation: self.quaternion_of(q).normalized().rotation(), position }
    }

    fn put_pose(&self, pose: &Pose<f64>, q: &mut [f64]) {
        if self.slides.is_some() {
            put(q, self.q, pose.position);
        }
        let (at, before) = (self.quaternion(), self.quaternion_of(q));
        let found = Quaternion::of_rotation(&pose.rotation);
        // Of the two that are the same attitude the one nearer to where it was.
        let same = found.x * before.x + found.y * before.y + found.z * before.z + found.w * before.w;
        let sign = if same < 0.0 { -1.0 } else { 1.0 };
        q[at..at + 4].copy_from_slice(&[sign * found.x, sign * found.y, sign * found.z, sign * found.w]);
    }
}

impl<T: Real> Frame<T> {
    /// ṙ₁ ṙ₂ c₁ × c₂ + ṙ₁ ṙ₃ c₁ × c₃ + ṙ₂ ṙ₃ c₂ × c₃
    #[inline(always)]
    fn bias(&self, [r1, r2, r3]: [T; 3]) -> Vec3<T> {
        let [c1, c2, c3] = self.columns;
        c1.cross(c2).times(r1 * r2) + c1.cross(c3).times(r1 * r3) + c2.cross(c3).times(r2 * r3)
    }
}

#[inline(always)]
fn get<T: Copy>(numbers: &[T], first: usize) -> Vec3<T> {
    Vec3::new(numbers[first], numbers[first + 1], numbers[first + 2])
}

#[inline(always)]
fn put<T>(numbers: &mut [T], first: usize, v: Vec3<T>) {
    for (number, x) in numbers[first..first + 3].iter_mut().zip(v.to_array()) {
        *number = x;
    }
}

#[inline(always)]
fn combined<T: Real>(vectors: &[Vec3<T>; 3], [a, b, c]: [T; 3]) -> Vec3<T> {
    vectors[0].times(a) + vectors[1].times(b) + vectors[2].times(c)
}

#[inline(always)]
fn unit<T: Real>(axis: usize, like: T) -> Vec3<T> {
    let mut unit = [like.zero(); 3];
    unit[axis] = like.constant(1.0);
    unit.into()
}

/// The rotation about an axis.
#[inline(always)]
fn about<T: Real>(axis: usize, angle: T, like: T) -> Mat3<T> {
    let (sin, cos) = angle.sin_cos();
    let (one, zero) = (like.constant(1.0), like.zero());
    Mat3::from_rows(match axis {
        0 => [Vec3::new(one, zero, zero), Vec3::new(zero, cos, -sin), Vec3::new(zero, sin, cos)],
        1 => [Vec3::new(cos, zero, sin), Vec3::new(zero, one, zero), Vec3::new(-sin, zero, cos)],
        _ => [Vec3::new(cos, -sin, zero), Vec3::new(sin, cos, zero), Vec3::new(zero, zero, one)],
    })
}
