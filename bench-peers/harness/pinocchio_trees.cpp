// Pinocchio on chains and trees, header-only: pinocchio_trees PEER FLAT...
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include "pinocchio.hpp"
using namespace pinocchio;
using bench::STATES;
using V = Eigen::VectorXd;

int main(int count, char **words) {
  const std::string peer = words[1];
  for (int file = 2; file < count; ++file) {
    const bench::Model robot = bench::read(words[file]);
    Model model = pinocchio_model(robot);
    Data data(model);
    const int n = model.nv;
    std::vector<V> q(STATES, V(n)), v = q, a = q, tau = q;
    for (int k = 0; k < STATES; ++k) {
      for (int i = 0; i < n; ++i) q[k][i] = bench::q(k, i), v[k][i] = bench::v(k, i), a[k][i] = bench::a(k, i);
      tau[k] = rnea(model, data, q[k], v[k], a[k]);
    }
    bench::check(robot.name, "rnea", peer, tau[1], n);
    bench::check(robot.name, "fd", peer, V(aba(model, data, q[1], v[1], V(3.0 * a[1]))), n);
    crba(model, data, q[1], Convention::WORLD);
    bench::check(robot.name, "massdiag", peer, V(data.M.diagonal()), n);
    const auto time = [&](const char *algorithm, auto &&call) {
      bench::report(robot.name, algorithm, peer, bench::time([&](int k) { call(k % STATES), bench::keep(data); }));
    };
    time("ID rnea", [&](int k) { rnea(model, data, q[k], v[k], a[k]); });
    time("nonlinear effects", [&](int k) { nonLinearEffects(model, data, q[k], v[k]); });
    time("M crba (LOCAL)", [&](int k) { crba(model, data, q[k], Convention::LOCAL); });
    time("M crba (WORLD)", [&](int k) { crba(model, data, q[k], Convention::WORLD); });
    time("FD aba (LOCAL)", [&](int k) { aba(model, data, q[k], v[k], tau[k], Convention::LOCAL); });
    time("FD aba (WORLD)", [&](int k) { aba(model, data, q[k], v[k], tau[k], Convention::WORLD); });
    V right(n);
    time("FD crba+nle+cholesky", [&](int k) {
      crba(model, data, q[k], Convention::WORLD);
      nonLinearEffects(model, data, q[k], v[k]);
      cholesky::decompose(model, data);
      right.noalias() = tau[k] - data.nle;
      cholesky::solve(model, data, right);
      bench::keep(right);
    });
    time("dID rnea derivatives", [&](int k) { computeRNEADerivatives(model, data, q[k], v[k], a[k]); });
    time("J joint jacobians", [&](int k) { computeJointJacobians(model, data, q[k]); });
    time("FK forwardKinematics(q)", [&](int k) { forwardKinematics(model, data, q[k]); });
    time("FK forwardKinematics(q v a)", [&](int k) { forwardKinematics(model, data, q[k], v[k], a[k]); });
  }
}
