//! The printed tables of operation counts, line by line, and what we claim of each line.

use super::counts::{self, CHOLESKY_STEPS, Work};
use super::{Formula, Polynomial};
use appell::dynamics::joint_space::Equations;
use appell::dynamics::{gibbs_appell_inertia, gibbs_appell_vectorial};
use appell::real::Count;

/// A table of operation counts.
#[derive(Debug)]
pub struct Table {
    /// Number of the paper in our library, `001` or `002`.
    pub paper: &'static str,
    /// Its name in the paper, `table 1`; or the section, where the counts stand beside the algorithm.
    pub name: &'static str,
    /// What it counts.
    pub title: &'static str,
    /// Its lines, in order.
    pub lines: &'static [Line],
}

/// One line of a table.
#[derive(Debug)]
pub struct Line {
    /// Who counted what, as printed.
    pub label: &'static str,
    /// The formula, where one is printed.
    pub formula: Option<Formula>,
    /// The count for n = 6, where one is printed.
    pub at_six: Option<Count>,
    /// What we have of the same kind.
    pub ours: Ours,
}

/// What stands beside a printed line, and what we claim of it.
#[derive(Debug, Clone, Copy)]
pub enum Ours {
    /// The same algorithm, with the same count. The second field names one of its steps.
    Same(Work, Option<&'static str>),
    /// The same algorithm, with this count instead.
    Instead(Work, Option<&'static str>, Formula),
    /// The same idea written in our own way: its count is ours, and no claim.
    Akin(Work),
    /// Nothing.
    None,
}

/// A line measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Our formula; `None` if no polynomial fits what was counted.
    pub formula: Option<Formula>,
    /// Our count for n = 6.
    pub at_six: Count,
    /// Whether the count is the printed one.
    pub equal: bool,
    /// Whether what we claim of it holds.
    pub as_claimed: bool,
}

impl Line {
    /// Counts our own operations; `None` where we have nothing of the kind.
    #[must_use]
    pub fn measure(&self) -> Option<Measured> {
        let (work, step) = match self.ours {
            Ours::Same(work, step) | Ours::Instead(work, step, _) => (work, step),
            Ours::Akin(work) => (work, None),
            Ours::None => return None,
        };
        let formula = counts::formula(work, step);
        let at_six = counts::count(&counts::measure(work, 6), step);
        let equal = self.formula.is_none_or(|printed| formula == Some(printed))
            && self.at_six.is_none_or(|printed| at_six == printed);
        let as_claimed = match self.ours {
            Ours::Same(..) => equal,
            Ours::Instead(.., claim) => formula == Some(claim),
            Ours::Akin(_) | Ours::None => formula.is_some(),
        };
        Some(Measured { formula, at_six, equal, as_claimed })
    }
}

/// Coefficients of n³, n², n and 1 over a denominator, × then +.
const fn cubic([m, a]: [[i64; 4]; 2], denominator: i64) -> Formula {
    Formula::new(Polynomial::new(m, denominator), Polynomial::new(a, denominator))
}

/// A line, of which × and + for n = 6 are printed too.
const fn line(label: &'static str, formula: Formula, [by, plus]: [u64; 2], ours: Ours) -> Line {
    Line { label, formula: Some(formula), at_six: Some(Count::new(by, plus)), ours }
}

const fn linear(label: &'static str, m: [i64; 2], a: [i64; 2], at_six: [u64; 2], ours: Ours) -> Line {
    line(label, Formula::linear(m, a), at_six, ours)
}

/// A line of which nothing but × and + for n = 6 is printed.
const fn figure(label: &'static str, [by, plus]: [u64; 2], ours: Ours) -> Line {
    Line { label, formula: None, at_six: Some(Count::new(by, plus)), ours }
}

/// A step, of which no figure for n = 6 is printed.
const fn step(label: &'static str, work: Work, coefficients: [[i64; 4]; 2], denominator: i64) -> Line {
    Line { label, formula: Some(cubic(coefficients, denominator)), at_six: None, ours: Ours::Same(work, Some(label)) }
}

const INERTIA: [&str; 5] = gibbs_appell_inertia::STEPS;
const VECTORIAL: [&str; 6] = gibbs_appell_vectorial::STEPS;
const FORWARD: Work = Work::JointSpace(Equations::GibbsAppell);
const INERTIA_TOTAL: Formula = cubic([[0, 23, 39, -98], [0, 17, 63, -138]], 2);

/// Our whole forward dynamics: the sum of the four parts as we count them, and τ − bias, which the paper leaves out.
const FORWARD_CLAIM: Formula = cubic([[1, 78, 701, -954], [1, 60, 689, -1050]], 6);

/// Mata2002, table 1: inverse dynamics.
pub const MATA_1: Table = Table {
    paper: "001",
    name: "table 1",
    title: "Inverse dynamics",
    lines: &[
        linear("Luh et al. (Newton-Euler)", [150, -48], [131, -48], [852, 738], Ours::Akin(Work::NewtonEuler)),
        linear("Angeles et al. (Kane)", [105, -109], [90, -105], [521, 435], Ours::None),
        linear("Balafoutis and Patel (Newton-Euler)", [93, -69], [81, -66], [489, 420], Ours::None),
        linear("This work (Gibbs-Appell)", [96, -101], [84, -100], [475, 404], Ours::Same(Work::Tensor, None)),
    ],
};

/// Mata2002, §4.2: the inertia matrix step by step, added up from the counts beside each line of the algorithm.
pub const MATA_STEPS: Table = Table {
    paper: "001",
    name: "§4.2",
    title: "Generalised inertia matrix, step by step",
    lines: &[
        step(INERTIA[0], Work::Inertia, [[0, 8, -8, 0], [0, 7, -13, 6]], 2),
        step(INERTIA[1], Work::Inertia, [[0, 4, -12, 8], [0, 2, -6, 4]], 1),
        step(INERTIA[2], Work::Inertia, [[0, 0, 8, -8], [0, 0, 7, -7]], 1),
        step(INERTIA[3], Work::Inertia, [[0, 0, 31, -49], [0, 0, 40, -69]], 1),
        step(INERTIA[4], Work::Inertia, [[0, 7, -7, 0], [0, 6, -6, 0]], 2),
    ],
};

const CRBA: Formula = cubic([[0, 12, 56, -27], [0, 7, 67, -56]], 1);
const NOC: Formula = cubic([[1, 17, -21, 8], [1, 14, -16, 5]], 1);

/// Mata2002, table 2: the inertia matrix.
pub const MATA_2: Table = Table {
    paper: "001",
    name: "table 2",
    title: "Generalised inertia matrix",
    lines: &[
        line("Walker and Orin (CRBA)", CRBA, [741, 598], Ours::Akin(Work::CompositeBody)),
        line("Angeles and Ma (NOC)", NOC, [710, 629], Ours::Akin(Work::OrthogonalComplement)),
        line("This work (GA)", INERTIA_TOTAL, [482, 426], Ours::Same(Work::Inertia, None)),
    ],
};

const CHOLESKY: Formula = cubic([[1, 3, 2, 0], [1, 3, 2, 0]], 6);
const SOLVING: Formula = cubic([[0, 1, 0, 0], [0, 1, -1, 0]], 1);
const SOLVING_CLAIM: Formula = cubic([[0, 1, 1, 0], [0, 1, -1, 0]], 1);
const BIAS_CLAIM: Formula = Formula::linear([96, -110], [83, -106]);
const TOTAL: Formula = cubic([[1, 78, 695, -942], [1, 60, 683, -1044]], 6);

/// Mata2002, table 3: forward dynamics, part by part.
pub const MATA_3: Table = Table {
    paper: "001",
    name: "table 3",
    title: "Forward dynamics of the proposed method, part by part",
    lines: &[
        line("Calculation of D", INERTIA_TOTAL, [482, 426], Ours::Same(Work::Inertia, None)),
        linear("Bias vector", [96, -108], [83, -105], [468, 393], Ours::Instead(Work::Bias, None, BIAS_CLAIM)),
        line("Cholesky decomposition", CHOLESKY, [56, 56], Ours::Same(Work::Cholesky, Some(CHOLESKY_STEPS[0]))),
        line(
            "Linear system solving",
            SOLVING,
            [36, 30],
            Ours::Instead(Work::Cholesky, Some(CHOLESKY_STEPS[1]), SOLVING_CLAIM),
        ),
        line("Total", TOTAL, [1042, 905], Ours::Instead(FORWARD, None, FORWARD_CLAIM)),
    ],
};

/// Mata2002, table 4: forward dynamics for n = 6.
pub const MATA_4: Table = Table {
    paper: "001",
    name: "table 4",
    title: "Forward dynamics for n = 6",
    lines: &[
        figure("Walker and Orin (CRBA)", [1627, 1261], Ours::Akin(Work::JointSpace(Equations::CompositeBody))),
        figure("Featherstone (ABA)", [1533, 1415], Ours::Akin(Work::ArticulatedBody)),
        figure("Angeles and Ma (NOC)", [1353, 1165], Ours::Akin(Work::JointSpace(Equations::OrthogonalComplement))),
        figure("This work (GA)", [1042, 905], Ours::Instead(FORWARD, None, FORWARD_CLAIM)),
    ],
};

/// Valera, table 2: the proposed algorithm step by step.
pub const VALERA_2: Table = Table {
    paper: "002",
    name: "table 2",
    title: "Inverse dynamics in vectorial form, step by step",
    lines: &[
        step(VECTORIAL[0], Work::Vectorial, [[0, 0, 4, 0], [0, 0, 0, 0]], 1),
        step(VECTORIAL[1], Work::Vectorial, [[0, 0, 62, -75], [0, 0, 46, -61]], 1),
        step(VECTORIAL[2], Work::Vectorial, [[0, 0, 0, 0], [0, 0, 0, 0]], 1),
        step(VECTORIAL[3], Work::Vectorial, [[0, 0, 24, -23], [0, 0, 18, -18]], 1),
        step(VECTORIAL[4], Work::Vectorial, [[0, 0, 31, -38], [0, 0, 26, -37]], 1),
        step(VECTORIAL[5], Work::Vectorial, [[0, 0, 0, 0], [0, 0, 1, 0]], 1),
    ],
};

/// Valera, table 3: inverse dynamics.
pub const VALERA_3: Table = Table {
    paper: "002",
    name: "table 3",
    title: "Inverse dynamics",
    lines: &[
        linear("Luh, Walker and Paul", [121, -112], [90, -82], [614, 458], Ours::Akin(Work::NewtonEuler)),
        linear("Proposed algorithm", [121, -136], [91, -116], [590, 430], Ours::Same(Work::Vectorial, None)),
    ],
};

/// All of them.
pub const ALL: [&Table; 7] = [&MATA_1, &MATA_STEPS, &MATA_2, &MATA_3, &MATA_4, &VALERA_2, &VALERA_3];
