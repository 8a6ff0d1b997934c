// Generated straight-line code: generated FLAT_FOLDER COMPILER LIBRARY...
//
// A library is called MODEL.ALGORITHM.KIND.so and has `f`: of kind cppadcg and appell f(x, y), of kind casadi CasADi's. x is q, v and
// a, or q, v and tau; y is tau, qdd, or matrices by rows: of the peers M's upper triangle; of derivatives by the peers dtau/dq and
// dtau/dv entry by entry, by appell one after the other.
#include "bench.hpp"
#include <dlfcn.h>
using bench::STATES;
using Plain = void (*)(const double *, double *);
using Casadi = int (*)(const double **, double **, long long *, double *, int);

int main(int count, char **words) {
  const std::string flat = words[1], compiler = words[2];
  for (int file = 3; file < count; ++file) {
    const std::string path = words[file], base = path.substr(path.rfind('/') + 1);
    const size_t one = base.find('.'), two = base.find('.', one + 1), three = base.find('.', two + 1);
    const std::string model = base.substr(0, one), algorithm = base.substr(one + 1, two - one - 1), kind = base.substr(two + 1, three - two - 1);
    const bool own = kind == "appell";
    const std::string peer = own ? "appell generated C" : "pin+" + kind + " " + compiler;
    const int n = bench::read(flat + "/" + model + ".flat").n();
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), *f = library ? dlsym(library, "f") : nullptr;
    if (!f) {
      std::fprintf(stderr, "%s\n", dlerror());
      continue;
    }
    std::vector<double> y(4 * n * n), work(1 << 20);
    const auto call = [&](const double *x) {
      double *result = y.data();
      kind == "casadi" ? (void)((Casadi)f)(&x, &result, nullptr, work.data(), 0) : ((Plain)f)(x, result);
    };
    std::vector<std::vector<double>> x(STATES, std::vector<double>(3 * n));
    for (int k = 0; k < STATES; ++k)
      for (int i = 0; i < n; ++i) x[k][i] = bench::q(k, i), x[k][n + i] = bench::v(k, i), x[k][2 * n + i] = bench::a(k, i);
    std::vector<double> at = x[1];
    if (algorithm == "aba")
      for (int i = 0; i < n; ++i) at[2 * n + i] *= 3.0;
    call(at.data());
    if (algorithm == "rnea") bench::check(model, "rnea", peer, y, n);
    if (algorithm == "aba") bench::check(model, "fd", peer, y, n);
    if (algorithm == "crba") {
      std::vector<double> diagonal(n);
      for (int i = 0, upper = 0; i < n; upper += n - i, ++i) diagonal[i] = y[own ? i * (n + 1) : upper];
      bench::check(model, "massdiag", peer, diagonal, n);
    }
    if (algorithm == "drnea") {
      std::vector<double> entries(2 * n * n);
      for (int k = 0; k < n * n; ++k)
        for (int by = 0; by < 2; ++by) entries[2 * k + by] = y[own ? by * n * n + k : 2 * k + by];
      bench::check(model, "drnea", peer, entries, 2 * n * n);
    }
    const std::string name = algorithm == "rnea" ? "ID generated" : algorithm == "aba" ? "FD generated" : algorithm == "drnea" ? "dID generated" : "M generated";
    bench::report(model, name, peer, bench::time([&](int k) { call(x[k % STATES].data()), bench::keep(y); }));
  }
}
