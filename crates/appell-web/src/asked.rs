//! Questions made ready when they are first asked.

use appell::Robot;
use appell::question::{Evaluator, Question, State, Target};
use std::collections::HashMap;

/// Answers with more numbers than this are refused: they would be gigabytes for a robot of 10⁴ joints.
pub(crate) const MOST_NUMBERS: usize = 2_000_000;

/// Singular values of a Jacobian with more columns than this are left out: their memory grows with the square.
pub(crate) const MOST_OF_JACOBIAN: usize = 400;

/// Questions of one robot, made ready once.
pub(crate) struct Asked {
    ready: HashMap<Question, (Evaluator, Vec<f64>)>,
    target: Target,
}

/// How many numbers an answer has.
pub(crate) fn width(robot: &Robot, question: Question) -> usize {
    let size = |array: appell::question::Array| array.shape.iter().fold(1_usize, |all, &size| all.saturating_mul(size));
    question.arrays(robot).into_iter().map(size).fold(0, usize::saturating_add)
}

/// The question of a name.
pub(crate) fn find(name: &str) -> Result<Question, String> {
    Question::find(name).ok_or_else(|| {
        let known: Vec<&str> = Question::ALL.into_iter().map(Question::name).collect();
        format!("no question `{name}`; questions are {}", known.join(", "))
    })
}

/// Refuses what would take too much memory or time.
pub(crate) fn refuse(robot: &Robot, question: Question) -> Result<(), String> {
    let width = width(robot, question);
    if width > MOST_NUMBERS {
        return Err(format!("{} has {width} numbers here, too many for a page", question.name()));
    }
    let freedoms = robot.tree().velocities().len();
    if question == Question::Singularity && freedoms > MOST_OF_JACOBIAN {
        return Err(format!("{} is left out for a robot of {freedoms} joints", question.name()));
    }
    Ok(())
}

impl Asked {
    pub(crate) fn new(target: Target) -> Self {
        Self { ready: HashMap::new(), target }
    }

    /// Answers, or says why not.
    pub(crate) fn ask(&mut self, robot: &Robot, question: Question, state: &State<'_>) -> Result<&[f64], String> {
        if !self.ready.contains_key(&question) {
            refuse(robot, question)?;
            let evaluator = Evaluator::new(robot, question, None, self.target).map_err(|error| error.to_string())?;
            let row = vec![0.0; evaluator.columns().len()];
            self.ready.insert(question, (evaluator, row));
        }
        let Some((evaluator, row)) = self.ready.get_mut(&question) else { return Err("not ready".into()) };
        evaluator.evaluate(state, row).map_err(|error| error.to_string())?;
        Ok(row)
    }
}
