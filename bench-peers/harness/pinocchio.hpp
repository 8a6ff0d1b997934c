// A robot of the harness as Pinocchio's, with its joint that is specialised to revolute about z.
#pragma once
#include "bench.hpp"
#include <pinocchio/multibody.hpp>

inline pinocchio::Model pinocchio_model(const bench::Model &robot) {
  using namespace pinocchio;
  Model model;
  model.name = robot.name;
  model.gravity.linear() = Eigen::Vector3d(0, 0, -9.81);
  for (auto &j : robot.joints) {
    Eigen::Matrix3d R, I;
    R << j.R[0], j.R[1], j.R[2], j.R[3], j.R[4], j.R[5], j.R[6], j.R[7], j.R[8];
    I << j.I[0], j.I[1], j.I[2], j.I[1], j.I[3], j.I[4], j.I[2], j.I[4], j.I[5];
    JointIndex id = model.addJoint((JointIndex)(j.parent + 1), JointModelRZ(), SE3(R, Eigen::Vector3d(j.p[0], j.p[1], j.p[2])), j.name);
    model.appendBodyToJoint(id, Inertia(j.m, Eigen::Vector3d(j.c[0], j.c[1], j.c[2]), I), SE3::Identity());
  }
  return model;
}
