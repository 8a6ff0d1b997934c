//! Inertia matrix as the Hessian of Gibbs' function, O(n²)  [Mata2002, §4.2].
//!
//! D_jk = ∂²G/∂q̈ⱼ∂q̈ₖ (eq. 19) depends only on the composite body j, that is body j with all that hangs on it, and on
//! where the axis k passes it.
//!
//! | symbol | meaning | unit | frame |
//! |---|---|---|---|
//! | M | mass of the composite body | kg | |
//! | s_kj | O_k → O_j | m | j |
//! | u_kj | ∂ω̇ⱼ/∂q̈ₖ: the axis of joint k | 1 | j |
//! | φ | first moment of the composite body about O_j | kg m | j |
//! | ψ | inertia of the composite body about O_j | kg m² | j |
//!
//! Cost for n revolute joints on a chain: 11.5n² + 19.5n − 49 × and 8.5n² + 31.5n − 69 +, as the paper says. The paper
//! takes the entries of the rotation matrices as given; the two products per joint that this needs are counted apart,
//! under [`ROTATION`].

use super::joint_effects;
use crate::description::JointKind;
use crate::mechanism::{Link, Mechanism, Offset, Spin};
use crate::real::Real;
use crate::spatial::{PlanarRotation, Sym3, Vec3};

/// The name under which [`Counted`](crate::real::Counted) finds the entries of the rotation matrices.
pub const ROTATION: &str = "rotation";

/// The names of the steps that compute, under which [`Counted`](crate::real::Counted) reports them.
pub const STEPS: [&str; 5] = ["step 2", "step 3", "step 4", "step 5", "step 7"];

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    turns: Vec<PlanarRotation<T>>, // joint turns                       at the start
    segments: Vec<Vec3<T>>,        // s_kj at j n + k                   step 2
    axes: Vec<Vec3<T>>,            // u_kj at j n + k                   step 3
    bodies: Vec<CompositeBody<T>>, // φ and ψ                           steps 4 and 5
    matrix: Vec<T>,                // D, all entries, row by row        steps 6 and 7
}

#[derive(Debug, Clone, Copy)]
struct CompositeBody<T> {
    phi: Vec3<T>, // φ, from the children inwards
    psi: Sym3<T>, // ψ, from the children inwards
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, zero, vector) = (robot.dof(), like.zero(), Vec3::zero(like));
        Self {
            turns: vec![PlanarRotation { cos: zero, sin: zero }; n],
            segments: vec![vector; n * n],
            axes: vec![vector; n * n],
            bodies: vec![CompositeBody { phi: vector, psi: Sym3::zero(like) }; n],
            matrix: vec![zero; n * n],
        }
    }

    /// The joint turns that [`inertia_after_turns`] reads, to be shared with another method's.
    #[inline(always)]
    pub(crate) fn turns(&mut self) -> &mut Vec<PlanarRotation<T>> {
        &mut self.turns
    }
}

/// The inertia matrix D at the configuration `q`, all n² entries row by row.
///
/// # Panics
/// If `q` does not have one value per joint.
#[inline(always)]
pub fn inertia_matrix<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    robot.expect_lengths(&[q]);
    super::turn_joints(robot, q, &mut ws.turns);
    inertia_after_turns(robot, ws, q)
}

/// The inertia matrix, where the joints' turns are in the workspace already.
#[inline(always)]
pub(crate) fn inertia_after_turns<'w, T: Real>(robot: &Mechanism, ws: &'w mut Workspace<T>, q: &[T]) -> &'w [T] {
    if robot.is_plain_chain() {
        plain_steps(robot, ws, q);
    } else {
        steps(robot, ws, q);
    }
    joint_effects::add_to_inertia(robot, &mut ws.matrix);
    &ws.matrix
}

/// All steps, on any robot.
#[inline(always)]
fn steps<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T]) {
    let n = robot.dof();
    for (j, link) in robot.links().iter().enumerate() {
        if let Some(p) = link.parent {
            let carriers = || (p, robot.path_to_base(p).skip(1));
            let (before, own) = ws.segments.split_at_mut(j * n);
            look_back(link, ws.turns[j], q[j], carriers(), &before[p * n..], own);
            let (before, own) = ws.axes.split_at_mut(j * n);
            turn_axes(link, ws.turns[j], carriers(), &before[p * n..], own);
        }
        let constants = &link.composite;
        let body = &mut ws.bodies[j];
        body.phi = constants.first_moment.lift(q[j]); // γ
        body.psi = constants.inertia.lift(q[j]); // E, or H at a leaf
    }
    for (j, link) in robot.links().iter().enumerate().rev() {
        if let Some(p) = link.parent {
            let (carriers, rest) = ws.bodies.split_at_mut(j);
            compose(link, robot.links()[p].spin, &rest[0], &mut carriers[p], ws.turns[j], q[j]);
        }
        let body = &ws.bodies[j];
        ws.matrix[j * n + j] = match link.joint {
            JointKind::Revolute => body.psi.zz, // step 6
            JointKind::Prismatic => q[j].constant(link.composite.mass),
        };
        T::section(STEPS[4]);
        for k in robot.path_to_base(j).skip(1) {
            let entry = couple(link, robot.links()[k].joint, body, ws.axes[j * n + k], ws.segments[j * n + k]);
            ws.matrix[j * n + k] = entry;
            ws.matrix[k * n + j] = entry;
        }
    }
}

/// The same on a plain chain: rows of neighbours, the composite body carried along, and no choice in a step.
#[inline(always)]
fn plain_steps<T: Real>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T]) {
    let (links, n) = (robot.links(), robot.dof());
    let (turns, q) = (&ws.turns[..n], &q[..n]);
    for j in 1..n {
        let link = links[j].of_plain_chain(Some(j - 1), Spin::General, false);
        let (before, own) = ws.segments.split_at_mut(j * n);
        let (of_parent, own) = (&before[(j - 1) * n..][..j - 1], &mut own[..j]);
        look_back(&link, turns[j], q[j], (j - 1, 0..j - 1), of_parent, own);
        let (before, own) = ws.axes.split_at_mut(j * n);
        let (of_parent, own) = (&before[(j - 1) * n..][..j - 1], &mut own[..j]);
        turn_axes(&link, turns[j], (j - 1, 0..j - 1), of_parent, own);
    }
    let lifted = {
        #[inline(always)]
        |j: usize| CompositeBody {
            phi: links[j].composite.first_moment.lift(q[j]), // γ
            psi: links[j].composite.inertia.lift(q[j]),      // E, or H at the tip
        }
    };
    let mut body = lifted(n - 1);
    for j in (1..n).rev() {
        let link = links[j].of_plain_chain(Some(j - 1), Spin::General, false);
        ws.matrix[j * n + j] = body.psi.zz; // step 6
        T::section(STEPS[4]);
        let (above, own) = ws.matrix.split_at_mut(j * n);
        let (axes, segments) = (&ws.axes[j * n..][..j], &ws.segments[j * n..][..j]);
        for (k, ((&axis, &segment), below)) in axes.iter().zip(segments).zip(own).enumerate() {
            let entry = couple(&link, JointKind::Revolute, &body, axis, segment);
            *below = entry;
            above[k * n + j] = entry;
        }
        let mut parent = lifted(j - 1);
        if j == 1 {
            compose(&link, Spin::AboutZ, &body, &mut parent, turns[j], q[j]);
        } else {
            compose(&link, Spin::General, &body, &mut parent, turns[j], q[j]);
        }
        body = parent;
    }
    ws.matrix[0] = body.psi.zz;
}

/// Step 2: the joints that carry body j, seen from it, by what its parent p sees.
///
/// ```text
/// s_kj = Rᵀ (s_kp + s_j)
/// ```
///
/// Departs from the paper: it turns the sum of the segments, not each segment, in as many operations.
#[inline(always)]
fn look_back<T: Real>(
    link: &Link,
    turn: PlanarRotation<T>,
    q: T,
    (p, carriers): (usize, impl Iterator<Item = usize>),
    of_parent: &[Vec3<T>],
    own: &mut [Vec3<T>],
) {
    let place = &link.placement;
    let segment = place.offset(q).vector(q);
    T::section(STEPS[0]);
    own[p] = place.to_body(turn, segment);
    for k in carriers {
        own[k] = place.to_body(turn, of_parent[k] + segment);
    }
}

/// Step 3: their axes.
///
/// ```text
/// u_kj = Rᵀ u_kp,  u_pj = third row of R
/// ```
#[inline(always)]
fn turn_axes<T: Real>(
    link: &Link,
    turn: PlanarRotation<T>,
    (p, carriers): (usize, impl Iterator<Item = usize>),
    of_parent: &[Vec3<T>],
    own: &mut [Vec3<T>],
) {
    T::section(ROTATION);
    own[p] = link.placement.parent_axis_in_body(turn);
    T::section(STEPS[1]);
    for k in carriers {
        own[k] = link.placement.to_body(turn, of_parent[k]);
    }
}

/// Steps 4 and 5: adds the composite body of a child to its parent's.
///
/// ```text
/// p = R φ,  φₚ = γₚ + Σ p        ψₚ = Eₚ + Σ ( R ψ Rᵀ − s~p~ − (s~p~)ᵀ )
/// ```
///
/// A body that turns about z needs the zz entry of ψ alone, one that does not turn needs nothing. Where the joint
/// slides, s is not constant, and its part of γ and E is added here.
#[inline(always)]
fn compose<T: Real>(
    link: &Link,
    parent_spin: Spin,
    body: &CompositeBody<T>,
    parent: &mut CompositeBody<T>,
    turn: PlanarRotation<T>,
    q: T,
) {
    if parent_spin == Spin::Still {
        return;
    }
    let place = &link.placement;
    T::section(STEPS[2]);
    let moment = place.to_parent(turn, body.phi);
    parent.phi = parent.phi + moment;
    T::section(STEPS[3]);
    let s = place.offset(q);
    if let Offset::Sliding(s) = s {
        let mass = q.constant(link.composite.mass);
        parent.phi = parent.phi + s.times(mass);
        parent.psi = parent.psi + Sym3::of_point_mass(mass, s);
    }
    let (s, p) = (s.vector(q), moment);
    let (xx, yy) = (s.x * p.x, s.y * p.y);
    let both = xx + yy;
    if parent_spin == Spin::AboutZ {
        parent.psi.zz = parent.psi.zz + both + both + place.tensor_to_parent_zz(turn, body.psi);
        return;
    }
    let zz = s.z * p.z;
    let turned = place.tensor_to_parent(turn, body.psi);
    let psi = &mut parent.psi;
    let (xx_entry, yy_entry) = (yy + zz, xx + zz);
    psi.xx = psi.xx + xx_entry + xx_entry + turned.xx;
    psi.yy = psi.yy + yy_entry + yy_entry + turned.yy;
    psi.zz = psi.zz + both + both + turned.zz;
    psi.xy = psi.xy - s.x * p.y - s.y * p.x + turned.xy;
    psi.xz = psi.xz - s.x * p.z - s.z * p.x + turned.xz;
    psi.yz = psi.yz - s.y * p.z - s.z * p.y + turned.yz;
}

/// Step 7: what a unit acceleration of joint j demands of joint k that carries it.
///
/// ```text
/// D_jk = u · (N + s_kj × F)  (k revolute),  u · F  (k prismatic)
/// F = z × φ, N = ψ z  (j revolute)        F = M z, N = φ × z  (j prismatic)
/// ```
///
/// Departs from the paper, which has revolute joints only.
#[inline(always)]
fn couple<T: Real>(link: &Link, carrier: JointKind, body: &CompositeBody<T>, u: Vec3<T>, s: Vec3<T>) -> T {
    let (phi, psi, mass) = (body.phi, &body.psi, link.composite.mass);
    match (link.joint, carrier) {
        (JointKind::Revolute, JointKind::Revolute) => {
            let moment =
                Vec3::new(psi.xz - s.z * phi.x, psi.yz - s.z * phi.y, s.x.mul_add(phi.x, s.y.mul_add(phi.y, psi.zz)));
            u.dot(moment)
        }
        (JointKind::Revolute, JointKind::Prismatic) => u.y.mul_sub(phi.x, u.x * phi.y),
        (JointKind::Prismatic, JointKind::Revolute) => {
            let (x, y) = (s.x.scale_add(mass, phi.x), s.y.scale_add(mass, phi.y));
            u.x.mul_sub(y, u.y * x)
        }
        (JointKind::Prismatic, JointKind::Prismatic) => u.z.scale(mass),
    }
}
