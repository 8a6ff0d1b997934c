//! The statements of a program, in any language that has its operators.

use crate::graph::{Op, Ref};
use crate::kernel::Kernel;
use crate::program::Program;

/// How a language writes what a program does.
pub(crate) trait Syntax {
    /// A number.
    fn number(&self, x: f64) -> String {
        format!("{x:?}")
    }

    /// An entry of an argument, from 0.
    fn entry(&self, argument: &str, index: usize) -> String {
        format!("{argument}[{index}]")
    }

    /// A name for what is kept: `t` for steps, `s` and `c` for sines and cosines.
    fn name(&self, letter: char, number: usize) -> String {
        format!("{letter}{number}")
    }

    /// Whether sums and products that are used once are written where they are used.
    fn nests(&self) -> bool {
        false
    }

    /// x + y, x − y, x y and x / y.
    fn operation(&self, operator: char, x: &str, y: &str) -> String {
        format!("{x} {operator} {y}")
    }

    /// What is grouped.
    fn grouped(&self, x: &str) -> String {
        format!("({x})")
    }

    /// c + a b, or c − a b.
    fn fused_after(&self, c: &str, negative: bool, [a, b]: [&str; 2]) -> String {
        self.operation(if negative { '-' } else { '+' }, c, &self.operation('*', a, b))
    }

    /// a b + c, or a b − c.
    fn fused_before(&self, [a, b]: [&str; 2], negative: bool, c: &str) -> String {
        self.operation(if negative { '-' } else { '+' }, &self.operation('*', a, b), c)
    }

    fn sqrt(&self, x: &str) -> String {
        format!("sqrt({x})")
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!("atan2({y}, {x})")
    }

    fn exp(&self, x: &str) -> String {
        format!("exp({x})")
    }

    /// `yes` where x > 0, else `no`.
    fn choice(&self, x: &str, yes: &str, no: &str) -> String;

    /// Whether entries of arguments are kept once they were read: reading them costs something.
    fn keeps_entries(&self) -> bool {
        false
    }

    /// Whether an entry of the answer is written as soon as it is known, so that nothing waits for the end in a register.
    fn writes_early(&self) -> bool {
        false
    }

    /// Keeps a value.
    fn bind(&self, name: &str, value: &str) -> String;

    /// Keeps sines and cosines of angles, of which none depends on another's.
    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String>;

    /// Writes an entry of the answer, from 0.
    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        format!("{answer}[{index}] = {value};")
    }
}

/// An angle, and the names of its sine and cosine, where they are used.
pub(crate) struct Angle {
    pub(crate) sin: Option<String>,
    pub(crate) cos: Option<String>,
    pub(crate) angle: String,
}

/// A line for each angle: `both` of its sine and cosine, or `one` of the functions `sin` and `cos`.
pub(super) fn each(
    angles: &[Angle],
    both: impl Fn(&str, &str, &str) -> String,
    one: impl Fn(&str, &str, &str) -> String,
) -> Vec<String> {
    let line = |Angle { sin, cos, angle }: &Angle| match (sin, cos) {
        (Some(sin), Some(cos)) => both(sin, cos, angle),
        (Some(sin), None) => one(sin, "sin", angle),
        (None, Some(cos)) => one(cos, "cos", angle),
        (None, None) => unreachable!("one of them is used"),
    };
    angles.iter().map(line).collect()
}

/// The arguments that no statement reads.
pub(super) fn unread(kernel: &Kernel) -> Vec<&'static str> {
    let mut end = 0;
    let mut unread = Vec::new();
    for argument in &kernel.arguments {
        let places = end..end + argument.entries.len();
        end = places.end;
        let reads = |op: &Op| matches!(op, Op::Input(place) if places.contains(place));
        if !kernel.program.steps.iter().any(reads) {
            unread.push(argument.name);
        }
    }
    unread
}

/// All statements of a kernel, without indentation.
pub(super) fn statements(kernel: &Kernel, syntax: &dyn Syntax) -> Vec<String> {
    let arguments = kernel.arguments.iter().map(|argument| (argument.name, argument.entries.len())).collect();
    statements_of(&kernel.program, arguments, kernel.answer.name, syntax)
}

/// All statements of a program, whose inputs belong to arguments by name and length.
pub(crate) fn statements_of(
    program: &Program,
    arguments: Vec<(&str, usize)>,
    answer: &str,
    syntax: &dyn Syntax,
) -> Vec<String> {
    let mut writer = Writer::new(program, arguments, answer, syntax);
    writer.write_steps();
    writer.lines
}

struct Writer<'k> {
    program: &'k Program,
    arguments: Vec<(&'k str, usize)>, // names and lengths
    answer: &'k str,
    syntax: &'k dyn Syntax,
    uses: Vec<u32>,
    inline: Vec<bool>,  // written where they are used
    names: Vec<String>, // of what is kept
    lines: Vec<String>,
    kept: usize,
}

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Whole,
}

impl<'k> Writer<'k> {
    fn new(program: &'k Program, arguments: Vec<(&'k str, usize)>, answer: &'k str, syntax: &'k dyn Syntax) -> Self {
        let mut uses = vec![0; program.steps.len()];
        let mut in_sum = vec![false; program.steps.len()];
        for op in &program.steps {
            for operand in op.operands() {
                uses[operand.index()] += 1;
                in_sum[operand.index()] = matches!(op, Op::Add(..));
            }
        }
        program.outputs.iter().for_each(|output| uses[output.index()] += 1);
        let is_inline = |(index, op): (usize, &Op)| match op {
            Op::Input(_) => !syntax.keeps_entries(),
            Op::Constant(_) => true,
            Op::Mul(..) => uses[index] == 1 && (in_sum[index] || syntax.nests()),
            Op::Add(..) | Op::Div(..) | Op::Sqrt(_) => uses[index] == 1 && syntax.nests(),
            _ => false,
        };
        let inline = program.steps.iter().enumerate().map(is_inline).collect();
        let names = vec![String::new(); program.steps.len()];
        Self { program, arguments, answer, syntax, uses, inline, names, lines: Vec::new(), kept: 0 }
    }

    fn write_steps(&mut self) {
        let outputs = self.outputs_by_step();
        let mut angles = 0;
        for (index, &op) in self.program.steps.iter().enumerate() {
            if op.angle().is_some() {
                if self.names[index].is_empty() {
                    self.write_sines_and_cosines(&mut angles);
                }
            } else if !self.inline[index] && !self.is_output_alone(index) {
                self.kept += 1;
                let name = self.syntax.name('t', self.kept);
                let line = self.syntax.bind(&name, &self.expression(op).0);
                self.lines.push(line);
                self.names[index] = name;
            }
            if self.syntax.writes_early() {
                outputs[index].iter().for_each(|&place| self.write_output(place));
            }
        }
        if !self.syntax.writes_early() {
            (0..self.program.outputs.len()).for_each(|place| self.write_output(place));
        }
    }

    /// The entries of the answer that each step is.
    fn outputs_by_step(&self) -> Vec<Vec<usize>> {
        let mut outputs = vec![Vec::new(); self.program.steps.len()];
        for (place, output) in self.program.outputs.iter().enumerate() {
            outputs[output.index()].push(place);
        }
        outputs
    }

    /// Writes the sines and cosines of all angles that are known by now.
    fn write_sines_and_cosines(&mut self, count: &mut usize) {
        let mut known: Vec<(Ref, Angle)> = Vec::new();
        let mut numbers = Vec::new();
        for (index, op) in self.program.steps.iter().enumerate() {
            let Some(angle) = op.angle().filter(|angle| self.is_known(*angle) && self.names[index].is_empty()) else {
                continue;
            };
            let place = known.iter().position(|(other, _)| *other == angle).unwrap_or_else(|| {
                *count += 1;
                known.push((angle, Angle { sin: None, cos: None, angle: self.operand(angle) }));
                numbers.push(*count);
                known.len() - 1
            });
            let is_sine = matches!(op, Op::Sin(_));
            let name = self.syntax.name(if is_sine { 's' } else { 'c' }, numbers[place]);
            let Angle { sin, cos, .. } = &mut known[place].1;
            *(if is_sine { sin } else { cos }) = Some(name.clone());
            self.names[index] = name;
        }
        let angles: Vec<Angle> = known.into_iter().map(|(_, angle)| angle).collect();
        self.lines.extend(self.syntax.bind_sin_cos(&angles));
    }

    /// Whether all that a text of this would name has been written.
    fn is_known(&self, at: Ref) -> bool {
        let op = self.program.steps[at.index()];
        match op {
            _ if !self.inline[at.index()] => !self.names[at.index()].is_empty(),
            _ => op.operands().all(|operand| self.is_known(operand)),
        }
    }

    fn write_output(&mut self, place: usize) {
        let output = self.program.outputs[place];
        let value =
            if self.names[output.index()].is_empty() { self.expression_of_sign(output) } else { self.operand(output) };
        let line = self.syntax.assign(self.answer, place, &value);
        self.lines.push(line);
    }

    /// Whether a step is nothing but one entry of the answer.
    fn is_output_alone(&self, index: usize) -> bool {
        self.uses[index] == 1 && self.program.outputs.iter().any(|output| output.index() == index)
    }

    fn expression_of_sign(&self, at: Ref) -> String {
        let op = self.program.steps[at.index()];
        match op {
            _ if !at.is_negative() => self.expression(op).0,
            Op::Add(x, y) if y.is_negative() => self.expression(Op::Add(y.positive(), x.negated())).0,
            Op::Constant(_) => self.syntax.number(-self.number(op)),
            _ => format!("-{}", self.at_least(self.expression(op), Strength::Whole)),
        }
    }

    fn number(&self, op: Op) -> f64 {
        match op {
            Op::Constant(bits) => f64::from_bits(bits),
            _ => unreachable!("a number"),
        }
    }

    fn text(&self, at: Ref) -> (String, Strength) {
        if self.inline[at.index()] {
            self.expression(self.program.steps[at.index()])
        } else {
            (self.names[at.index()].clone(), Strength::Whole)
        }
    }

    fn at_least(&self, (text, strength): (String, Strength), least: Strength) -> String {
        if strength < least { self.syntax.grouped(&text) } else { text }
    }

    /// An operand of a function, with its sign.
    fn operand(&self, at: Ref) -> String {
        if !at.is_negative() {
            return self.text(at).0;
        }
        match self.program.steps[at.index()] {
            op @ Op::Constant(_) => self.syntax.number(-self.number(op)),
            _ => format!("-{}", self.at_least(self.text(at), Strength::Whole)),
        }
    }

    /// The factors of a product that is written where it is used.
    fn inline_product(&self, at: Ref) -> Option<[String; 2]> {
        match self.program.steps[at.index()] {
            Op::Mul(x, y) if self.inline[at.index()] => Some([x, y].map(|x| self.factor(x))),
            _ => None,
        }
    }

    fn factor(&self, at: Ref) -> String {
        self.at_least(self.text(at), Strength::Product)
    }

    fn expression(&self, op: Op) -> (String, Strength) {
        let syntax = self.syntax;
        match op {
            Op::Input(place) => {
                let mut place = place;
                for &(name, length) in &self.arguments {
                    if place < length {
                        return (syntax.entry(name, place), Strength::Whole);
                    }
                    place -= length;
                }
                unreachable!("every input belongs to an argument")
            }
            Op::Constant(bits) => (syntax.number(f64::from_bits(bits)), Strength::Whole),
            Op::Add(x, y) => {
                let negative = y.is_negative();
                let term = |y| self.at_least(self.text(y), if negative { Strength::Product } else { Strength::Sum });
                let text = if let Some([a, b]) = self.inline_product(y) {
                    syntax.fused_after(&self.text(x).0, negative, [&a, &b])
                } else if let Some([a, b]) = self.inline_product(x) {
                    syntax.fused_before([&a, &b], negative, &term(y))
                } else {
                    syntax.operation(if negative { '-' } else { '+' }, &self.text(x).0, &term(y))
                };
                (text, Strength::Sum)
            }
            Op::Mul(x, y) => (syntax.operation('*', &self.factor(x), &self.factor(y)), Strength::Product),
            Op::Div(x, y) => {
                let under = self.at_least(self.text(y), Strength::Whole);
                (syntax.operation('/', &self.factor(x), &under), Strength::Product)
            }
            Op::Sqrt(x) => (syntax.sqrt(&self.operand(x)), Strength::Whole),
            Op::Atan2(y, x) => (syntax.atan2(&self.operand(y), &self.operand(x)), Strength::Whole),
            Op::Exp(x) => (syntax.exp(&self.operand(x)), Strength::Whole),
            Op::Where(x, yes, no) => {
                (syntax.choice(&self.operand(x), &self.operand(yes), &self.operand(no)), Strength::Whole)
            }
            Op::Sin(_) | Op::Cos(_) => unreachable!("sines and cosines are kept"),
        }
    }
}
