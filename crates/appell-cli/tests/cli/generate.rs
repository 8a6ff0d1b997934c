//! `appell generate` from outside.

use super::{appell, json};
use appell::Kind;
use appell::question::Question;
use appell_codegen::emit::Language;
use appell_codegen::{answers, writes};
use std::fs;

#[test]
fn files_and_a_report_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/folder");
    let shown = out.display();
    let run = appell(&format!("generate puma560 --question inverse-dynamics --lang c,rust,python --out {shown}"));
    let said = run.fine();
    for name in ["c", "h", "rs", "py"] {
        let text = fs::read_to_string(out.join(format!("puma_560_inverse_dynamics.{name}"))).unwrap();
        assert!(text.contains("PUMA 560") && text.contains("joint positions, rad or m"), "{name}");
    }
    for step in ["general algorithm     475  404", "bodies regrouped", "generated"] {
        assert!(said.contains(step), "{said}");
    }
}

#[test]
fn counts_are_told_to_machines() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display();
    let run = appell(&format!("--json generate puma560 --question inverse-dynamics --lang c --out {shown}"));
    let answer = json(&run.stdout);
    let count = &answer["operations"]["generated"];
    assert!(count["multiplications"].as_u64().unwrap() <= 160 && count["additions"].as_u64().unwrap() <= 125);
    assert_eq!(answer["files"].as_array().unwrap().len(), 2);
}

#[test]
fn equations_of_a_small_robot_can_be_read() {
    let text = appell("generate two-link --question gravity --lang latex --out -").fine();
    assert!(text.contains(r"\begin{align*}") && text.contains(r"\sin\left(q_{1}\right)"), "{text}");
}

#[test]
fn kept_parameters_are_arguments() {
    let text = appell("generate puma560 --question gravity --lang c --keep-symbolic m2,cx3 --out -").fine();
    assert!(text.contains("const double p[2]") && text.contains("m2 cx3"), "{text}");
}

#[test]
fn parameters_of_legs_and_platform_are_arguments() {
    let text = appell("generate gough-stewart --question gravity --lang c --keep-symbolic mP,cz3 --out -").fine();
    assert!(text.contains("const double p[2]") && text.contains("mP cz3"), "{text}");
}

#[test]
fn a_huge_file_is_warned_of_with_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display();
    let small = appell(&format!("generate puma560 --question inverse-dynamics --lang c --out {shown}"));
    assert!(!small.stderr.contains("MB"), "{}", small.stderr);
    let joint = |k: usize| format!("  [\"j{k}\", \"revolute\", \"{} deg\", 0.3, \"q\", 0.1],\n", 30 * (k % 4));
    let body = |k: usize| {
        format!(
            "[body.j{k}]\nmass = 1.{k}\ncom = [0.1, 0.{k}, 0.2]\ninertia = {{ xx = 0.3, yy = 0.2, zz = 0.4, xy = 0.01 }}\n"
        )
    };
    let (joints, bodies): (String, String) = ((1..25).map(joint).collect(), (1..25).map(body).collect());
    let robot = folder.path().join("chain.toml");
    fs::write(&robot, format!("name = \"Chain\"\nframes = \"modified-dh\"\njoints = [\n{joints}]\n{bodies}")).unwrap();
    let path = robot.display();
    let large = appell(&format!("generate {path} --question forward-dynamics-derivatives --lang c --out {shown}"));
    assert_eq!(large.code, 0, "{}", large.stderr);
    assert!(large.stderr.contains("warning: chain_forward_dynamics_derivatives.c has"), "{}", large.stderr);
}

/// The table is the library's own.
#[test]
fn support_is_listed() {
    let table = appell("generate --support").fine();
    let machines = json(&appell("generate --support --json").fine());
    assert_eq!(machines[0]["question"], "inverse-dynamics");
    assert_eq!(machines[0]["robots"]["serial"].as_array().unwrap().len(), Language::ALL.len());
    assert_eq!(machines[0]["robots"]["parallel"].as_array().unwrap().len(), Language::ALL.len() - 1);
    for question in Question::ALL {
        let listed = table.lines().find(|line| line.split_whitespace().next() == Some(question.name()));
        let kinds = Kind::ALL.into_iter().filter(|&kind| answers(kind, question)).count();
        assert_eq!(listed.is_some(), kinds > 0, "{}", question.name());
        for language in Language::ALL {
            let listed =
                listed.map_or(0, |line| line.split_whitespace().filter(|&word| word == language.name()).count());
            let written = |&kind: &Kind| answers(kind, question) && writes(kind, language);
            let kinds = Kind::ALL.iter().copied().filter(|kind| written(kind)).count();
            assert_eq!(listed, kinds, "{} in {}", question.name(), language.name());
        }
    }
}

#[test]
fn wrong_use_says_what_is_wrong() {
    for (command, part) in [
        ("generate puma560 --question singularity --lang c --out -", "inverse-dynamics"),
        ("generate puma560 --question gravity --lang fortran --out -", "rust"),
        ("generate puma560 --question gravity --lang c --keep-symbolic m9 --out -", "6 bodies"),
        ("generate puma560 --question gravity --lang c --keep-symbolic weight --out -", "weight"),
        ("generate gough-stewart --question inverse-jacobian --lang c --keep-symbolic m1 --out -", "m1"),
        (
            "generate gough-stewart --question gravity --lang c --keep-symbolic m19 --out -",
            "18 bodies and a platform, P",
        ),
        ("generate puma560 --question gravity --lang c --keep-symbolic mP --out -", "6 bodies"),
        ("generate gough-stewart --question jacobian --lang latex --out -", "too many"),
        ("generate four-bar --question gravity --lang c --out -", "legs"),
        ("generate puma560 --question gravity --lang c --frame elbow --out -", "--frame"),
        ("generate puma560 --question jacobian --lang c --frame nose --out -", "nose"),
        ("generate puma560 --question inverse-dynamics --lang latex --out -", "too many"),
        ("generate", "--question"),
    ] {
        let run = appell(command);
        assert_eq!(run.code, 2, "{command}: {}", run.stdout);
        assert!(run.stderr.contains(part), "{command}: {}", run.stderr);
    }
}
