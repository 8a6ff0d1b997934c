// What every program of the harness shares: timing, models, states, and the lines that are printed.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// Keeps the compiler from leaving out what is computed and not read.
template <class T> inline void keep(const T &value) { asm volatile("" : : "g"(&value) : "memory"); }

struct Timing {
  double min, median; // ns
};

// Minimum and median, over REPEATS repeats of about 1 ms each, of the mean time per call within a repeat. A call gets a running
// index, so that it can cycle through states.
template <class Call> Timing time(Call &&call) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); };
  const char *given = std::getenv("REPEATS");
  const int repeats = given ? std::max(1, std::atoi(given)) : 200;
  int k = 0;
  while (k < 20) call(k++); // caches
  auto start = Clock::now();
  int tried = 0;
  do call(k++), ++tried;
  while (since(start) < 2e5 && tried < 1000);
  const int calls = (int)std::clamp(1e6 * tried / since(start), 5.0, 1000.0);
  std::vector<double> means(repeats);
  for (double &mean : means) {
    start = Clock::now();
    for (int c = 0; c < calls; ++c) call(k++);
    mean = since(start) / calls;
  }
  std::sort(means.begin(), means.end());
  return {means[0], means[repeats / 2]};
}

// A time: R,model,algorithm,peer,min_ns,median_ns,note
inline void report(const std::string &model, const std::string &algorithm, const std::string &peer, Timing t, const std::string &note = "") {
  std::printf("R,%s,%s,%s,%.2f,%.2f,%s\n", model.c_str(), algorithm.c_str(), peer.c_str(), t.min, t.median, note.c_str());
  std::fflush(stdout);
}

// An answer that all must agree on: C,model,algorithm,peer,numbers...
template <class V> inline void check(const std::string &model, const std::string &algorithm, const std::string &peer, const V &v, int n) {
  std::printf("C,%s,%s,%s", model.c_str(), algorithm.c_str(), peer.c_str());
  for (int i = 0; i < n; ++i) std::printf(",%.17g", (double)v[i]);
  std::printf("\n");
}

// A robot as models.py writes it.
struct Joint {
  std::string name;
  int parent; // -1: base
  double R[9], p[3], m, c[3], I[6]; // I: xx xy xz yy yz zz about the centre of mass
};
struct Model {
  std::string name;
  std::vector<Joint> joints;
  int n() const { return (int)joints.size(); }
  bool is_chain() const {
    for (int i = 0; i < n(); ++i)
      if (joints[i].parent != i - 1) return false;
    return true;
  }
};
inline Model read(const std::string &file) {
  std::ifstream in(file);
  Model model;
  size_t n = 0;
  in >> model.name >> n;
  model.joints.resize(n);
  for (Joint &j : model.joints) {
    in >> j.name >> j.parent;
    for (double &x : j.R) in >> x;
    for (double &x : j.p) in >> x;
    in >> j.m;
    for (double &x : j.c) in >> x;
    for (double &x : j.I) in >> x;
  }
  if (!in) throw std::runtime_error("cannot read " + file);
  return model;
}

// The common states: q, v, a of joint i in state k. Forward dynamics is timed with the torques of inverse dynamics and checked in
// state 1 with torques 3 a.
constexpr int STATES = 64; // a power of two
inline double q(int k, int i) { return 1.20 * std::sin(0.37 * k + 1.10 * i + 0.20); }
inline double v(int k, int i) { return 0.90 * std::cos(0.53 * k + 0.70 * i + 0.40); }
inline double a(int k, int i) { return 1.50 * std::sin(0.29 * k + 0.90 * i + 1.00); }
} // namespace bench
