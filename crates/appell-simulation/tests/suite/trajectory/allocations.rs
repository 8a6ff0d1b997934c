//! No reference allocates once it is made.

use appell::{kinematics, robots};
use appell_simulation::trajectory::{
    ClosedMotion, Ends, Follower, FrameReference, JointReference, Line, RobotMotion, Shape, Spline, Start, Task,
    TimeLaw, TreeMotion, ViaSpline,
};

#[test]
fn references_allocate_nothing() {
    let law = TimeLaw::new(Shape::S_CURVE, 1.0).unwrap();
    let robot = robots::find("puma560").unwrap().mechanism();
    let near = [0.3, -1.0, 0.2, 0.4, 1.0, 0.0];
    let from = kinematics::positions(&robot, &mut kinematics::Workspace::new(&robot), &near)[5];
    let mut to = from;
    to.position.z -= 0.1;
    let line = Line::new(&from, &to, law).unwrap();
    let follower = Follower::new(&robot, 5, Box::new(line), Task::Pose, Start::Near(&near), &[]).unwrap();
    let mut arm = TreeMotion::new(&robot, Box::new(follower), true);
    let mut spline = Spline::quintic(&[0.0, 1.0], &[near.to_vec(), vec![0.0; 6]], Ends::Rest).unwrap();
    let mut via = ViaSpline::new(&[0.0, 1.0], &[from, to]).unwrap();
    let platform = robots::find("gough-stewart").unwrap().closed();
    let mut up = platform.home().pose;
    up.position.z += 0.05;
    let line = Line::new(&platform.home().pose, &up, law).unwrap();
    let mut legs = ClosedMotion::of_platform(&platform, Box::new(line), true);
    let mut state = [[0.0; 6]; 3];
    let info = allocation_counter::measure(|| {
        for t in [0.0, 0.1, 0.7, 1.0] {
            let [q, v, a] = &mut state;
            arm.at(t).unwrap();
            spline.at(t, q, v, a).unwrap();
            via.at(t).unwrap();
            RobotMotion::at(&mut legs, t).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}
