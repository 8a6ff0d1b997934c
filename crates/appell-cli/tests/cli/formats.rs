//! Files of other programs, and tables as arrays of NumPy.

use super::{Folder, appell, compute, contains, numbers, repository};

#[test]
fn files_of_simulators_are_shown_computed_and_converted() {
    let folder = Folder::new();
    for (file, joints) in [("mjcf/everything.xml", 6), ("sdf/frames.sdf", 4)] {
        let path = repository(&format!("tests/data/{file}"));
        assert!(appell(&format!("check {path}")).stdout.contains("can be computed, 0 errors"), "{file}");
        assert!(appell(&format!("show {path}")).done().contains("Khalil-Kleinfinger"), "{file}");
        let header: Vec<String> = (1..=joints).map(|k| format!("q{k}")).collect();
        let state = format!("{}\n{}\n", header.join(","), vec!["0.3"; joints].join(","));
        let expected = numbers(&compute(&format!("inertia-matrix {path}"), &state).done()).remove(0);
        for ending in ["toml", "urdf", "par"] {
            let other = folder.shown(&format!("robot.{ending}"));
            appell(&format!("convert {path} {other} --lossy --overwrite")).done();
            let found = numbers(&compute(&format!("inertia-matrix {other} --without rotor"), &state).done()).remove(0);
            let size = expected.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            // What a URDF has no place for is left out of both.
            let reference =
                numbers(&compute(&format!("inertia-matrix {path} --without rotor"), &state).done()).remove(0);
            let differs = found.iter().zip(&reference).any(|(a, b)| (a - b).abs() > 1e-11 * size);
            assert!(!differs, "{file} {ending}: {found:?} {reference:?}");
        }
        contains(&folder.text("robot.urdf"), &["<visual"]);
    }
    let loops = repository("tests/data/mjcf/loops.xml");
    contains(&appell(&format!("check {loops}")).done(), &["1 degree of freedom", "can be computed, 0 errors"]);
    let sdf = repository("tests/data/sdf/frames.sdf");
    appell(&format!("convert {sdf} {}", folder.shown("a.sdf"))).refused_with(&["toml, urdf, par, csv, md"]);
}

#[test]
fn included_files_are_put_in_their_places() {
    let folder = Folder::new();
    folder.write(
        "arm.xml",
        "<mujocoinclude><body name='a'><joint axis='0 0 1'/><geom size='0.1'/></body></mujocoinclude>",
    );
    let whole = folder.write("whole.xml", "<mujoco>\n<worldbody><include file='arm.xml'/></worldbody>\n</mujoco>");
    assert!(appell(&format!("check {whole}")).stdout.contains("can be computed"));
    let missing = folder.write("missing.xml", "<mujoco>\n<include file='no.xml'/></mujoco>");
    appell(&format!("check {missing}")).refused_with(&["line 2: no.xml: file not found"]);
}

#[test]
fn arrays_are_tables() {
    let folder = Folder::new();
    let table = "t,q1,q2,v1,v2,a1,a2\n0,0.1,0.2,0.3,0.4,0.5,0.6\n1,-0.1,-0.2,0.5,0.1,0,0\n";
    let expected = numbers(&compute("inverse-dynamics two-link", table).fine());
    let points = folder.write("points.csv", table);
    // A trajectory gives a table of each kind, which is read again.
    for ending in ["npy", "npz", "csv"] {
        let motion = folder.shown(&format!("motion.{ending}"));
        appell(&format!("trajectory joints two-link --points {points} --spline cubic --dt 0.5 --out {motion}")).done();
        let torques = folder.shown(&format!("torques.{ending}"));
        appell(&format!("compute inverse-dynamics two-link --states {motion} --out {torques}")).done();
        let shown = appell(&format!("compute inverse-dynamics two-link --states {motion}")).done();
        assert_eq!(numbers(&shown).len(), 3, "{ending}");
        let reference = numbers(
            &appell(&format!(
                "compute inverse-dynamics two-link --states {}",
                folder.shown(&format!("motion.{ending}"))
            ))
            .done(),
        );
        assert_eq!(numbers(&shown), reference);
    }
    assert_eq!(expected.len(), 2);
    let texts = ["npy", "npz", "csv"].map(|ending| {
        let motion = folder.shown(&format!("motion.{ending}"));
        appell(&format!("compute inverse-dynamics two-link --states {motion}")).done()
    });
    assert!(texts.iter().all(|text| *text == texts[2]), "{texts:?}");
    let answers = std::fs::read(folder.path("torques.npy")).unwrap();
    assert!(answers.starts_with(b"\x93NUMPY"));
    let wrong = folder.shown("motion.npz");
    appell(&format!("compute inverse-dynamics puma560 --states {wrong}"))
        .refused_with(&["motion.npz", "missing columns"]);
    let out = folder.shown("x.npy");
    let run = appell(&format!("compute inverse-dynamics two-link --states {wrong} --out {out} --json"));
    run.ended(2, &[]);
    let error = &super::json(&run.stderr)["error"];
    assert!(error["message"].as_str().unwrap().starts_with("arrays are not JSON"), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_a_table() {
    let folder = Folder::new();
    let table = folder.write("motion.csv", "t,q1,q2,v1,v2,a1,a2\n0,0.1,0.2,0.3,0.4,0.5,0.6\n1,-0.1,-0.2,0.5,0.1,0,0\n");
    let [motion, torques] = ["motion", "torques"].map(|name| folder.shown(&format!("{name}.parquet")));
    appell(&format!("trajectory joints two-link --points {table} --spline cubic --dt 0.5 --out {motion}")).done();
    let shown = appell(&format!("compute inverse-dynamics two-link --states {motion}")).done();
    assert_eq!(numbers(&shown).len(), 3);
    appell(&format!("compute inverse-dynamics two-link --states {motion} --out {torques}")).done();
    assert!(std::fs::read(folder.path("torques.parquet")).unwrap().starts_with(b"PAR1"));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_its_files_are_refused_with_the_remedy() {
    let folder = Folder::new();
    let motion = folder.write("motion.parquet", "PAR1");
    appell(&format!("compute inverse-dynamics two-link --states {motion}"))
        .refused_with(&["motion.parquet", "--features parquet"]);
    let table = folder.write("motion.csv", "q1,q2,v1,v2,a1,a2\n0.1,0.2,0.3,0.4,0.5,0.6\n");
    let out = folder.shown("torques.parquet");
    appell(&format!("compute inverse-dynamics two-link --states {table} --out {out}"))
        .refused_with(&["torques.parquet", "--features parquet"]);
}
