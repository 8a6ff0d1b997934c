//! The PUMA of Mata2002 and Valera in motion: simulated under torques computed before, and in the loop of the boards.

use crate::assert_all_hold;
use crate::common::{assert_close, golden, norm, numbers};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_papers::PumaLine;
use appell_papers::open_loop::{OpenLoop, PRINTED_AVERAGES, PRINTED_COSTS, Study, TOLERANCE, Torques};
use appell_papers::sampled_puma::{COUNTS, Case, GEARS, PERIOD, PRINTED_TIMES, Reference, Response, respond};
use appell_simulation::simulation::plant::ForwardMethod;
use appell_simulation::trajectory::{RobotMotion, TreeMotion};
use core::f64::consts::TAU;

fn puma() -> Mechanism {
    robots::find("puma560").unwrap().mechanism()
}

#[test]
fn the_lines_are_the_golden_ones() {
    let robot = puma();
    for (line, file) in [(PumaLine::MATA, "b_trajectory_001_part.json"), (PumaLine::VALERA, "b_trajectory_002.json")] {
        let golden = golden(file);
        assert_eq!(line.duration, golden["T"].as_f64().unwrap());
        let mut motion = TreeMotion::new(&robot, Box::new(line.joints(&robot).unwrap()), true);
        for (k, t) in numbers(&golden["t"]).into_iter().enumerate() {
            let found = motion.at(t).unwrap();
            assert_close(&found.q, &numbers(&golden["q"][k]), 1e-11, file);
            assert_close(&found.tau, &numbers(&golden["tau"][k]), 1e-10, file);
        }
    }
    // As printed: 8.6 s at 0.1 m/s, rounded; 5 s and 0.1 m/s contradict each other.
    let slip = |line: PumaLine| line.length() / PumaLine::PRINTED_SPEED - line.duration;
    assert!(slip(PumaLine::VALERA).abs() < 0.005 && slip(PumaLine::MATA) < -1.5);
}

#[test]
fn three_methods_make_one_motion_at_one_cost() {
    let study = Study::of(&puma()).unwrap();
    assert_all_hold(&study.checks());
    for torques in Torques::ALL {
        let runs = study.of_torques(torques);
        assert!(runs.iter().all(|run| run.samples.len() == 51));
        // Bit by bit where nothing grows large.
        assert!(torques == Torques::Held || runs.iter().all(|run| run.cost == runs[2].cost), "{torques:?}");
    }
    let fewest = PRINTED_COSTS.iter().map(|(_, count)| *count).min().unwrap();
    assert!(study.of_torques(Torques::Straight)[2].cost.evaluations < fewest);
}

#[test]
fn what_the_torques_are_between_the_instants_makes_the_errors() {
    let robot = puma();
    let experiment = OpenLoop::new(&robot).unwrap();
    let run = |torques, tolerance, intervals| {
        experiment.run(ForwardMethod::GibbsAppell, torques, tolerance, intervals).unwrap()
    };
    // Exact torques leave what the tolerance leaves, and one interval hardly that.
    let exact = run(Torques::Exact, TOLERANCE, 50);
    assert!(exact.largest()[0] < 1e-4 && run(Torques::Exact, TOLERANCE, 1).largest()[0] < 1e-11);
    assert!(run(Torques::Exact, 1e-9, 50).largest()[0] < 0.5 * exact.largest()[0]);
    // Straight lines between them err as much as the paper prints, and no tolerance helps.
    let straight = run(Torques::Straight, TOLERANCE, 50);
    let finer = run(Torques::Straight, 1e-9, 50);
    assert_close(&straight.averages()[0], &finer.averages()[0], 1e-3, "no error of the integration");
    for (order, ours) in straight.averages().iter().enumerate() {
        let printed: Vec<f64> = PRINTED_AVERAGES.iter().map(|row| row[order]).collect();
        assert!((1.0..10.0).contains(&(norm(ours) / norm(&printed))), "{order}: {ours:?} {printed:?}");
    }
    assert!(run(Torques::Held, TOLERANCE, 50).largest()[0] > straight.largest()[0]);
}

fn follow(reference: Reference, case: Case) -> Response {
    let mut ticks = 0.0;
    let clock = || {
        ticks += 1e-6;
        ticks
    };
    respond(&puma(), reference, case, clock).unwrap()
}

#[test]
fn ramps_and_splines_are_followed_within_counts() {
    let count = COUNTS.iter().zip(GEARS).map(|(&counts, gear)| TAU / f64::from(counts) / gear).fold(0.0, f64::max);
    for reference in [Reference::Ramp, Reference::Splines] {
        let [exact, heavier, integral] = Case::ALL.map(|case| follow(reference, case));
        for response in [&exact, &heavier, &integral] {
            assert!(response.statistics.saturated.iter().all(|&count| count == 0), "{reference:?}");
            let times = response.statistics.step_times.unwrap();
            assert!((times.median - 1e-6).abs() < 1e-9 && times.late == 0, "by the clock that was given");
            assert!(PRINTED_TIMES.iter().all(|(_, time)| *time < PERIOD));
        }
        let last = |response: &Response| {
            let sample = response.samples.last().unwrap();
            sample.truth.iter().zip(&sample.wanted).fold(0.0_f64, |most, (q, w)| most.max((q - w).abs()))
        };
        // Some counts with an exact model; what a wrong one leaves, integral action takes away.
        assert!(exact.largest() < 10.0 * count, "{reference:?}: {:.2e}", exact.largest());
        let rms = |response: &Response| response.statistics.tracking.iter().fold(0.0_f64, |most, t| most.max(t.rms));
        assert!(rms(&heavier) > 2.0 * rms(&exact), "{reference:?}: {:.2e} {:.2e}", rms(&heavier), rms(&exact));
        assert!(rms(&integral) < 0.5 * rms(&heavier), "{reference:?}: {:.2e} {:.2e}", rms(&integral), rms(&heavier));
        assert!(
            last(&integral) < 0.5 * last(&heavier),
            "{reference:?}: {:.2e} {:.2e}",
            last(&integral),
            last(&heavier)
        );
    }
}
