/** The robot under the keyboard: the picture has the focus, arrows move the chosen joint or the output. */
import { radians } from "../app/dom";
import type { Lab } from "../app/lab";
import type { Scene } from "../view/scene";
import type { Hand } from "./hand";
import { stepped, type AxisName } from "./pull";
import { jointValue, lengthStep, outputValue, turns } from "./words";

const ALONG: Record<string, [AxisName, number]> = {
  ArrowRight: ["x", 1],
  ArrowLeft: ["x", -1],
  ArrowUp: ["y", 1],
  ArrowDown: ["y", -1],
  PageUp: ["z", 1],
  PageDown: ["z", -1],
};
const JOINT: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
const TURN = radians(1);
const FINE = 0.1;

export function installKeys(lab: Lab, scene: Scene, hand: Hand): void {
  scene.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !lab.state().robot) return;
    if (key(lab, scene, hand, event)) event.preventDefault();
  });
}

function key(lab: Lab, scene: Scene, hand: Hand, event: KeyboardEvent): boolean {
  const { joint, robot, gizmo } = lab.state();
  const fine = event.shiftKey ? FINE : 1;
  if (event.key === "Tab") return next(lab, hand, event.shiftKey ? -1 : 1);
  if (event.key === "Escape") {
    if (scene.gizmo.dragging) hand.cancel();
    else hand.choose(null);
    return true;
  }
  if (joint !== null) {
    const info = robot!.joints[joint];
    const unit = turns(info) ? TURN : lengthStep(robot!.size);
    const to =
      event.key === "Home" ? info.lower : event.key === "End" ? info.upper : event.key in JOINT ? lab.bench().q()[joint] + JOINT[event.key] * unit * fine : null;
    if (to === null) return false;
    hand.step(() => lab.setJoint(joint, to), () => jointValue(lab, joint));
    return true;
  }
  if (!(event.key in ALONG)) return false;
  const [axis, sign] = ALONG[event.key];
  if (!hand.free()[gizmo === "translate" ? "move" : "turn"].includes(axis)) return true;
  const step = sign * fine * (gizmo === "translate" ? lengthStep(robot!.size) : TURN);
  hand.step(() => lab.setPose(stepped(lab.bench().pose(), gizmo, axis, step, scene.gizmo.space === "local")), () => outputValue(lab));
  return true;
}

/** Tab goes from the output through the drives, then on to the rest of the page. */
function next(lab: Lab, hand: Hand, step: number): boolean {
  const { robot, joint } = lab.state();
  const stops: (number | null)[] = [null, ...robot!.drives.map((drive) => drive.joint)];
  const at = stops.indexOf(joint);
  const to = (at < 0 ? 0 : at) + step;
  if (to < 0 || to >= stops.length) {
    hand.choose(null);
    return false;
  }
  const chosen = stops[to];
  hand.choose(chosen);
  lab.say(chosen === null ? outputValue(lab) : jointValue(lab, chosen));
  return true;
}
