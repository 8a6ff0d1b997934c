// MuJoCo on chains and trees, as it is packaged: mujoco_trees PEER (URDF FLAT)...
#include "bench.hpp"
#include <cstring>
#include <mujoco/mujoco.h>
using bench::STATES;
using V = std::vector<double>;

int main(int count, char **words) {
  static_assert(sizeof(mjtNum) == sizeof(double), "a build in double precision");
  const std::string peer = words[1];
  for (int file = 2; file + 1 < count; file += 2) {
    const bench::Model robot = bench::read(words[file + 1]);
    char error[1000] = "";
    mjModel *m = mj_loadXML(words[file], nullptr, error, sizeof error);
    const int n = robot.n();
    if (!m || m->nv != n) {
      std::fprintf(stderr, "MuJoCo does not take %s: %s\n", words[file], error);
      continue;
    }
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_ACTUATION | mjDSBL_SENSOR;
    mjData *d = mj_makeData(m);
    std::vector<int> at(n);
    for (int i = 0; i < n; ++i) at[i] = m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, robot.joints[i].name.c_str())];
    const auto set = [n](mjtNum *to, const V &from) { std::memcpy(to, from.data(), n * sizeof(double)); };
    std::vector<V> q(STATES, V(n)), v = q, a = q, tau = q;
    for (int k = 0; k < STATES; ++k) {
      for (int i = 0; i < n; ++i) q[k][at[i]] = bench::q(k, i), v[k][at[i]] = bench::v(k, i), a[k][at[i]] = bench::a(k, i);
      set(d->qpos, q[k]), set(d->qvel, v[k]), set(d->qacc, a[k]);
      mj_inverse(m, d);
      tau[k].assign(d->qfrc_inverse, d->qfrc_inverse + n);
    }
    V out(n), M((size_t)n * n), bias(n);
    for (int i = 0; i < n; ++i) out[i] = tau[1][at[i]];
    bench::check(robot.name, "rnea", peer, out, n);
    set(d->qpos, q[1]), set(d->qvel, v[1]);
    for (int i = 0; i < n; ++i) d->qfrc_applied[i] = 3.0 * a[1][i];
    mj_forward(m, d);
    for (int i = 0; i < n; ++i) out[i] = d->qacc[at[i]];
    bench::check(robot.name, "fd", peer, out, n);
    mj_fullM(m, d, M.data());
    for (int i = 0; i < n; ++i) out[i] = M[(size_t)at[i] * (n + 1)];
    bench::check(robot.name, "massdiag", peer, out, n);
    const auto time = [&](const char *algorithm, auto &&call) {
      bench::report(robot.name, algorithm, peer, bench::time([&](int k) {
        k %= STATES;
        set(d->qpos, q[k]), set(d->qvel, v[k]);
        call(k);
        bench::keep(*d);
      }));
    };
    time("ID mj_inverse", [&](int k) { set(d->qacc, a[k]), mj_inverse(m, d); });
    time("ID kinematics+comPos+comVel+rne", [&](int k) {
      set(d->qacc, a[k]);
      mj_kinematics(m, d), mj_comPos(m, d), mj_comVel(m, d), mj_rne(m, d, 1, out.data());
    });
    time("M kinematics+comPos+makeM", [&](int) { mj_kinematics(m, d), mj_comPos(m, d), mj_makeM(m, d); });
    time("FD mj_forward", [&](int k) { set(d->qfrc_applied, tau[k]), mj_forward(m, d); });
    time("FD kin+comPos+makeM+factorM+comVel+rne+solveM", [&](int k) {
      mj_kinematics(m, d), mj_comPos(m, d), mj_makeM(m, d), mj_factorM(m, d), mj_comVel(m, d), mj_rne(m, d, 0, bias.data());
      for (int i = 0; i < n; ++i) bias[i] = tau[k][i] - bias[i];
      mj_solveM(m, d, d->qacc, bias.data(), 1);
    });
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}
