//! Code of one robot.
mod expr;
mod graph;
mod program;
mod simplify;

pub use expr::{Expr, Recorder};
pub use program::Program;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{link_origins, gibbs_appell_tensor, gibbs_appell_inertia};
    use crate::real::Real;
    use crate::robots;

    #[test]
    fn counts() {
        for name in ["puma560", "stanford", "scara", "seven-axis", "two-link"] {
            let robot = robots::find(name).unwrap().mechanism();
            let n = robot.dof();
            for regroup in [false, true] {
                let recorder = Recorder::default();
                let state: Vec<Expr> = (0..3 * n).map(|k| recorder.input(k, 0.1 + 0.05 * k as f64)).collect();
                let (q, v, a) = (&state[..n], &state[n..2 * n], &state[2 * n..]);
                let mut bodies = link_origins::Bodies::of(&robot, q[0], |_| None);
                if regroup { bodies.regroup(&robot) }
                let mut ws = link_origins::Workspace::over(&robot, q[0]);
                let tau = link_origins::inverse_dynamics(&robot, &bodies, &mut ws, q, v, a).to_vec();
                let program = recorder.program(&tau);
                let m = link_origins::inertia_matrix(&robot, &bodies, &mut ws, q).to_vec();
                let pm = recorder.program(&m);
                let fd = link_origins::forward_dynamics(&robot, &bodies, &mut ws, q, v, a).unwrap().to_vec();
                let pf = recorder.program(&fd);
                let mut ws2 = gibbs_appell_tensor::Workspace::over(&robot, q[0]);
                let tau2 = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws2, q, v, a).to_vec();
                let p2 = recorder.program(&tau2);
                let mut ws3 = gibbs_appell_inertia::Workspace::over(&robot, q[0]);
                let m2 = gibbs_appell_inertia::inertia_matrix(&robot, &mut ws3, q).to_vec();
                let pm2 = recorder.program(&m2);
                let x: Vec<f64> = (0..3 * n).map(|k| (1.3 * k as f64).sin() * 2.0).collect();
                let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
                let t = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &x[..n], &x[n..2 * n], &x[2 * n..]);
                let got = program.run(&x);
                let err = t.iter().zip(&got).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let err2 = t.iter().zip(&p2.run(&x)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                println!("{name} {regroup}: {:?} {} err {err:e} {err2:e} (general traced {:?}) M {:?} (GA {:?}) FD {:?}", program.count(), program.angles(), p2.count(), pm.count(), pm2.count(), pf.count());
            }
        }
    }
}
