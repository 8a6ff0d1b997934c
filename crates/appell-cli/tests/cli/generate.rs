//! `appell generate` from outside.

use super::{Folder, appell, contains, json};
use appell::Kind;
use appell::question::Question;
use appell_codegen::emit::Language;
use appell_codegen::{answers, writes};

#[test]
fn files_and_a_report_are_written() {
    let folder = Folder::new();
    let out = folder.shown("new/folder");
    let generate = "generate puma560 --question inverse-dynamics --lang";
    let report = appell(&format!("{generate} c,rust,python --out {out}")).fine();
    for name in ["c", "h", "rs", "py"] {
        let text = folder.text(&format!("new/folder/puma_560_inverse_dynamics.{name}"));
        contains(&text, &["PUMA 560", "joint positions, rad or m"]);
    }
    contains(&report, &["general algorithm     475  404", "bodies regrouped", "generated"]);
    let answer = json(&appell(&format!("{generate} c --json --out {out}")).fine());
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
    for (robot, kept) in [("puma560", "m2,cx3"), ("gough-stewart", "mP,cz3")] {
        let command = format!("generate {robot} --question gravity --lang c --keep-symbolic {kept} --out -");
        contains(&appell(&command).fine(), &["const double p[2]", &kept.replace(',', " ")]);
    }
}

#[test]
fn a_huge_file_is_warned_of_with_its_size() {
    let folder = Folder::new();
    let joint = |k: usize| format!("  [\"j{k}\", \"revolute\", \"{} deg\", 0.3, \"q\", 0.1],\n", 30 * (k % 4));
    let body = |k: usize| {
        format!(
            "[body.j{k}]\nmass = 1.{k}\ncom = [0.1, 0.{k}, 0.2]\ninertia = {{ xx = 0.3, yy = 0.2, zz = 0.4, xy = 0.01 }}\n"
        )
    };
    let (joints, bodies): (String, String) = ((1..25).map(joint).collect(), (1..25).map(body).collect());
    let robot = format!("name = \"Chain\"\nframes = \"modified-dh\"\njoints = [\n{joints}]\n{bodies}");
    let (path, out) = (folder.write("chain.toml", robot), folder.shown(""));
    appell(&format!("generate {path} --question forward-dynamics-derivatives --lang c --out {out}"))
        .ended(0, &["warning: chain_forward_dynamics_derivatives.c has"]);
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
        ("puma560 --question singularity --lang c", "inverse-dynamics"),
        ("puma560 --question gravity --lang fortran", "rust"),
        ("puma560 --question gravity --lang c --keep-symbolic m9", "6 bodies"),
        ("puma560 --question gravity --lang c --keep-symbolic weight", "weight"),
        ("gough-stewart --question inverse-jacobian --lang c --keep-symbolic m1", "m1"),
        ("gough-stewart --question gravity --lang c --keep-symbolic m19", "18 bodies and a platform, P"),
        ("puma560 --question gravity --lang c --keep-symbolic mP", "6 bodies"),
        ("gough-stewart --question jacobian --lang latex", "too many"),
        ("four-bar --question jacobian --lang c", "name its output"),
        ("four-bar --question gravity --lang c --keep-symbolic m1", "closed forms"),
        ("puma560 --question gravity --lang c --frame elbow", "--frame"),
        ("puma560 --question jacobian --lang c --frame nose", "nose"),
        ("puma560 --question inverse-dynamics --lang latex", "too many"),
        ("", "--question"),
    ] {
        appell(&format!("generate {command} --out -")).ended(2, &[part]);
    }
}
