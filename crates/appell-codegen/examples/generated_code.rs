//! Generated code called: C of the inverse dynamics of one arm, compiled and run beside the library.
//!
//! `cargo run -p appell-codegen --example generated_code`; the C part needs a compiler `cc`.

use appell::{Question, Robot};
use appell_codegen::emit::{Language, function_name};
use appell_codegen::{Options, generate};
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("puma560")?;
    let kernel = generate(&robot, Question::InverseDynamics, &Options::default())?;
    let cost = kernel.report.generated;
    println!("{} multiplications and {} additions", cost.multiplications, cost.additions);
    assert!(cost.multiplications <= 160 && cost.additions <= 125);

    // What was recorded, run without a compiler.
    let (q, v, a) = ([0.1, -0.7, 0.4, 0.9, -0.3, 0.2], [0.5; 6], [1.0; 6]);
    let expected = robot.dynamics().inverse_dynamics(&q, &v, &a)?.to_vec();
    let agrees = |tau: &[f64]| tau.len() == 6 && tau.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-9);
    assert!(agrees(&kernel.program.run(&[q, v, a].concat())));

    // As C: a source, its header, and a main of our own that prints the torques.
    if Command::new("cc").arg("--version").output().is_err() {
        println!("there is no cc: the C code is not compiled");
        return Ok(());
    }
    let folder = std::env::temp_dir().join(format!("appell-generated-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for file in Language::C.write(&kernel)? {
        println!("{}, {} lines", file.name, file.text.lines().count());
        std::fs::write(folder.join(&file.name), &file.text)?;
    }
    let name = function_name(&kernel);
    let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ");
    let main = format!(
        "#include <stdio.h>\n#include \"{name}.h\"\nint main(void) {{\n\
         const double q[6] = {{{}}}, v[6] = {{{}}}, a[6] = {{{}}};\ndouble tau[6];\n{name}(q, v, a, tau);\n\
         for (int j = 0; j < 6; j++) printf(\"%.17g\\n\", tau[j]);\nreturn !{name}_self_test();\n}}\n",
        list(&q),
        list(&v),
        list(&a)
    );
    std::fs::write(folder.join("main.c"), main)?;
    let source = format!("{name}.c");
    let compiled = Command::new("cc").current_dir(&folder).args(["main.c", &source, "-o", "main", "-lm"]).status()?;
    assert!(compiled.success(), "a C compiler takes it");
    let printed = Command::new(folder.join("main")).output()?;
    std::fs::remove_dir_all(&folder)?;
    assert!(printed.status.success(), "its self-test passes");
    let tau: Vec<f64> = String::from_utf8(printed.stdout)?.lines().map(str::parse).collect::<Result<_, _>>()?;
    println!("C: {tau:.4?} N m");
    assert!(agrees(&tau));
    Ok(())
}
