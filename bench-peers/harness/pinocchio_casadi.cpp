// Straight-line C by Pinocchio and CasADi, equal subexpressions once: pinocchio_casadi FOLDER FLAT...; prints operation counts.
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include "pinocchio.hpp"
#include <casadi/casadi.hpp>
using casadi::SX;
using V = Eigen::Matrix<SX, Eigen::Dynamic, 1>;

template <class F> static void generate(const std::string &folder, const std::string &model, const std::string &algorithm, int inputs, F f) {
  SX x = SX::sym("x", inputs);
  V arguments(inputs);
  for (int i = 0; i < inputs; ++i) arguments[i] = x(i);
  const V results = f(arguments);
  SX y(results.size(), 1);
  for (int i = 0; i < results.size(); ++i) y(i) = results[i];
  y = SX::cse({SX::densify(y)})[0]; // SX::simplify would multiply the operations
  casadi::Function function("f", {x}, {SX::densify(y)});
  long times = 0, plus = 0;
  for (casadi_int k = 0; k < function.n_instructions(); ++k) {
    const casadi_int id = function.instruction_id(k);
    times += id == casadi::OP_MUL || id == casadi::OP_SQ || id == casadi::OP_TWICE;
    plus += id == casadi::OP_ADD || id == casadi::OP_SUB;
  }
  std::printf("O,%s,%s,casadi,mul=%ld,add=%ld\n", model.c_str(), algorithm.c_str(), times, plus);
  casadi::Dict options;
  options["with_header"] = false;
  options["casadi_int"] = "long long int";
  const std::string name = model + "_" + algorithm; // CasADi takes no dots
  casadi::CodeGenerator generator(name, options);
  generator.add(function);
  generator.generate(folder + "/");
  std::rename((folder + "/" + name + ".c").c_str(), (folder + "/" + model + "." + algorithm + ".casadi.c").c_str());
}

int main(int words, char **word) {
  for (int file = 2; file < words; ++file) {
    const bench::Model robot = bench::read(word[file]);
    pinocchio::ModelTpl<SX> m = pinocchio_model(robot).cast<SX>();
    pinocchio::DataTpl<SX> d(m);
    const int n = m.nv;
    const auto third = [n](const V &x, int k) { return V(x.segment(k * n, n)); };
    generate(word[1], robot.name, "rnea", 3 * n, [&](const V &x) -> V { return pinocchio::rnea(m, d, third(x, 0), third(x, 1), third(x, 2)); });
    generate(word[1], robot.name, "aba", 3 * n, [&](const V &x) -> V { return pinocchio::aba(m, d, third(x, 0), third(x, 1), third(x, 2), pinocchio::Convention::LOCAL); });
    generate(word[1], robot.name, "crba", n, [&](const V &x) -> V {
      pinocchio::crba(m, d, x, pinocchio::Convention::LOCAL);
      V y(n * (n + 1) / 2);
      for (int i = 0, c = 0; i < n; ++i)
        for (int j = i; j < n; ++j) y[c++] = d.M(i, j);
      return y;
    });
  }
}
