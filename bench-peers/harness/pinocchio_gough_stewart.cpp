// Pinocchio on the Gough-Stewart platform, 6-UPS: pinocchio_gough_stewart PEER FLAT [STATES]
//
// Inverse dynamics (IDM) goes from the platform's motion to the legs' forces, forward dynamics (FDM) back. Pinocchio has trees and
// constraints: tree A, legs beside a free platform and six points that coincide (nv 24, nc 18), and tree B, whose platform hangs on
// the first leg (nv 21, nc 15). The hand-specialised programs are what a careful user would write around rnea and crba: leg
// kinematics in closed form, 3 x 3 blocks per leg and one 6 x 6 solution. STATES gets q, v, a and f of tree A, a line per state.
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include "bench.hpp"
#include <Eigen/Dense>
using namespace pinocchio;
using bench::STATES;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using V6 = Eigen::Matrix<double, 6, 1>;
using M6 = Eigen::Matrix<double, 6, 6>;
constexpr int LEGS = 6, NQ = 25, NV = 24, NC = 18, PLATFORM = 18; // tree A: the platform's velocity comes after the legs'

struct Robot {
  Vector3d gravity, home, B[LEGS], P[LEGS];
  Inertia lower, upper, platform;
};
static Robot read(const char *file) {
  std::ifstream in(file);
  const auto vector = [&] {
    Vector3d x;
    in >> x[0] >> x[1] >> x[2];
    return x;
  };
  const auto body = [&] {
    double mass;
    in >> mass;
    const Vector3d centre = vector(), diagonal = vector();
    return Inertia(mass, centre, Matrix3d(diagonal.asDiagonal()));
  };
  Robot robot;
  robot.gravity = vector(), robot.home = vector();
  for (auto &B : robot.B) B = vector();
  for (auto &P : robot.P) P = vector();
  robot.lower = body(), robot.upper = body(), robot.platform = body();
  if (!in) throw std::runtime_error(std::string("cannot read ") + file);
  return robot;
}

// Motion of the platform's origin, in base axes.
struct PlatformMotion {
  Vector3d p;
  Matrix3d R;
  Vector3d v, w, a, alpha;
};
static PlatformMotion platform_motion(const Robot &robot, int k) {
  const auto s = [k](int j, double amplitude) { return amplitude * std::sin(0.37 * k + 1.3 * j + 0.4); };
  const auto vector = [&](int j, double x, double y, double z) { return Vector3d(s(j, x), s(j + 1, y), s(j + 2, z)); };
  const Vector3d rpy = vector(3, 0.2, 0.2, 0.25);
  const auto turn = [](double angle, const Vector3d &axis) { return Eigen::AngleAxisd(angle, axis); };
  const Matrix3d R = (turn(rpy[2], Vector3d::UnitZ()) * turn(rpy[1], Vector3d::UnitY()) * turn(rpy[0], Vector3d::UnitX())).toRotationMatrix();
  return {robot.home + vector(0, 0.08, 0.08, 0.06), R, vector(6, 0.5, 0.4, 0.3), vector(9, 0.8, 0.7, 0.9), vector(12, 3, 2, 4), vector(15, 5, 6, 4)};
}

// A leg: angles alpha, beta of its universal joint and length l, so that its direction is u = (sin b, -sin a cos b, cos a cos b).
struct Leg {
  double alpha, beta, length;
  Matrix3d J_inv;    // rates of the three by the velocity of the leg's tip
  Vector3d r;        // from the platform's origin to the tip, base axes
  Vector3d v, bias;  // rates, and their own rates while the platform does not accelerate
  Leg() = default;
  Leg(const Robot &robot, const PlatformMotion &s, int i) {
    r.noalias() = s.R * robot.P[i];
    const Vector3d d = s.p + r - robot.B[i];
    length = d.norm();
    const Vector3d u = d / length;
    const double cb = std::hypot(u[1], u[2]), sb = u[0], ca = u[2] / cb, sa = -u[1] / cb, by_length = 1.0 / length;
    alpha = std::atan2(sa, ca), beta = std::atan2(sb, cb);
    J_inv.row(0) = Vector3d(0, -ca, -sa).transpose() * (by_length / cb);
    J_inv.row(1) = Vector3d(cb, sa * sb, -ca * sb).transpose() * by_length;
    J_inv.row(2) = u.transpose();
    v.noalias() = J_inv * (s.v + s.w.cross(r));
    bias.noalias() = J_inv * s.w.cross(s.w.cross(r));
    bias[0] -= 2 * v[0] * (v[2] * cb - length * v[1] * sb) * by_length / cb;
    bias[1] -= (2 * v[2] * v[1] + length * v[0] * v[0] * sb * cb) * by_length;
    bias[2] += length * (v[1] * v[1] + v[0] * v[0] * cb * cb);
  }
  Vector3d acceleration(const PlatformMotion &s) const { return J_inv * (s.a + s.alpha.cross(r)) + bias; }
};

// Legs on a model; where `hangs`, the platform is on the first one by a spherical joint, else beside them and free.
struct Tree {
  Model model;
  JointIndex tips[LEGS], platform = 0;
  std::vector<RigidConstraintModel> constraints;
  std::vector<RigidConstraintData> constraint_data;
  Tree(const Robot &robot, bool hangs) {
    const auto at = [](const Vector3d &p) { return SE3(Matrix3d::Identity(), p); };
    model.gravity.linear() = robot.gravity;
    for (int i = 0; i < LEGS; ++i) {
      const std::string name = std::to_string(i);
      const JointIndex first = model.addJoint(0, JointModelRX(), at(robot.B[i]), "rx" + name);
      const JointIndex second = model.addJoint(first, JointModelRY(), SE3::Identity(), "ry" + name);
      model.appendBodyToJoint(second, robot.lower, SE3::Identity());
      tips[i] = model.addJoint(second, JointModelPZ(), SE3::Identity(), "pz" + name);
      model.appendBodyToJoint(tips[i], robot.upper, SE3::Identity());
      if (hangs && i == 0) {
        platform = model.addJoint(tips[0], JointModelSpherical(), SE3::Identity(), "platform");
        model.appendBodyToJoint(platform, robot.platform, at(-robot.P[0]));
      }
    }
    if (!hangs) {
      platform = model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), "platform");
      model.appendBodyToJoint(platform, robot.platform, SE3::Identity());
    }
    for (int i = hangs ? 1 : 0; i < LEGS; ++i) {
      const Vector3d tip = hangs ? Vector3d(robot.P[i] - robot.P[0]) : robot.P[i];
      constraints.emplace_back(CONTACT_3D, model, tips[i], SE3::Identity(), platform, at(tip), LOCAL);
    }
    for (auto &constraint : constraints) constraint_data.emplace_back(constraint);
  }
};

// Positions and velocities of tree A; its acceleration `a` where the platform does not accelerate (bias), or as it does.
static void fill(const PlatformMotion &s, const Leg *legs, bool bias, VectorXd &q, VectorXd &v, VectorXd &a) {
  for (int i = 0; i < LEGS; ++i) {
    q.segment<3>(3 * i) << legs[i].alpha, legs[i].beta, legs[i].length;
    v.segment<3>(3 * i) = legs[i].v;
    a.segment<3>(3 * i) = bias ? legs[i].bias : legs[i].acceleration(s);
  }
  q.segment<3>(PLATFORM) = s.p;
  q.segment<4>(PLATFORM + 3) = Eigen::Quaterniond(s.R).coeffs();
  v.segment<3>(PLATFORM).noalias() = s.R.transpose() * s.v;
  v.segment<3>(PLATFORM + 3).noalias() = s.R.transpose() * s.w;
  a.segment<3>(PLATFORM).noalias() = s.R.transpose() * ((bias ? Vector3d(Vector3d::Zero()) : s.a) - s.w.cross(s.v)); // spatial, in body axes
  a.segment<3>(PLATFORM + 3).noalias() = s.R.transpose() * (bias ? Vector3d(Vector3d::Zero()) : s.alpha);
}

struct HandSpecialised {
  const Robot &robot;
  const Model &model;
  Data data;
  VectorXd q = VectorXd(NQ), v = VectorXd(NV), a = VectorXd(NV);
  HandSpecialised(const Robot &robot, const Model &model) : robot(robot), model(model), data(model) {}

  V6 wrench(const PlatformMotion &s) const {
    V6 w;
    w << s.R * data.tau.segment<3>(PLATFORM), s.R * data.tau.segment<3>(PLATFORM + 3);
    return w;
  }
  void inverse(const PlatformMotion &s, V6 &forces) {
    Leg legs[LEGS];
    for (int i = 0; i < LEGS; ++i) legs[i] = Leg(robot, s, i);
    fill(s, legs, false, q, v, a);
    rnea(model, data, q, v, a);
    M6 G;
    V6 w = wrench(s);
    for (int i = 0; i < LEGS; ++i) {
      const Vector3d force = legs[i].J_inv.transpose() * data.tau.segment<3>(3 * i), u = legs[i].J_inv.row(2).transpose();
      w.head<3>() += force, w.tail<3>() += legs[i].r.cross(force);
      G.col(i) << u, legs[i].r.cross(u);
    }
    forces = G.partialPivLu().solve(w);
  }
  void forward(const PlatformMotion &s, const V6 &forces, V6 &acceleration) {
    Leg legs[LEGS];
    for (int i = 0; i < LEGS; ++i) legs[i] = Leg(robot, s, i);
    fill(s, legs, true, q, v, a);
    rnea(model, data, q, v, a);
    crba(model, data, q, Convention::WORLD);
    M6 R = M6::Zero();
    R.topLeftCorner<3, 3>() = R.bottomRightCorner<3, 3>() = s.R;
    const M6 own = data.M.block<6, 6>(PLATFORM, PLATFORM).selfadjointView<Eigen::Upper>();
    M6 M = R * own * R.transpose();
    V6 h = wrench(s);
    for (int i = 0; i < LEGS; ++i) {
      Eigen::Matrix<double, 3, 6> J;
      J.leftCols<3>() = legs[i].J_inv;
      for (int row = 0; row < 3; ++row) J.row(row).tail<3>() = legs[i].r.cross(legs[i].J_inv.row(row).transpose()).transpose();
      const Matrix3d of_leg = data.M.block<3, 3>(3 * i, 3 * i).selfadjointView<Eigen::Upper>();
      Vector3d tau = data.tau.segment<3>(3 * i);
      tau[2] -= forces[i];
      M.noalias() += J.transpose() * (of_leg * J);
      h.noalias() += J.transpose() * tau;
    }
    acceleration = M.llt().solve(-h);
  }
};

int main(int count, char **words) {
  const std::string peer = words[1];
  const Robot robot = read(words[2]);
  Tree A(robot, false), B(robot, true);
  Data data_a(A.model), data_b(B.model);
  HandSpecialised hand(robot, A.model);
  std::vector<PlatformMotion> motions;
  std::vector<VectorXd> q(STATES, VectorXd(NQ)), v(STATES, VectorXd(NV)), a = v, tau(STATES, VectorXd::Zero(NV));
  std::vector<VectorXd> q_b(STATES, VectorXd(22)), v_b(STATES, VectorXd(21)), tau_b(STATES, VectorXd::Zero(21));
  std::vector<V6> forces(STATES);
  for (int k = 0; k < STATES; ++k) {
    motions.push_back(platform_motion(robot, k));
    const PlatformMotion &s = motions[k];
    Leg legs[LEGS];
    for (int i = 0; i < LEGS; ++i) legs[i] = Leg(robot, s, i);
    fill(s, legs, false, q[k], v[k], a[k]);
    hand.inverse(s, forces[k]);
    for (int i = 0; i < LEGS; ++i) {
      tau[k][3 * i + 2] = forces[k][i];
      // Tree B: three numbers of the spherical joint, four of its position, after the first leg.
      const int more = i > 0;
      q_b[k].segment<3>(3 * i + 4 * more) = q[k].segment<3>(3 * i);
      v_b[k].segment<3>(3 * i + 3 * more) = v[k].segment<3>(3 * i);
      tau_b[k][3 * i + 3 * more + 2] = forces[k][i];
    }
    const Matrix3d leg = (Eigen::AngleAxisd(legs[0].alpha, Vector3d::UnitX()) * Eigen::AngleAxisd(legs[0].beta, Vector3d::UnitY())).toRotationMatrix();
    const Vector3d w = legs[0].v[0] * Vector3d::UnitX() + legs[0].v[1] * Vector3d(0, std::cos(legs[0].alpha), std::sin(legs[0].alpha));
    q_b[k].segment<4>(3) = Eigen::Quaterniond(Matrix3d(leg.transpose() * s.R)).coeffs();
    v_b[k].segment<3>(3) = s.R.transpose() * (s.w - w);
  }

  // Inverse dynamics by tree and constraints: multipliers from the passive joints, then the driven ones.
  MatrixXd J(NC, NV), passive(NC, NC);
  VectorXd of_passive(NC), lambda(NC);
  Eigen::PartialPivLU<MatrixXd> lu(NC);
  const auto column = [](int c) { return c < 12 ? 3 * (c / 2) + c % 2 : c + 6; };
  const auto inverse = [&](int k, V6 &out) {
    rnea(A.model, data_a, q[k], v[k], a[k]);
    computeJointJacobians(A.model, data_a, q[k]);
    for (int i = 0; i < LEGS; ++i) A.constraints[i].calc(A.model, data_a, A.constraint_data[i]);
    J.setZero();
    getConstraintsJacobian(A.model, data_a, A.constraints, A.constraint_data, J);
    for (int c = 0; c < NC; ++c) passive.row(c) = J.col(column(c)).transpose(), of_passive[c] = data_a.tau[column(c)];
    lu.compute(passive);
    lambda = lu.solve(of_passive);
    for (int i = 0; i < LEGS; ++i) out[i] = data_a.tau[3 * i + 2] - J.col(3 * i + 2).dot(lambda);
  };

  // All ways agree, before one of them is timed.
  ProximalSettings settings(1e-14, 0.0, 1);
  initConstraintDynamics(A.model, data_a, A.constraints, A.constraint_data);
  initConstraintDynamics(B.model, data_b, B.constraints, B.constraint_data);
  double worst = 0;
  const auto compare = [&](const auto &one, const auto &other) { worst = std::max(worst, (one - other).norm() / other.norm()); };
  for (int k = 0; k < STATES; ++k) {
    V6 found, wanted;
    hand.forward(motions[k], forces[k], found);
    wanted << motions[k].a, motions[k].alpha;
    compare(found, wanted);
    inverse(k, found);
    compare(found, forces[k]);
    compare(constraintDynamics(A.model, data_a, q[k], v[k], tau[k], A.constraints, A.constraint_data, settings), a[k]);
    const VectorXd &a_b = constraintDynamics(B.model, data_b, q_b[k], v_b[k], tau_b[k], B.constraints, B.constraint_data, settings);
    compare(Vector3d(a_b.tail<3>()), Vector3d(a[k].segment<3>(15)));
  }
  std::fprintf(stderr, "gough_stewart by %s: ways differ by %.1e\n", peer.c_str(), worst);
  if (!(worst < 1e-6)) return 1;
  bench::check("gough_stewart", "idm", peer, forces[1], LEGS);
  V6 out;
  hand.forward(motions[1], V6::Constant(60.0), out);
  bench::check("gough_stewart", "fdm60", peer, out, LEGS);
  if (count > 3) {
    std::ofstream file(words[3]);
    file.precision(17);
    for (int k = 0; k < STATES; ++k) file << q[k].transpose() << " " << v[k].transpose() << " " << a[k].transpose() << " " << forces[k].transpose() << "\n";
  }

  const auto time = [&](const char *algorithm, const std::string &note, auto &&call) {
    bench::report("gough_stewart", algorithm, peer, bench::time([&](int k) { call(k % STATES), bench::keep(out); }), note);
  };
  time("IDM platform state -> leg forces (rnea + 3x3 blocks)", "with leg kinematics", [&](int k) { hand.inverse(motions[k], out); });
  time("IDM tree state -> leg forces (rnea + constraint Jacobian + 18x18 LU)", "tree q v a given", [&](int k) { inverse(k, out); });
  time("FDM platform state + forces (rnea+crba+projection 6x6)", "with leg kinematics", [&](int k) { hand.forward(motions[k], forces[k], out); });
  time("FDM constraintDynamics nv=24 nc=18", "tree q v given", [&](int k) {
    constraintDynamics(A.model, data_a, q[k], v[k], tau[k], A.constraints, A.constraint_data, settings), bench::keep(data_a);
  });
  time("FDM constraintDynamics nv=21 nc=15", "tree q v given", [&](int k) {
    constraintDynamics(B.model, data_b, q_b[k], v_b[k], tau_b[k], B.constraints, B.constraint_data, settings), bench::keep(data_b);
  });

  // The loop-constrained articulated-body algorithm iterates: with the number of iterations that is most exact.
  Tree C(robot, false);
  Data data_c(C.model);
  computeJointMinimalOrdering(C.model, data_c, C.constraints);
  double best = INFINITY;
  int iterations = 0;
  const auto lcaba_error = [&](int most) {
    ProximalSettings s(1e-10, 1e-6, most);
    double error = 0;
    for (int k = 0; k < STATES; ++k)
      error = std::max(error, (lcaba(C.model, data_c, q[k], v[k], tau[k], C.constraints, C.constraint_data, s) - a[k]).norm() / a[k].norm());
    return error;
  };
  for (int most : {1, 5, 20}) {
    const double error = lcaba_error(most);
    if (error < best) best = error, iterations = most;
  }
  ProximalSettings chosen(1e-10, 1e-6, iterations);
  char note[80];
  std::snprintf(note, sizeof note, "tree q v given; %d iterations; relative error %.1e", iterations, best);
  time("FDM lcaba nv=24 nc=18", note, [&](int k) {
    lcaba(C.model, data_c, q[k], v[k], tau[k], C.constraints, C.constraint_data, chosen), bench::keep(data_c);
  });
}
