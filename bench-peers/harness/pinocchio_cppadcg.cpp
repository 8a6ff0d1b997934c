// Straight-line C by Pinocchio and CppADCodeGen: pinocchio_cppadcg FOLDER FLAT...; prints operation counts.
#include <pinocchio/codegen/cppadcg.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include "pinocchio.hpp"
#include <sstream>
using CG = CppAD::cg::CG<double>;
using AD = CppAD::AD<CG>;
using V = Eigen::Matrix<AD, Eigen::Dynamic, 1>;

// Multiplications and additions of generated C; signs and exponents are none.
static void count(const std::string &code, long &times, long &plus) {
  char before = '='; // the last character that is not a space
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '/' && code[i + 1] == '/') {
      i = code.find('\n', i);
      if (i == std::string::npos) break;
      continue;
    }
    const bool is_exponent = i > 0 && code[i - 1] == 'e', is_sign = std::string("=(*/+-,").find(before) != std::string::npos;
    times += c == '*';
    plus += (c == '+' || c == '-') && !is_exponent && !is_sign;
    if (c != ' ' && c != '\n') before = c;
  }
}

template <class F> static void generate(const std::string &folder, const std::string &model, const std::string &algorithm, int inputs, F f) {
  V x(inputs);
  x.setConstant(AD(0.1));
  CppAD::Independent(x);
  V y = f(x);
  CppAD::ADFun<CG> function(x, y);
  function.optimize("no_compare_op");
  CppAD::cg::CodeHandler<double> handler;
  CppAD::vector<CG> variables(inputs);
  handler.makeVariables(variables);
  CppAD::vector<CG> results = function.Forward(0, variables);
  CppAD::cg::LanguageC<double> language("double");
  CppAD::cg::LangCDefaultVariableNameGenerator<double> names;
  std::ostringstream code;
  handler.generateCode(code, language, results, names);
  std::ofstream(folder + "/" + model + "." + algorithm + ".cppadcg.c")
      << "#include <math.h>\nvoid f(const double *x, double *y) {\n  double v[" << handler.getTemporaryVariableCount() + 1 << "];\n" << code.str() << "}\n";
  long times = 0, plus = 0;
  count(code.str(), times, plus);
  std::printf("O,%s,%s,cppadcg,mul=%ld,add=%ld\n", model.c_str(), algorithm.c_str(), times, plus);
}

int main(int words, char **word) {
  for (int file = 2; file < words; ++file) {
    const bench::Model robot = bench::read(word[file]);
    pinocchio::ModelTpl<AD> m = pinocchio_model(robot).cast<AD>();
    pinocchio::DataTpl<AD> d(m);
    const int n = m.nv;
    const auto make = [&](const char *algorithm, int inputs, auto f) { generate(word[1], robot.name, algorithm, inputs, f); };
    const auto third = [n](const V &x, int k) { return V(x.segment(k * n, n)); };
    make("rnea", 3 * n, [&](const V &x) -> V { return pinocchio::rnea(m, d, third(x, 0), third(x, 1), third(x, 2)); });
    make("aba", 3 * n, [&](const V &x) -> V { return pinocchio::aba(m, d, third(x, 0), third(x, 1), third(x, 2), pinocchio::Convention::LOCAL); });
    make("crba", n, [&](const V &x) -> V {
      pinocchio::crba(m, d, x, pinocchio::Convention::LOCAL);
      V y(n * (n + 1) / 2);
      for (int i = 0, c = 0; i < n; ++i)
        for (int j = i; j < n; ++j) y[c++] = d.M(i, j);
      return y;
    });
    if (n > 7) continue;
    make("drnea", 3 * n, [&](const V &x) -> V {
      pinocchio::computeRNEADerivatives(m, d, third(x, 0), third(x, 1), third(x, 2));
      V y(2 * n * n + n * (n + 1) / 2);
      int c = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) y[c++] = d.dtau_dq(i, j), y[c++] = d.dtau_dv(i, j);
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) y[c++] = d.M(i, j);
      return y;
    });
  }
}
