// KDL on chains, and its inverse dynamics on trees, as it is packaged: kdl_trees PEER FLAT...
#include "bench.hpp"
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
using namespace KDL;
using bench::STATES;

static Frame frame(const bench::Joint &j) {
  return Frame(Rotation(j.R[0], j.R[1], j.R[2], j.R[3], j.R[4], j.R[5], j.R[6], j.R[7], j.R[8]), Vector(j.p[0], j.p[1], j.p[2]));
}
static RigidBodyInertia inertia(const bench::Joint &j) { // KDL's order is xx yy zz xy xz yz
  return RigidBodyInertia(j.m, Vector(j.c[0], j.c[1], j.c[2]), RotationalInertia(j.I[0], j.I[3], j.I[5], j.I[1], j.I[2], j.I[4]));
}

struct States {
  std::vector<JntArray> q, v, a;
  States(int n, const std::vector<int> &at) : q(STATES, JntArray(n)), v(q), a(q) {
    for (int k = 0; k < STATES; ++k)
      for (int i = 0; i < n; ++i) q[k](at[i]) = bench::q(k, i), v[k](at[i]) = bench::v(k, i), a[k](at[i]) = bench::a(k, i);
  }
};

int main(int count, char **words) {
  const std::string peer = words[1];
  const Vector gravity(0, 0, -9.81);
  for (int file = 2; file < count; ++file) {
    const bench::Model robot = bench::read(words[file]);
    const int n = robot.n();
    JntArray out(n);
    std::vector<int> at(n);
    const auto time = [&](const char *algorithm, auto &&call) {
      bench::report(robot.name, algorithm, peer, bench::time([&](int k) { call(k % STATES), bench::keep(out); }));
    };
    if (robot.is_chain()) {
      // A segment of KDL is a joint and then a fixed frame: a body moves to the frame of the joint after it.
      Chain chain;
      chain.addSegment(Segment(Joint(Joint::None), frame(robot.joints[0])));
      for (int i = 0; i < n; ++i) {
        const Frame tip = i + 1 < n ? frame(robot.joints[i + 1]) : Frame::Identity();
        chain.addSegment(Segment(Joint(Joint::RotZ), tip, tip.Inverse() * inertia(robot.joints[i])));
        at[i] = i;
      }
      const States s(n, at);
      ChainIdSolver_RNE inverse(chain, gravity);
      ChainDynParam parameters(chain, gravity);
      ChainFdSolver_RNE forward(chain, gravity);
      const Wrenches none(chain.getNrOfSegments(), Wrench::Zero());
      JntSpaceInertiaMatrix M(n);
      std::vector<JntArray> tau(STATES, JntArray(n));
      for (int k = 0; k < STATES; ++k) inverse.CartToJnt(s.q[k], s.v[k], s.a[k], none, tau[k]);
      bench::check(robot.name, "rnea", peer, tau[1].data, n);
      JntArray three(n);
      three.data = 3.0 * s.a[1].data;
      forward.CartToJnt(s.q[1], s.v[1], three, none, out);
      bench::check(robot.name, "fd", peer, out.data, n);
      parameters.JntToMass(s.q[1], M);
      bench::check(robot.name, "massdiag", peer, Eigen::VectorXd(M.data.diagonal()), n);
      time("ID ChainIdSolver_RNE", [&](int k) { inverse.CartToJnt(s.q[k], s.v[k], s.a[k], none, out); });
      time("M ChainDynParam::JntToMass", [&](int k) { parameters.JntToMass(s.q[k], M), bench::keep(M); });
      time("FD ChainFdSolver_RNE", [&](int k) { forward.CartToJnt(s.q[k], s.v[k], tau[k], none, out); });
    } else {
      Tree tree("base");
      for (const auto &j : robot.joints) {
        const Frame f = frame(j);
        const Segment segment(j.name, Joint(j.name, f.p, f.M * Vector(0, 0, 1), Joint::RotAxis), f, inertia(j));
        tree.addSegment(segment, j.parent < 0 ? "base" : robot.joints[j.parent].name);
      }
      for (int i = 0; i < n; ++i) at[i] = GetTreeElementQNr(tree.getSegment(robot.joints[i].name)->second);
      const States s(n, at);
      TreeIdSolver_RNE inverse(tree, gravity);
      const WrenchMap none;
      inverse.CartToJnt(s.q[1], s.v[1], s.a[1], none, out);
      Eigen::VectorXd tau(n);
      for (int i = 0; i < n; ++i) tau[i] = out(at[i]);
      bench::check(robot.name, "rnea", peer, tau, n);
      time("ID TreeIdSolver_RNE", [&](int k) { inverse.CartToJnt(s.q[k], s.v[k], s.a[k], none, out); });
    }
  }
}
