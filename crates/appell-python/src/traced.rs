//! A law, or a cost, that a function of Python wrote down: a list of operations, made expressions of again where a rollout is recorded.

use appell::real::Real;
use appell_codegen::Expr;
use appell_codegen::rollout::Moment;
use pyo3::prelude::*;

/// What Python gives: names of numbers, operations (name, places of what they take among the values before, a number), and places of the
/// answers.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Traced {
    pub(crate) shared: Vec<String>,
    pub(crate) own: Vec<String>,
    operations: Vec<(String, Vec<usize>, f64)>,
    answers: Vec<usize>,
}

/// How many numbers a moment has of each kind.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) drives: usize,
    pub(crate) pose: usize,
    pub(crate) freedoms: usize,
    pub(crate) torques: usize,
}

/// One operation. Places are among the values that came before it.
enum Operation {
    Constant(f64),
    Read(Input, usize),
    Function(Function, usize),
    Two(Two, [usize; 2]),
    WherePositive([usize; 3]),
    Efforts(Vec<usize>),
    Gravity,
}

#[derive(Clone, Copy)]
enum Input {
    Time,
    Positions,
    Velocities,
    Pose,
    Freedoms,
    Torques,
    Shared,
    Own,
}

#[derive(Clone, Copy)]
enum Function {
    Negative,
    Sin,
    Cos,
    Sqrt,
    Exp,
}

#[derive(Clone, Copy)]
enum Two {
    Sum,
    Difference,
    Product,
    Quotient,
    Atan2,
}

/// Operations that were checked: none takes what is not there.
pub(crate) struct Tape {
    operations: Vec<Operation>,
    answers: Vec<usize>,
}

impl Traced {
    /// Checks it; the name of an operation that does not fit is what is wrong.
    pub(crate) fn check(&self, sizes: Sizes) -> Result<Tape, String> {
        let mut values = 0;
        let mut operations = Vec::with_capacity(self.operations.len());
        for (name, places, number) in &self.operations {
            let one = self.operation(name, places, *number, sizes).ok_or(name)?;
            if !matches!(one, Operation::Read(..)) && places.iter().any(|&place| place >= values) {
                return Err(name.clone());
            }
            values += match one {
                Operation::Efforts(_) | Operation::Gravity => sizes.drives,
                _ => 1,
            };
            operations.push(one);
        }
        if self.answers.iter().any(|&place| place >= values) {
            return Err("answer".into());
        }
        Ok(Tape { operations, answers: self.answers.clone() })
    }

    fn operation(&self, name: &str, places: &[usize], number: f64, sizes: Sizes) -> Option<Operation> {
        let one = |function| <[usize; 1]>::try_from(places).ok().map(|[x]| Operation::Function(function, x));
        let two = |operator| places.try_into().ok().map(|places| Operation::Two(operator, places));
        let read = |input, length| match *places {
            [place] if place < length => Some(Operation::Read(input, place)),
            _ => None,
        };
        match name {
            "constant" => Some(Operation::Constant(number)),
            "t" => read(Input::Time, 1),
            "q" => read(Input::Positions, sizes.drives),
            "v" => read(Input::Velocities, sizes.drives),
            "pose" => read(Input::Pose, sizes.pose),
            "r" => read(Input::Freedoms, sizes.freedoms),
            "tau" => read(Input::Torques, sizes.torques),
            "shared" => read(Input::Shared, self.shared.len()),
            "own" => read(Input::Own, self.own.len()),
            "negative" => one(Function::Negative),
            "sin" => one(Function::Sin),
            "cos" => one(Function::Cos),
            "sqrt" => one(Function::Sqrt),
            "exp" => one(Function::Exp),
            "add" => two(Two::Sum),
            "subtract" => two(Two::Difference),
            "multiply" => two(Two::Product),
            "divide" => two(Two::Quotient),
            "atan2" => two(Two::Atan2),
            "where_positive" => places.try_into().ok().map(Operation::WherePositive),
            "efforts" => (places.len() == sizes.drives).then(|| Operation::Efforts(places.to_vec())),
            "gravity" => Some(Operation::Gravity),
            _ => None,
        }
    }
}

impl Tape {
    /// The answers at a moment.
    pub(crate) fn at<'g>(&self, moment: &Moment<'_, 'g>) -> Vec<Expr<'g>> {
        let mut values: Vec<Expr<'g>> = Vec::new();
        for operation in &self.operations {
            let value = match operation {
                Operation::Constant(x) => moment.t.constant(*x),
                Operation::Read(input, place) => match input {
                    Input::Time => moment.t,
                    Input::Positions => moment.q[*place],
                    Input::Velocities => moment.v[*place],
                    Input::Pose => moment.pose[*place],
                    Input::Freedoms => moment.r[*place],
                    Input::Torques => moment.tau[*place],
                    Input::Shared => moment.shared[*place],
                    Input::Own => moment.own[*place],
                },
                Operation::Function(function, x) => match (function, values[*x]) {
                    (Function::Negative, x) => -x,
                    (Function::Sin, x) => x.sin_cos().0,
                    (Function::Cos, x) => x.sin_cos().1,
                    (Function::Sqrt, x) => x.sqrt(),
                    (Function::Exp, x) => x.exp(),
                },
                Operation::Two(two, places) => match (two, places.map(|place| values[place])) {
                    (Two::Sum, [x, y]) => x + y,
                    (Two::Difference, [x, y]) => x - y,
                    (Two::Product, [x, y]) => x * y,
                    (Two::Quotient, [x, y]) => x / y,
                    (Two::Atan2, [y, x]) => y.atan2(x),
                },
                Operation::WherePositive(places) => {
                    let [x, yes, no] = places.map(|place| values[place]);
                    x.where_positive(yes, no)
                }
                Operation::Efforts(places) => {
                    let a: Vec<Expr<'g>> = places.iter().map(|&place| values[place]).collect();
                    values.extend(moment.efforts(&a));
                    continue;
                }
                Operation::Gravity => {
                    values.extend(moment.gravity());
                    continue;
                }
            };
            values.push(value);
        }
        self.answers.iter().map(|&place| values[place]).collect()
    }
}
