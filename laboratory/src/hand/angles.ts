/** Roll, pitch and yaw for the fields, R = Rz(yaw) Ry(pitch) Rx(roll); the library speaks quaternions alone. */
import { Euler, Quaternion } from "three";

/** Of a pose px py pz qx qy qz qw, in rad. */
export function anglesOf(pose: ArrayLike<number>): [number, number, number] {
  const q = new Quaternion(pose[3], pose[4], pose[5], pose[6]).normalize();
  const { x, y, z } = new Euler().setFromQuaternion(q, "ZYX");
  return [x, y, z];
}

/** The pose with its quaternion replaced. */
export function withAngles(pose: ArrayLike<number>, [roll, pitch, yaw]: readonly [number, number, number]): number[] {
  const q = new Quaternion().setFromEuler(new Euler(roll, pitch, yaw, "ZYX"));
  return [pose[0], pose[1], pose[2], q.x, q.y, q.z, q.w];
}
