//! Working laws to begin with, as the files of a folder.
//!
//! | model | law |
//! |---|---|
//! | none | τ = K_d (q̇_d − q̇) + K_p (q_d − q) |
//! | generated inverse dynamics of an open robot | τ = ID(q, q̇, q̈_d + K_d (q̇_d − q̇) + K_p (q_d − q)) |
//! | generated inverse dynamics of a platform | τ = ID(pose, V, V̇_d + K_d (V_d − V) − K_p e), e as of [`PlatformTorque`] |
//!
//! They take the gains kp and kd, and do what [`JointPd`], [`ComputedTorque`] and [`PlatformTorque`] do with them.
//!
//! [`JointPd`]: appell_simulation::control::JointPd
//! [`ComputedTorque`]: appell_simulation::control::ComputedTorque
//! [`PlatformTorque`]: appell_simulation::control::PlatformTorque

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// The border, `appell_law.h`.
pub const HEADER: &str = include_str!("../include/appell_law.h");

const BORDER: &str = include_str!("../templates/appell_law.rs");
const C: &str = include_str!("../templates/law.c");
const RUST: &str = include_str!("../templates/lib.rs");

/// A language of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named by themselves")]
pub enum Language {
    C,
    Rust,
}

/// What the errors of a law are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The joints of an open robot.
    Joints,
    /// The platform of a parallel robot.
    Platform,
}

/// Generated inverse dynamics that a law is built on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The robot's name.
    pub robot: String,
    /// The function, which its files are named by.
    pub function: String,
    /// How many drives it has.
    pub drives: usize,
    /// What it reads.
    pub space: Space,
    /// Whether it takes exponentials: then its numbers must have them.
    pub has_exponentials: bool,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path in the folder.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::C, Self::Rust];

    /// Its name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
        }
    }

    /// Where generated code belongs in the folder.
    #[must_use]
    pub const fn sources(self) -> &'static str {
        match self {
            Self::C => "",
            Self::Rust => "src",
        }
    }

    /// What builds it, in the folder.
    #[must_use]
    pub const fn build(self) -> &'static str {
        match self {
            Self::C => "make",
            Self::Rust => "cargo build --release",
        }
    }

    /// The library that comes of it, seen from the folder.
    #[must_use]
    pub fn library(self) -> String {
        match self {
            Self::C => format!("law{DLL_SUFFIX}"),
            Self::Rust => format!("target/release/{DLL_PREFIX}law{DLL_SUFFIX}"),
        }
    }

    /// The files of a law, without those of the model.
    #[must_use]
    pub fn files(self, model: Option<&Model>) -> Vec<File> {
        let file = |name, text| File { name, text };
        match self {
            Self::C => vec![
                file("appell_law.h", HEADER.to_owned()),
                file("law.c", c(model)),
                file("Makefile", makefile(model)),
            ],
            Self::Rust => vec![
                file("Cargo.toml", CARGO.to_owned()),
                file("src/appell_law.rs", BORDER.to_owned()),
                file("src/lib.rs", rust(model)),
            ],
        }
    }
}

/// The file that a user changes.
#[must_use]
pub const fn own_file(language: Language) -> &'static str {
    match language {
        Language::C => "law.c",
        Language::Rust => "src/lib.rs",
    }
}

/// A package of its own, also in the folder of another.
const CARGO: &str = "[package]\nname = \"law\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
                     [workspace] # of its own, wherever the folder lies\n";

/// The line that builds a law in C.
fn compiler(model: Option<&Model>) -> String {
    let model = model.map_or(String::new(), |model| format!(" {}.c", model.function));
    format!("-std=c99 -O2 -Wall -Wextra -fPIC -shared law.c{model} -lm -o {}", Language::C.library())
}

fn makefile(model: Option<&Model>) -> String {
    let (library, line) = (Language::C.library(), compiler(model));
    let model = model.map_or(String::new(), |model| format!(" {0}.c {0}.h", model.function));
    format!("{library}: law.c appell_law.h{model}\n\t$(CC) {line}\n")
}

/// What the law is, and its equation.
fn summary(model: Option<&Model>) -> (String, &'static str, &'static str) {
    match model {
        None => {
            ("A spring and a damper at each drive.".into(), "effort = kd (v_d - v) + kp (q_d - q)", "spring and damper")
        }
        Some(Model { robot, space: Space::Joints, .. }) => (
            format!("Computed torque of {robot}, with generated inverse dynamics.").replace("*/", "* /"),
            "effort = ID(q, v, a_d + kd (v_d - v) + kp (q_d - q))",
            "computed torque",
        ),
        Some(Model { robot, space: Space::Platform, .. }) => (
            format!("Computed torque of the platform of {robot}, with generated inverse dynamics.")
                .replace("*/", "* /"),
            "effort = ID(pose, twist, acceleration_d + kd (twist_d - twist) - kp error)",
            "computed torque of the platform",
        ),
    }
}

/// Drives that a law without a model can have.
const MOST_DRIVES: usize = 64;

/// Puts texts in place of their names.
fn filled(template: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(template.to_owned(), |text, (place, put)| text.replace(&format!("@{place}@"), put))
}

fn c(model: Option<&Model>) -> String {
    let (summary, equation, name) = summary(model);
    let drives = model.map_or(MOST_DRIVES, |model| model.drives).to_string();
    let mut include = model.map_or(String::new(), |model| format!("#include \"{}.h\"\n", model.function));
    let (step, statuses, messages) = match model {
        None => (
            "    uint32_t i;\n    for (i = 0; i < law->drives; ++i)\n        effort[i] = law->kd[i] * (now->v_d[i] - now->v[i]) + \
             law->kp[i] * (now->q_d[i] - now->q[i]);"
                .to_owned(),
            "",
            "",
        ),
        Some(Model { function, space: Space::Joints, .. }) => (
            format!(
                "    double a[DRIVES];\n    uint32_t i;\n    for (i = 0; i < DRIVES; ++i)\n        a[i] = now->a_d[i] + \
                 law->kd[i] * (now->v_d[i] - now->v[i]) + law->kp[i] * (now->q_d[i] - now->q[i]);\n    {function}(now->q, \
                 now->v, a, effort);"
            ),
            "",
            "",
        ),
        Some(Model { function, space: Space::Platform, .. }) => (
            format!(
                "    double error[6], a[6];\n    int k;\n    if (now->pose_d == NULL) return NO_PATH;\n    \
                 error_of(now->pose, now->pose_d, error);\n    for (k = 0; k < 6; ++k)\n        a[k] = \
                 now->acceleration_d[k] + law->kd[0] * (now->twist_d[k] - now->twist[k]) - law->kp[0] * error[k];\n    \
                 {function}(now->pose, now->twist, a, effort);"
            ),
            ", NO_PATH",
            "    case NO_PATH: return \"it follows a path of the platform; let the reference be a line, an arc or via points\";\n",
        ),
    };
    if model.is_some_and(|model| model.space == Space::Platform) {
        include += C_ERROR;
    }
    let wrong = if model.is_some() { "setup->drives != DRIVES" } else { "setup->drives > DRIVES" };
    let for_drives = if model.is_some() { drives.clone() } else { format!("at most {drives}") };
    let build = format!("cc {}", compiler(model));
    let places = [
        ("SUMMARY", summary.as_str()),
        ("EQUATION", equation),
        ("BUILD", &build),
        ("INCLUDE", &include),
        ("NAME", name),
        ("WRONG_DRIVES", wrong),
        ("FOR_DRIVES", &for_drives),
        ("DRIVES", &drives),
        ("STEP", &step),
        ("STATUSES", statuses),
        ("MESSAGES", messages),
    ];
    filled(C, &places)
}

/// How far a platform is off: its way, and the rotation vector from the wanted attitude to its own, in base axes.
const C_ERROR: &str = "#include <math.h>

/* How far the platform is off: its way, and the rotation vector from the wanted attitude to its own, in base axes. */
static void error_of(const double pose[7], const double wanted[7], double error[6])
{
    const double *q = pose + 3, *d = wanted + 3; /* x y z w */
    const double w = q[3] * d[3] + q[0] * d[0] + q[1] * d[1] + q[2] * d[2];
    const double x = d[3] * q[0] - q[3] * d[0] - (q[1] * d[2] - q[2] * d[1]);
    const double y = d[3] * q[1] - q[3] * d[1] - (q[2] * d[0] - q[0] * d[2]);
    const double z = d[3] * q[2] - q[3] * d[2] - (q[0] * d[1] - q[1] * d[0]);
    const double sine = sqrt(x * x + y * y + z * z), sign = w < 0.0 ? -1.0 : 1.0;
    const double by = sine > 0.0 ? sign * 2.0 * atan2(sine, fabs(w)) / sine : 2.0 * sign;
    int k;
    for (k = 0; k < 3; ++k) error[k] = pose[k] - wanted[k];
    error[3] = by * x;
    error[4] = by * y;
    error[5] = by * z;
}
";

fn rust(model: Option<&Model>) -> String {
    let (summary, equation, name) = summary(model);
    let mut include = String::new();
    let (mut statuses, mut messages, mut check) = (String::new(), String::new(), String::new());
    if let Some(Model { function, drives, has_exponentials, .. }) = model {
        let scalar = RUST_SCALAR.replace("EXP", if *has_exponentials { RUST_EXP } else { "" });
        include = format!(
            "#[allow(dead_code)] // its self-test\n#[path = \"{function}.rs\"]\nmod model;\n\n{scalar}\nconst DRIVES: usize = {drives};\n"
        );
        statuses = "const OTHER_DRIVES: Status = 2;\n".into();
        messages = format!("            OTHER_DRIVES => Some(c\"it is for {drives} drives\"),\n");
        check = "        if setup.names.len() != DRIVES {\n            return Err(OTHER_DRIVES);\n        }\n".into();
    }
    let step = match model {
        None => "        for (i, effort) in effort.iter_mut().enumerate() {\n            *effort = self.kd[i] * (now.v_d[i] - now.v[i]) + \
                 self.kp[i] * (now.q_d[i] - now.q[i]);\n        }"
            .to_owned(),
        Some(Model { function, space: Space::Joints, .. }) => format!(
            "        let of_all = |numbers: &[f64]| -> [f64; DRIVES] {{ std::array::from_fn(|i| numbers[i]) }};\n        \
             let a: [f64; DRIVES] = std::array::from_fn(|i| {{\n            now.a_d[i] + self.kd[i] * (now.v_d[i] - now.v[i]) + \
             self.kp[i] * (now.q_d[i] - now.q[i])\n        }});\n        let mut tau = [0.0; DRIVES];\n        \
             model::{function}(&of_all(now.q), &of_all(now.v), &a, &mut tau);\n        effort.copy_from_slice(&tau);"
        ),
        Some(Model { function, space: Space::Platform, .. }) => {
            include += RUST_ERROR;
            statuses += "const NO_PATH: Status = 3;\n";
            messages += "            NO_PATH => Some(c\"it follows a path of the platform; let the reference be a line, an arc or via \
                         points\"),\n";
            format!(
                "        let (Some(pose), Some(twist)) = (now.pose, now.twist) else {{ return Err(NO_PATH) }};\n        \
                 let (Some(pose_d), Some(twist_d), Some(a_d)) = (now.pose_d, now.twist_d, now.acceleration_d) else {{\n            \
                 return Err(NO_PATH);\n        }};\n        let error = error_of(pose, pose_d);\n        let a: [f64; 6] =\n            \
                 std::array::from_fn(|k| a_d[k] + self.kd[0] * (twist_d[k] - twist[k]) - self.kp[0] * error[k]);\n        \
                 let mut tau = [0.0; DRIVES];\n        model::{function}(pose, twist, &a, &mut tau);\n        \
                 effort.copy_from_slice(&tau);"
            )
        }
    };
    let places = [
        ("SUMMARY", summary.as_str()),
        ("EQUATION", equation),
        ("INCLUDE", &include),
        ("NAME", name),
        ("CHECK", &check),
        ("STATUSES", &statuses),
        ("MESSAGES", &messages),
        ("STEP", &step),
    ];
    filled(RUST, &places)
}

/// The numbers that generated code computes with.
const RUST_SCALAR: &str = "impl model::Scalar for f64 {
    fn constant(self, x: f64) -> Self {
        x
    }
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
EXP    fn where_positive(self, yes: Self, no: Self) -> Self {
        if self > 0.0 { yes } else { no }
    }
}
";

const RUST_EXP: &str = "    fn exp(self) -> Self {
        f64::exp(self)
    }
";

const RUST_ERROR: &str = "
/// How far the platform is off: its way, and the rotation vector from the wanted attitude to its own, in base axes.
fn error_of(pose: &[f64; 7], wanted: &[f64; 7]) -> [f64; 6] {
    let ([q0, q1, q2, q3], [d0, d1, d2, d3]) =
        ([pose[3], pose[4], pose[5], pose[6]], [wanted[3], wanted[4], wanted[5], wanted[6]]);
    let w = q3 * d3 + q0 * d0 + q1 * d1 + q2 * d2;
    let x = d3 * q0 - q3 * d0 - (q1 * d2 - q2 * d1);
    let y = d3 * q1 - q3 * d1 - (q2 * d0 - q0 * d2);
    let z = d3 * q2 - q3 * d2 - (q0 * d1 - q1 * d0);
    let (sine, sign) = ((x * x + y * y + z * z).sqrt(), if w < 0.0 { -1.0 } else { 1.0 });
    let by = if sine > 0.0 { sign * 2.0 * sine.atan2(w.abs()) / sine } else { 2.0 * sign };
    [pose[0] - wanted[0], pose[1] - wanted[1], pose[2] - wanted[2], by * x, by * y, by * z]
}
";
