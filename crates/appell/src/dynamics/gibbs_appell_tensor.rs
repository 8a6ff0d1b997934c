//! Inverse dynamics and bias by the Gibbs-Appell equations in tensor form, O(n)  [Mata2002, §4.1].
//!
//! The generalised force is the derivative of Gibbs' function G by the joint's acceleration, τⱼ = ∂G/∂q̈ⱼ (eq. 5).
//! Written out and summed recursively, this is one sweep outwards for the motion and one inwards for the forces.
//!
//! | symbol | meaning | unit | frame |
//! |---|---|---|---|
//! | ω, ω̇ | angular velocity, acceleration | rad/s, rad/s² | body |
//! | Ω | ω̇~ + ω~ω~, angular acceleration tensor | 1/s² | body |
//! | s̈ | acceleration of the body's origin, minus gravity | m/s² | body |
//! | r̈ | acceleration of the centre of mass, minus gravity | m/s² | body |
//! | J | Euler's tensor ½ tr(I) 1 − I | kg m² | body |
//! | f, t | force at, moment about the centre of mass | N, N m | body |
//! | φ | force of all bodies beyond | N | body |
//! | χ | moment about the origin, of this body and all beyond | N m | body |
//!
//! Cost for n revolute joints on a chain: 96n − 101 × and 84n − 100 +, as the paper says; the bias without the
//! terms of q̈ costs 96n − 110 × and 83n − 106 +.

use super::link_origins::spin_tensor;
use super::{along_z, joint_effects};
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism, Offset, Spin};
use crate::real::Real;
use crate::spatial::{Mat3, PlanarRotation, Sym3, Vec3};

/// What the sweeps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns         at the start
    bodies: Vec<State<T>>,         // motion and forces   outward, inward
    tau: Vec<T>,                   // τ, N m or N         inward
}

#[derive(Debug, Clone, Copy)]
struct State<T> {
    omega: Vec3<T>,      // ω                             outward
    omega_dot: Vec3<T>,  // ω̇                             outward
    tensor: Mat3<T>,     // Ω                             outward
    s_ddot: Vec3<T>,     // s̈                             outward
    force: Vec3<T>,      // f                             outward
    torque: Vec3<T>,     // t                             outward
    carried: Carried<T>, // φ and χ of the children       inward
}

/// The force and the moment of what a body carries, and of the body with it.
#[derive(Debug, Clone, Copy)]
struct Carried<T> {
    phi: Vec3<T>, // φ
    chi: Vec3<T>, // χ, or s × φ + R χ of the children
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (zero, vector) = (like.zero(), Vec3::zero(like));
        let state = State {
            omega: vector,
            omega_dot: vector,
            tensor: Mat3::zero(like),
            s_ddot: vector,
            force: vector,
            torque: vector,
            carried: Carried { phi: vector, chi: vector },
        };
        let n = robot.dof();
        Self { turns: vec![PlanarRotation { cos: zero, sin: zero }; n], bodies: vec![state; n], tau: vec![zero; n] }
    }
}

/// Joint forces τ that give the accelerations `a` at the state `q`, `v`.
///
/// ```
/// use appell::{dynamics::gibbs_appell_tensor, robots};
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let mut workspace = gibbs_appell_tensor::Workspace::new(&robot);
/// let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut workspace, &[0.0; 6], &[0.0; 6], &[0.0; 6]);
/// assert!((tau[1] + 68.6914089516).abs() < 1e-12); // the shoulder holds the arm
/// ```
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn inverse_dynamics<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [T] {
    robot.expect_lengths(&[q, v, a]);
    super::turn_joints(robot, q, &mut ws.turns);
    inverse_dynamics_after_turns(robot, ws, q, v, a)
}

/// Inverse dynamics, where the joints' turns are in the workspace already.
#[inline(always)]
pub(crate) fn inverse_dynamics_after_turns<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [T] {
    sweep(robot, robot.base_acceleration(), &ws.turns, &mut ws.bodies, &mut ws.tau, q, v, Some(a));
    joint_effects::add_to_forces(robot, q, v, Some(a), &mut ws.tau);
    &ws.tau
}

/// Joint forces at q̈ = 0: centrifugal, Coriolis and gravity terms, friction and springs together.
///
/// The recursion of [`inverse_dynamics`] without the terms of q̈  [Mata2002, §3].
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn bias<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    super::turn_joints(robot, q, &mut ws.turns);
    bias_after_turns(robot, ws, q, v)
}

/// Joint forces of the velocities alone: the bias of a robot that weighs nothing.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn coriolis_vector<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q, v]);
    super::turn_joints(robot, q, &mut ws.turns);
    sweep(robot, Vec3::zero(0.0), &ws.turns, &mut ws.bodies, &mut ws.tau, q, v, None);
    &ws.tau
}

impl<T: Real> Workspace<T> {
    /// The joint turns that the functions `…_after_turns` read, to be shared with another method's.
    #[inline(always)]
    pub(crate) fn turns(&mut self) -> &mut Vec<PlanarRotation<T>> {
        &mut self.turns
    }
}

/// The bias, where the joints' turns are in the workspace already.
#[inline(always)]
pub(super) fn bias_after_turns<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T], v: &[T]) -> &'w [T] {
    sweep(robot, robot.base_acceleration(), &ws.turns, &mut ws.bodies, &mut ws.tau, q, v, None);
    joint_effects::add_to_forces(robot, q, v, None, &mut ws.tau);
    &ws.tau
}

/// Both sweeps: along the trunk where that is a plain chain, and through all that hangs on it, or on the base. `up` is the base's
/// acceleration. `a` is absent for the bias: then nothing is computed for it.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the workspace by its parts, and the state")]
fn sweep<T: Real>(
    robot: &Mechanism,
    up: Vec3<f64>,
    turns: &[PlanarRotation<T>],
    bodies: &mut [State<T>],
    tau: &mut [T],
    q: &[T],
    v: &[T],
    a: Option<&[T]>,
) {
    let trunk = robot.plain_trunk();
    if trunk > 0 {
        trunk_outward(robot, up, turns, bodies, q, v, a);
    }
    for (j, link) in robot.links().iter().enumerate().skip(trunk) {
        let (carriers, rest) = bodies.split_at_mut(j);
        let parent = link.parent.map(|p| (&carriers[p], robot.links()[p].spin));
        outward(up, link, parent, &mut rest[0], turns[j], q[j], v[j], a.map(|a| a[j]));
    }
    for (j, link) in robot.links().iter().enumerate().skip(trunk).rev() {
        let carried;
        (tau[j], carried) = inward(link, &bodies[j], bodies[j].carried, a.is_some());
        let Some(p) = link.parent else { continue };
        let (spin, parent) = (robot.links()[p].spin, &mut bodies[p].carried);
        let carried = hand_on(link, spin, carried, turns[j], q[j]);
        *parent = if link.first_met { carried } else { parent.and(carried, spin) };
    }
    if trunk > 0 {
        trunk_inward(robot, turns, bodies, tau, q, a.is_some());
    }
}

/// Outwards along a trunk that is a plain chain: the first two joints are written apart, so that no step has a choice to make.
#[inline(always)]
fn trunk_outward<T: Real>(
    robot: &Mechanism,
    up: Vec3<f64>,
    turns: &[PlanarRotation<T>],
    bodies: &mut [State<T>],
    q: &[T],
    v: &[T],
    a: Option<&[T]>,
) {
    let (links, n) = (robot.links(), robot.plain_trunk());
    let (bodies, turns) = (&mut bodies[..n], &turns[..n]);
    let (q, v, a) = (&q[..n], &v[..n], a.map(|a| &a[..n]));
    let first = links[0].of_plain_chain(None, Spin::AboutZ, false);
    let mut body = bodies[0];
    outward(up, &first, None, &mut body, turns[0], q[0], v[0], a.map(|a| a[0]));
    bodies[0] = body;
    let mut carrier = body;
    let link = links[1].of_plain_chain(Some(0), Spin::General, false);
    let parent = Some((&carrier, Spin::AboutZ));
    outward(up, &link, parent, &mut body, turns[1], q[1], v[1], a.map(|a| a[1]));
    (bodies[1].force, bodies[1].torque) = (body.force, body.torque);
    for j in 2..n {
        carrier = body;
        let link = links[j].of_plain_chain(Some(j - 1), Spin::General, false);
        let parent = Some((&carrier, Spin::General));
        outward(up, &link, parent, &mut body, turns[j], q[j], v[j], a.map(|a| a[j]));
        (bodies[j].force, bodies[j].torque) = (body.force, body.torque);
    }
    if n < links.len() {
        bodies[n - 1] = body; // for those that hang on it
    }
}

/// Inwards along such a trunk, with what its last body carries.
#[inline(always)]
fn trunk_inward<T: Real>(
    robot: &Mechanism,
    turns: &[PlanarRotation<T>],
    bodies: &[State<T>],
    tau: &mut [T],
    q: &[T],
    accelerated: bool,
) {
    let (links, n) = (robot.links(), robot.plain_trunk());
    let (bodies, tau, turns, q) = (&bodies[..n], &mut tau[..n], &turns[..n], &q[..n]);
    let (last, is_chain) = (n - 1, n == links.len());
    let mut carried = bodies[last].carried; // not read where nothing hangs on the last body
    for j in (1..n).rev() {
        let link = links[j].of_plain_chain(Some(j - 1), Spin::General, is_chain && j == last);
        (tau[j], carried) = inward(&link, &bodies[j], carried, accelerated);
        carried = hand_on(&link, if j == 1 { Spin::AboutZ } else { Spin::General }, carried, turns[j], q[j]);
    }
    let first = links[0].of_plain_chain(None, Spin::AboutZ, false);
    (tau[0], _) = inward(&first, &bodies[0], carried, accelerated);
}

/// Motion of one body from its parent's, and the force and moment this motion needs.
///
/// ```text
/// ω = Rᵀωₚ + z q̇                    ω̇ = Rᵀω̇ₚ + z q̈ + Rᵀωₚ × z q̇        Ω = ω̇~ + ω~ω~     (eq. 12)
/// s̈ = Rᵀ(s̈ₚ + Ωₚ s)                 r̈ = s̈ + Ω r
/// f = m r̈                (eq. 9)    t~ = ΩJ − (ΩJ)ᵀ              (eq. 10)
/// ```
///
/// Departs from the paper: a prismatic joint, which §4.1 leaves out, has no terms in ω and ω̇ and adds
/// `2 ω × z q̇ + z q̈` to s̈.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "one step of a recursion reads all of these")]
fn outward<T: Real>(
    up: Vec3<f64>,
    link: &Link,
    parent: Option<(&State<T>, Spin)>,
    body: &mut State<T>,
    turn: PlanarRotation<T>,
    q: T,
    v: T,
    a: Option<T>,
) {
    let place = &link.placement;
    let s = place.offset(q);
    // s̈ of a point that stays on the parent
    body.s_ddot = match parent {
        None => match along_z(up) {
            Some(up) => place.to_body_along_z(turn, v.constant(up)),
            None => place.to_body(turn, up.lift(v)),
        },
        Some((parent, Spin::Still)) => place.to_body(turn, parent.s_ddot),
        Some((parent, Spin::AboutZ)) => place.to_body(turn, parent.s_ddot + plane(&parent.tensor, s, a.is_some())),
        Some((parent, Spin::General)) => place.to_body(turn, parent.s_ddot + s.times(&parent.tensor)),
    };
    // what a joint on a turning parent inherits of its motion
    let inherited = match parent {
        None | Some((_, Spin::Still)) => None,
        Some((parent, Spin::AboutZ)) => Some((
            place.to_body_along_z(turn, parent.omega.z),
            a.map(|_| place.to_body_along_z(turn, parent.omega_dot.z)),
        )),
        Some((parent, Spin::General)) => {
            Some((place.to_body(turn, parent.omega), Some(place.to_body(turn, parent.omega_dot))))
        }
    };
    match (inherited, link.joint) {
        (None, JointKind::Prismatic) => {
            body.s_ddot.z = plus(body.s_ddot.z, a);
            body.force = body.s_ddot.scale(link.mass);
        }
        (None, JointKind::Revolute) => {
            body.omega.z = v;
            body.tensor.rows[0].x = -(v * v);
            body.tensor.rows[1].y = -(v * v);
            if let Some(a) = a {
                body.omega_dot.z = a;
                body.tensor.rows[0].y = -a;
                body.tensor.rows[1].x = a;
                body.torque.z = a.scale(link.inertia.zz);
            }
            let r_ddot = body.s_ddot + plane(&body.tensor, Offset::Fixed(link.com), a.is_some());
            body.force = r_ddot.scale(link.mass); // eq. 9
        }
        (Some((omega, omega_dot)), joint) => {
            (body.omega, body.omega_dot) = match joint {
                JointKind::Revolute => {
                    let (x, y) = (omega.y * v, -(omega.x * v)); // ω × z q̇
                    let omega_dot = match omega_dot {
                        Some(carried) => Vec3::new(carried.x + x, carried.y + y, plus(carried.z, a)),
                        None => Vec3::new(x, y, v.zero()),
                    };
                    (Vec3::new(omega.x, omega.y, omega.z + v), omega_dot)
                }
                JointKind::Prismatic => {
                    let coriolis = Vec3::new(omega.y * (v + v), -(omega.x * (v + v)), v.zero());
                    body.s_ddot = body.s_ddot + coriolis;
                    body.s_ddot.z = plus(body.s_ddot.z, a);
                    (omega, omega_dot.unwrap_or(Vec3::zero(v)))
                }
            };
            body.tensor = spin_tensor(body.omega, body.omega_dot); // eq. 12
            let r_ddot = body.s_ddot + body.tensor.times_fixed(link.com);
            body.force = r_ddot.scale(link.mass); // eq. 9
            body.torque = euler_moment(&body.tensor, &link.euler); // eq. 10
        }
    }
}

/// Reads the joint's force, and adds the body's own force and moment to those of the bodies that it carries.
///
/// ```text
/// φ ← f + φ                               (of eq. 16)
/// χ ← r × f + χ + t                       (of eq. 15)
/// τ = z · χ  (revolute),  z · φ  (prismatic)                                     (eq. 14)
/// ```
#[inline(always)]
fn inward<T: Real>(link: &Link, body: &State<T>, carried: Carried<T>, accelerated: bool) -> (T, Carried<T>) {
    let mut chi = carried.chi;
    match link.spin {
        Spin::Still => {}
        Spin::AboutZ => {
            let own = link.com.cross_moving_z(body.force);
            let own = if accelerated { own + body.torque.z } else { own };
            chi.z = if link.leaf { own } else { own + chi.z };
        }
        Spin::General => {
            let own = link.com.cross_moving(body.force) + body.torque;
            chi = if link.leaf { own } else { own + chi }; // eq. 15
        }
    }
    let phi = match (link.leaf, link.joint, link.parent) {
        (true, ..) => body.force,
        // eq. 14 needs one component, and nobody reads the others
        (_, JointKind::Prismatic, None) => Vec3::new(carried.phi.x, carried.phi.y, body.force.z + carried.phi.z),
        (_, JointKind::Revolute, None) => carried.phi,
        _ => body.force + carried.phi,
    };
    let tau = link.joint.pick(chi.z, phi.z);
    (tau, Carried { phi, chi })
}

/// The force and the moment of a body and all beyond, handed to its parent.
///
/// ```text
/// φₚ = R φ                   (eq. 16)
/// χₚ = s × φₚ + R χ          (of eq. 15)
/// ```
#[inline(always)]
fn hand_on<T: Real>(link: &Link, parent_spin: Spin, carried: Carried<T>, turn: PlanarRotation<T>, q: T) -> Carried<T> {
    let place = &link.placement;
    let s = place.offset(q);
    let phi = place.to_parent(turn, carried.phi); // eq. 16
    let chi = match parent_spin {
        Spin::Still => carried.chi,
        Spin::AboutZ => {
            let z = s.cross_z(phi) + place.to_parent_z(turn, carried.chi);
            Vec3::new(z.zero(), z.zero(), z)
        }
        Spin::General => s.cross(phi) + place.to_parent(turn, carried.chi),
    };
    Carried { phi, chi }
}

impl<T: Real> Carried<T> {
    /// Both together, on a body that turns like this.
    #[inline(always)]
    fn and(self, other: Self, spin: Spin) -> Self {
        let chi = match spin {
            Spin::Still => self.chi,
            Spin::AboutZ => Vec3::new(self.chi.x, self.chi.y, self.chi.z + other.chi.z),
            Spin::General => self.chi + other.chi,
        };
        Self { phi: self.phi + other.phi, chi }
    }
}

/// x + a, where there is an a.
#[inline(always)]
fn plus<T: Real>(x: T, a: Option<T>) -> T {
    match a {
        Some(a) => x + a,
        None => x,
    }
}

/// Ω s for a body that turns about z: 4 × and 2 +, or 2 × without q̈.
#[inline(always)]
fn plane<T: Real>(tensor: &Mat3<T>, s: Offset<T>, accelerated: bool) -> Vec3<T> {
    let [first, second, _] = tensor.rows;
    let (x, y) = (s.x_times(first.x), s.y_times(second.y));
    let zero = x.zero();
    if accelerated { Vec3::new(x + s.y_times(first.y), s.x_times(second.x) + y, zero) } else { Vec3::new(x, y, zero) }
}

/// The vector t of ΩJ − (ΩJ)ᵀ, in 15 × and 15 +: the moment I ω̇ + ω × I ω  [Mata2002, eq. 10].
#[inline(always)]
fn euler_moment<T: Real>(omega: &Mat3<T>, j: &Sym3<f64>) -> Vec3<T> {
    let [a, b, c] = omega.rows;
    let x = (c.z - b.y).scale_add(j.yz, c.x.scale_sub(j.xy, b.x.scale(j.xz)) + c.y.scale_sub(j.yy, b.z.scale(j.zz)));
    let y = (a.x - c.z).scale_add(j.xz, a.y.scale_sub(j.yz, c.y.scale(j.xy)) + a.z.scale_sub(j.zz, c.x.scale(j.xx)));
    let z = (b.y - a.x).scale_add(j.xy, b.z.scale_sub(j.xz, a.z.scale(j.yz)) + b.x.scale_sub(j.xx, a.y.scale(j.yy)));
    Vec3::new(x, y, z)
}
