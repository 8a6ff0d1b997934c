#!/usr/bin/env python3
"""Reference numbers of MuJoCo for models in MJCF, and of Drake for models in SDF: inertia matrices and inverse dynamics at
random states.

    python3 scripts/simulators.py FOLDER     FOLDER holds unpacked packages of PyPI, a folder each: see MODELS

Our own small models, tests/data/mjcf and tests/data/sdf, are always done; those of others stay where they are, and only
their numbers go to tests/golden. `APPELL_MODELS=FOLDER cargo test -p appell --test suite simulators` compares all of them.

What appell leaves out, and lists, is taken out of MuJoCo's model too: contacts and all constraints, tendons, the medium,
gravity compensation, and armature, damping and stiffness of ball and free joints. Coulomb friction is a constraint there.
The velocity of a free joint is in the body's axes here, and in those of the world there. Drake has
the root link of an SDF welded to the world, as appell does.
"""

import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import mujoco
import numpy as np

STATES = 2
ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = [
    "gymnasium/gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/hopper.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/walker2d.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/swimmer.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/reacher.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/pusher.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/ant.xml",
    "gymnasium/gymnasium/envs/mujoco/assets/humanoid.xml",
    "dm_control/dm_control/suite/acrobot.xml",
    "dm_control/dm_control/suite/cheetah.xml",
    "dm_control/dm_control/suite/finger.xml",
    "dm_control/dm_control/suite/fish.xml",
    "dm_control/dm_control/suite/manipulator.xml",
    "dm_control/dm_control/suite/quadruped.xml",
    "dm_control/dm_control/suite/humanoid_CMU.xml",
    "playground/mujoco_playground/_src/locomotion/go1/xmls/go1_mjx_fullcollisions.xml",
    "playground/mujoco_playground/_src/locomotion/h1/xmls/h1_mjx_feetonly.xml",
    "playground/mujoco_playground/_src/manipulation/aloha/xmls/mjx_aloha.xml",
    "playground/mujoco_playground/_src/manipulation/franka_emika_panda_robotiq/xmls/panda_updated_robotiq_2f85.xml",
    "gymnasium_robotics/gymnasium_robotics/envs/assets/hand/reach.xml",
    "gymnasium_robotics/gymnasium_robotics/envs/assets/fetch/reach.xml",
    "robosuite/robosuite/models/assets/robots/ur5e/robot.xml",
    "robosuite/robosuite/models/assets/robots/sawyer/robot.xml",
    "robosuite/robosuite/models/assets/robots/baxter/robot.xml",
    "safety_gymnasium/safety_gymnasium/assets/xmls/doggo.xml",
]
SDF_MODELS = [
    "pybullet/pybullet_data/kuka_iiwa/model.sdf",
    "pybullet/pybullet_data/gripper/wsg50_one_motor_gripper_new.sdf",
    "pybullet/pybullet_data/gripper/wsg50_with_r2d2_gripper.sdf",
    "pybullet/pybullet_data/kuka_iiwa/kuka_with_gripper2.sdf",
    "example_robot_data/cmeel.prefix/share/example-robot-data/robots/cassie_description/robots/cassie_v2.sdf",
]
FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)


def rigid(model):
    """The model without what appell leaves out."""
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    model.opt.density = model.opt.viscosity = 0.0
    model.opt.wind[:] = 0.0
    model.tendon_stiffness[:] = 0.0
    model.tendon_damping[:] = 0.0
    model.tendon_armature[:] = 0.0
    model.body_gravcomp[:] = 0.0
    for joint in range(model.njnt):
        if model.jnt_type[joint] in (FREE, BALL):
            dofs = slice(model.jnt_dofadr[joint], model.jnt_dofadr[joint] + (6 if model.jnt_type[joint] == FREE else 3))
            model.dof_armature[dofs] = model.dof_damping[dofs] = 0.0
            model.jnt_stiffness[joint] = 0.0
    return model


def rotation(quaternion):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion)
    return matrix.reshape(3, 3)


def answers(model, rng):
    """A random state in appell's coordinates, with M and τ there."""
    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1.0, 1.0, model.nv), 1.0)
    v, a = rng.uniform(-1.0, 1.0, model.nv), rng.uniform(-1.0, 1.0, model.nv)
    to_theirs, theirs_a, q = np.eye(model.nv), a.copy(), []
    for joint in range(model.njnt):
        at, dof, kind = model.jnt_qposadr[joint], model.jnt_dofadr[joint], model.jnt_type[joint]
        if kind == FREE:
            turn = rotation(data.qpos[at + 3 : at + 7])
            linear, angular = slice(dof, dof + 3), slice(dof + 3, dof + 6)
            to_theirs[linear, linear] = turn
            theirs_a[linear] = turn @ (a[linear] + np.cross(v[angular], v[linear]))
            q += [*data.qpos[at : at + 3], *data.qpos[at + 4 : at + 7], data.qpos[at + 3]]
        elif kind == BALL:
            q += [*data.qpos[at + 1 : at + 4], data.qpos[at]]
        else:
            q.append(data.qpos[at])
    data.qvel[:] = to_theirs @ v
    data.qacc[:] = theirs_a
    mujoco.mj_inverse(model, data)
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    tau = to_theirs.T @ data.qfrc_inverse
    weights = rng.uniform(-1.0, 1.0, model.nv)
    # Of M a product with a random vector is kept: it tells every wrong entry, and is small.
    return {key: [float(x) for x in value] for key, value in {
        "q": q, "v": v, "a": a, "tau": tau, "w": weights, "Mw": to_theirs.T @ inertia @ to_theirs @ weights,
    }.items()}


def record(path, name, folder):
    model = rigid(mujoco.MjModel.from_xml_path(str(path)))
    rng = np.random.default_rng(1)
    joints = [["free", "ball", "slide", "hinge"][model.jnt_type[joint]] for joint in range(model.njnt)]
    golden = {"model": name, "mujoco": mujoco.__version__, "joints": joints}
    golden["states"] = [answers(model, rng) for _ in range(STATES)]
    stem = name.removesuffix(".xml").replace("/", "-")
    target = folder / f"{stem}.json"
    target.write_text(json.dumps(golden) + "\n")
    print(f"{model.nv:4} velocities  {name}")


def open_tree(path):
    """The text of an SDF file without the joints that close loops, which Drake refuses, and without elements that are none
    of the format's."""
    document = xml.etree.ElementTree.parse(path)
    for parent, tag in [("link", "contact"), ("collision", "material")]:
        for element in document.getroot().iter(parent):
            for wrong in element.findall(tag):
                element.remove(wrong)
    for model in document.getroot().iter("model"):
        carried = set()
        for joint in model.findall("joint"):
            child = joint.find("child").text.strip()
            if child in carried:
                model.remove(joint)
            carried.add(child)
        # A link called world is what stands for the world.
        for link in model.findall("link"):
            if link.get("name") == "world":
                model.remove(link)
    return xml.etree.ElementTree.tostring(document.getroot(), encoding="unicode")


def record_sdf(path, name, folder):
    """The numbers of Drake, which reads SDF with Gazebo's own library."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import MultibodyForces

    plant = MultibodyPlant(0.0)
    (model, *_) = Parser(plant).AddModelsFromString(open_tree(path), "sdf")
    for body in plant.GetBodyIndices(model):
        body = plant.get_body(body)
        if not any(plant.get_joint(joint).child_body() is body for joint in plant.GetJointIndices(model)):
            plant.WeldFrames(plant.world_frame(), body.body_frame())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    # In the order of the velocities, which are those of single axes here.
    names = [None] * plant.num_velocities()
    for joint in (plant.get_joint(joint) for joint in plant.GetJointIndices()):
        for k in range(joint.num_velocities()):
            names[joint.velocity_start() + k] = joint.name() + ("_axis2" if k == 1 else "")
    rng, states = np.random.default_rng(1), []
    for _ in range(STATES):
        q, v, a, weights = (rng.uniform(-1.0, 1.0, len(names)) for _ in range(4))
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        forces = MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)
        tau = plant.CalcInverseDynamics(context, a, forces)
        product = plant.CalcMassMatrix(context) @ weights
        state = {"q": q, "v": v, "a": a, "tau": tau, "w": weights, "Mw": product}
        states.append({key: [float(x) for x in value] for key, value in state.items()})
    gravity = [float(x) for x in plant.gravity_field().gravity_vector()]
    golden = {"model": name, "gravity": gravity, "names": names, "states": states}
    stem = name.removesuffix(".sdf").replace("/", "-")
    (folder / f"{stem}.json").write_text(json.dumps(golden) + "\n")
    print(f"{len(names):4} velocities  {name}")


def main():
    if sys.argv[1:2] == ["--sdf"]:
        return record_sdf(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3], ROOT / "tests/golden/sdf")
    folder = ROOT / "tests/golden/sdf"
    folder.mkdir(parents=True, exist_ok=True)
    given = [(pathlib.Path(sys.argv[1]) / name, name) for name in SDF_MODELS if len(sys.argv) > 1]
    for path, name in [(path, path.name) for path in sorted((ROOT / "tests/data/sdf").glob("*.sdf"))] + given:
        # A process each: a file that Drake refuses ends it.
        subprocess.run([sys.executable, __file__, "--sdf", str(path), name], check=False)
    folder = ROOT / "tests/golden/mjcf"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "tests/data/mjcf").glob("*.xml")):
        record(path, path.name, folder)
    for name in MODELS if len(sys.argv) > 1 else []:
        try:
            record(pathlib.Path(sys.argv[1]) / name, name, folder)
        except (ValueError, TypeError) as error:
            print(f"     refused      {name}: {error}")


if __name__ == "__main__":
    main()
