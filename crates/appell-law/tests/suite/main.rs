//! Laws in shared libraries, compiled here: what they get, what they give, and all that can be wrong with them.

#[cfg(unix)]
mod crashes;

use appell::Robot;
use appell_law::guarded::Side;
use appell_law::template::HEADER;
use appell_law::{Instance, LawError, Library, Now, Setup};
use appell_simulation::scenario::{Scenario, Watch};
use appell_simulation::simulation::{Law, Reason, View};
use core::ops::ControlFlow;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// A law in C around the text of its step; `more` stands before it.
pub(crate) fn source(more: &str, step: &str) -> String {
    format!(
        "#include \"appell_law.h\"\n#include <math.h>\n#include <stdlib.h>\n{more}\n\
         uint32_t appell_law_abi(void) {{ return APPELL_LAW_ABI; }}\n\
         const char *appell_law_name(void) {{ return \"trial\"; }}\n\
         struct law {{ double kp[8]; uint32_t drives; double period; }};\n\
         int32_t appell_law_create(const appell_law_setup *setup, void **state)\n{{\n    struct law *law = calloc(1, sizeof *law);\n    \
         law->drives = setup->drives; law->period = setup->period;\n    if (!appell_law_get(setup, \"kp\", law->kp)) {{ free(law); return 7; }}\n    \
         *state = law;\n    return 0;\n}}\n\
         int32_t appell_law_step(void *state, const appell_law_moment *now, double *effort)\n{{\n    struct law *law = state;\n    uint32_t i;\n    \
         (void)law; (void)now; (void)effort; (void)i;\n    {step}\n    return 0;\n}}\n\
         void appell_law_destroy(void *state) {{ free(state); }}\n\
         const char *appell_law_message(int32_t status) {{ return status == 7 ? \"kp is missing\" : NULL; }}\n"
    )
}

pub(crate) const HOLD: &str = "for (i = 0; i < law->drives; ++i) effort[i] = law->kp[i] * (now->q_d[i] - now->q[i]);";

/// Compiles C to a library.
#[track_caller]
pub(crate) fn compile(folder: &Path, text: &str) -> PathBuf {
    fs::write(folder.join("appell_law.h"), HEADER).unwrap();
    fs::write(folder.join("law.c"), text).unwrap();
    let library = folder.join("law.so");
    let flags = "-std=c99 -pedantic -Wall -Wextra -Werror -Wno-div-by-zero -O0 -fPIC -shared law.c -lm -o law.so";
    let output = Command::new("cc").current_dir(folder).args(flags.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

pub(crate) fn setup(folder: &TempDir, text: &str, kp: &[f64]) -> Result<Instance, LawError> {
    let library = compile(folder.path(), text);
    let names = ["waist".to_owned(), "elbow".to_owned()];
    let parameters = [("kd".to_owned(), vec![5.0]), ("kp".to_owned(), kp.to_vec())];
    Instance::open(&library, &Setup { names: &names, period: Some(1e-3), parameters: &parameters })
}

fn step(instance: &mut Instance, efforts: &mut [f64; 2]) -> Result<(), LawError> {
    let (q, zero) = ([0.25, -0.5], [0.0; 2]);
    let now =
        Now { t: 2.5, q: &q, v: &zero, q_d: &[1.0, 1.0], v_d: &zero, a_d: &zero, platform: None, platform_d: None };
    instance.step(&now, efforts)
}

#[test]
fn a_law_gets_what_the_header_says() {
    let folder = tempfile::tempdir().unwrap();
    let text = source("", HOLD)
        + "uint32_t appell_law_recorded(const void *state, double *values, const char **names)\n{\n    const struct law *law = state;\n    \
           if (values != NULL) { values[0] = law->period; values[1] = law->kp[1]; }\n    \
           if (names != NULL) { names[0] = \"period\"; names[1] = NULL; }\n    return 2;\n}\n";
    let mut law = setup(&folder, &text, &[100.0, 10.0]).unwrap();
    let mut efforts = [0.0; 2];
    step(&mut law, &mut efforts).unwrap();
    assert_eq!(efforts, [75.0, 15.0]);
    assert_eq!((law.name(), law.library().ends_with("law.so")), ("trial", true));
    assert_eq!(law.recorded_names(), ["period", "2"]);
    let mut own = [0.0; 2];
    law.recorded(&mut own).unwrap();
    assert_eq!(own, [1e-3, 10.0]);
    // Another thread may go on with it.
    std::thread::spawn(move || step(&mut law, &mut [0.0; 2]).unwrap()).join().unwrap();
    // One value is for all drives.
    let mut law = setup(&folder, &text, &[2.0]).unwrap();
    step(&mut law, &mut efforts).unwrap();
    assert_eq!(efforts, [1.5, 3.0]);
}

/// Own numbers are not believed: how many there are, how they are called, and where they are written.
#[test]
fn own_numbers_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = |body: &str| {
        let begin = "uint32_t appell_law_recorded(const void *state, double *values, const char **names)\n{\n    (void)state, (void)values, (void)names;\n    ";
        setup(&folder, &(source("int asked;", HOLD) + begin + body + "\n}\n"), &[1.0])
    };
    let many = recorded("return 1025;").err().unwrap();
    assert!(many.to_string().ends_with("law.so says that it has 1025 own numbers; expected at most 1024"), "{many}");
    let text = "if (names != NULL) { names[0] = \"a,b\\n\"; names[1] = names[0]; names[2] = \"\"; } if (values != NULL) { values[0] = 4.0; }";
    let mut law = recorded(&format!("{text} return 3;")).unwrap();
    assert_eq!(law.recorded_names(), ["a_b_", "2", "3"]);
    let mut own = [0.0; 3];
    law.recorded(&mut own).unwrap();
    assert!(own[0] == 4.0 && own[1].is_nan() && own[2].is_nan(), "what was not written is not known");
    drop(law); // of one path one library is open at a time
    let mut law = recorded("if (values != NULL) { values[2] = 1.0; }\n    return 2;").unwrap();
    let beyond = law.recorded(&mut own[..2]).unwrap_err();
    assert!(beyond.to_string().contains("law.so wrote behind its 2 own numbers at t = 0 s"), "{beyond}");
    drop(law);
    let changed = recorded("return ++asked > 2 ? 3 : 2;").unwrap().recorded(&mut own[..2]).unwrap_err();
    assert!(changed.to_string().ends_with("has 3 own numbers at t = 0 s, and had 2 at first"), "{changed}");
}

#[test]
fn the_header_is_also_cpp() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("appell_law.h"), HEADER).unwrap();
    fs::write(
        folder.path().join("law.cpp"),
        "#include \"appell_law.h\"\nuint32_t appell_law_abi() { return APPELL_LAW_ABI; }\n",
    )
    .unwrap();
    let flags = "-std=c++11 -pedantic -Wall -Wextra -Werror -c law.cpp";
    let output = Command::new("g++").current_dir(folder.path()).args(flags.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_not_a_law_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let none = Setup { names: &[], period: None, parameters: &[] };
    let missing = Instance::open(&folder.path().join("none.so"), &none).err().unwrap();
    assert!(missing.to_string().contains("none.so: file not found"), "{missing}");
    fs::write(folder.path().join("text.so"), "no library").unwrap();
    let text = Instance::open(&folder.path().join("text.so"), &none).err().unwrap();
    assert!(matches!(text, LawError::NotALibrary { .. }) && text.to_string().contains("text.so"), "{text}");
    // A model that is not linked is missed now, not at the first step.
    let unlinked = source("void model(double *effort);", "model(effort);");
    let unlinked = setup(&folder, &unlinked, &[1.0]).err().unwrap();
    assert!(unlinked.to_string().contains("undefined symbol: model"), "{unlinked}");
    let nameless = source("", HOLD).replace("appell_law_destroy", "appell_law_end");
    let nameless = setup(&folder, &nameless, &[1.0]).err().unwrap();
    assert!(matches!(nameless, LawError::Symbol { symbol: "appell_law_destroy", .. }), "{nameless}");
    let newer = source("", HOLD).replace("return APPELL_LAW_ABI", "return 2");
    let newer = setup(&folder, &newer, &[1.0]).err().unwrap();
    assert!(matches!(newer, LawError::Version { found: 2, .. }), "{newer}");
    let refused = setup(&folder, &source("", HOLD), &[1.0; 3]).err().unwrap();
    assert!(refused.to_string().ends_with("cannot be made: kp is missing (status 7)"), "{refused}");
}

#[test]
fn efforts_that_cannot_be_are_named_with_their_joint() {
    let folder = tempfile::tempdir().unwrap();
    let stopped = |step_text: &str, wrong: Option<usize>| {
        let mut law = setup(&folder, &source("", step_text), &[1.0]).unwrap();
        let mut efforts = [4.0; 2];
        let error = step(&mut law, &mut efforts).unwrap_err();
        for (k, effort) in efforts.iter().enumerate() {
            assert!(if wrong == Some(k) { !effort.is_finite() } else { *effort == 0.0 }, "nothing of it comes through");
        }
        error
    };
    let nan = stopped("effort[0] = 1.0; effort[1] = sqrt(-1.0);", Some(1));
    assert!(matches!(&nan, LawError::NotFinite { joint, t, .. } if joint == "elbow" && *t == 2.5), "{nan}");
    let infinite = stopped("effort[0] = HUGE_VAL; effort[1] = 1.0;", Some(0));
    assert!(infinite.to_string().contains("wants inf for joint `waist` at t = 2.5 s"), "{infinite}");
    let unwritten = stopped("effort[0] = 1.0;", Some(1));
    assert!(matches!(&unwritten, LawError::Unwritten { joint, .. } if joint == "elbow"), "{unwritten}");
    let beyond = stopped("effort[0] = effort[1] = effort[2] = 1.0;", None);
    assert!(matches!(beyond, LawError::Beyond { count: 2, side: Side::Behind, .. }), "{beyond}");
    let before = stopped("effort[0] = effort[1] = 1.0; effort[-1] = 1.0;", None);
    assert!(before.to_string().contains("law.so wrote before its 2 efforts at t = 2.5 s"), "{before}");
    let status = stopped("effort[0] = effort[1] = 1.0; return 3;", None);
    assert!(status.to_string().contains("law `trial` of") && status.to_string().ends_with("status 3"), "{status}");
}

/// A law may round as it likes; who called it rounds as before. Opening one that was linked for speed makes no small number zero.
#[test]
#[cfg(target_arch = "x86_64")]
fn rounding_stays_as_it_was() {
    use std::hint::black_box;
    let third = || black_box(1.0) / black_box(3.0_f64);
    let smallest = || black_box(f64::MIN_POSITIVE) / black_box(8.0);
    let before = (third().to_bits(), smallest().to_bits());
    let folder = tempfile::tempdir().unwrap();
    let more = "#include <fenv.h>\n#include <xmmintrin.h>\n\
                static void __attribute__((constructor)) fast(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }";
    let up = "fesetround(FE_UPWARD); { volatile double one = 1.0, three = 3.0; effort[0] = effort[1] = one / three; }";
    let mut law = setup(&folder, &source(more, up), &[1.0]).unwrap();
    assert_eq!((third().to_bits(), smallest().to_bits()), before, "after it was opened");
    let mut efforts = [0.0; 2];
    step(&mut law, &mut efforts).unwrap();
    assert_eq!(efforts[0].to_bits(), before.0 + 1, "it has rounded up");
    assert_eq!((third().to_bits(), smallest().to_bits()), before, "after a step");
}

#[test]
fn steps_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let library = compile(folder.path(), &source("", HOLD));
    let asked = format!(
        "robot = \"gough-stewart\"\nreference = {{ kind = \"line\", to = [0.0, 0.0, 0.8], time = 0.1 }}\n[controller]\nlaw = {{ library = \
         {library:?}, parameters = {{ kp = 10.0 }} }}\n[loop]\nperiod = 1e-3\n"
    );
    let mut scenario = Scenario::read(&asked).unwrap();
    let counted = Arc::new(AtomicU64::new(u64::MAX));
    let parameters = scenario.law_library().unwrap().parameters.clone();
    scenario.put_law({
        let counted = Arc::clone(&counted);
        move |order| {
            let inner = Library::open(&library, &parameters, order)?;
            assert_eq!(inner.instance().name(), "trial");
            Ok(Box::new(Counted { inner, calls: 0, counted: Arc::clone(&counted) }))
        }
    });
    let robot = Robot::builtin("gough-stewart").unwrap();
    let outcome = scenario.play(&robot, Watch::default(), |_| ControlFlow::Continue(())).unwrap();
    assert!(outcome.stop.is_none(), "{:?}", outcome.stop);
    assert_eq!(counted.load(Ordering::Relaxed), 0);
}

/// Counts what a law allocates after its first call.
struct Counted<L> {
    inner: L,
    calls: u64,
    counted: Arc<AtomicU64>,
}

impl<L: Law> Law for Counted<L> {
    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        let mut answer = Ok(());
        let allocated = allocation_counter::measure(|| answer = self.inner.efforts(now, own, rates, efforts));
        let before = if self.calls < 2 { 0 } else { self.counted.load(Ordering::Relaxed) };
        let new = if self.calls == 0 { 0 } else { allocated.count_total };
        self.calls += 1;
        self.counted.store(before + new, Ordering::Relaxed);
        answer
    }
}
