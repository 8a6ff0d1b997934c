// MuJoCo on the Gough-Stewart platform, by soft equality constraints: mujoco_gough_stewart PEER MJCF STATES
//
// STATES is what pinocchio_gough_stewart writes: q, v, a of legs and platform, and the legs' forces.
#include "bench.hpp"
#include <cstring>
#include <mujoco/mujoco.h>
#include <sstream>
using V = std::vector<double>;
constexpr int NQ = 25, NV = 24, LEGS = 6;

struct State {
  V q, v, a, f;
};

// Quaternions are w x y z here, and linear velocity and acceleration of the platform in base axes.
static State state(const V &x) {
  State s{V(x.begin(), x.begin() + NQ), V(x.begin() + NQ, x.begin() + NQ + NV), V(x.begin() + NQ + NV, x.begin() + NQ + 2 * NV), V(x.end() - LEGS, x.end())};
  const double turn[4] = {s.q[24], s.q[21], s.q[22], s.q[23]};
  std::copy(turn, turn + 4, &s.q[21]);
  double v[3], a[3], body[3];
  mju_cross(body, &s.v[21], &s.v[18]);
  for (int i = 0; i < 3; ++i) body[i] += s.a[18 + i];
  mju_rotVecQuat(v, &s.v[18], turn);
  mju_rotVecQuat(a, body, turn);
  std::copy(v, v + 3, &s.v[18]);
  std::copy(a, a + 3, &s.a[18]);
  return s;
}

int main(int, char **words) {
  const std::string peer = words[1];
  char error[1000] = "";
  mjModel *m = mj_loadXML(words[2], nullptr, error, sizeof error);
  if (!m || m->nq != NQ || m->nv != NV) {
    std::fprintf(stderr, "MuJoCo does not take %s: %s\n", words[2], error);
    return 1;
  }
  std::vector<State> states;
  std::ifstream in(words[3]);
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    V x;
    for (double number; numbers >> number;) x.push_back(number);
    if ((int)x.size() == NQ + 2 * NV + LEGS) states.push_back(state(x));
  }
  if ((int)states.size() != bench::STATES) {
    std::fprintf(stderr, "%s does not have %d states\n", words[3], bench::STATES);
    return 1;
  }
  mjData *d = mj_makeData(m);
  const auto set = [&](const State &s) {
    std::memcpy(d->qpos, s.q.data(), NQ * sizeof(double));
    std::memcpy(d->qvel, s.v.data(), NV * sizeof(double));
    for (int i = 0; i < LEGS; ++i) d->qfrc_applied[3 * i + 2] = s.f[i];
  };
  double worst = 0;
  for (const State &s : states) {
    mj_resetData(m, d);
    set(s);
    mj_forward(m, d);
    double gap = 0, size = 0;
    for (int i = 0; i < NV; ++i) gap += std::pow(d->qacc[i] - s.a[i], 2), size += s.a[i] * s.a[i];
    worst = std::max(worst, std::sqrt(gap / size));
  }
  char note[100];
  std::snprintf(note, sizeof note, "soft constraints; relative difference from rigid ones %.0e; tree q v given", worst);
  const auto time = [&](const char *algorithm, auto &&call) {
    bench::report("gough_stewart", algorithm, peer, bench::time([&](int k) { call(k), bench::keep(*d); }), note);
  };
  time("FDM mj_forward (cold start)", [&](int k) { set(states[k % bench::STATES]), mju_zero(d->qacc_warmstart, NV), mj_forward(m, d); });
  time("FDM mj_forward (warm start same state)", [&](int k) {
    set(states[k / 16 % bench::STATES]);
    mj_forward(m, d);
    mju_copy(d->qacc_warmstart, d->qacc, NV);
  });
  time("IDM mj_inverse (no projection to leg forces)", [&](int k) {
    const State &s = states[k % bench::STATES];
    set(s);
    std::memcpy(d->qacc, s.a.data(), NV * sizeof(double));
    mj_inverse(m, d);
  });
}
