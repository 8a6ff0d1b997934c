use super::*;
use core::f64::consts::PI;

const FULL: &str = r#"
        [time]
        column = "t"
        unit = "ms"
        [position]
        columns = ["m1", "m2"]
        counts = [4096, 1000]
        side = "motor"
        [velocity]
        columns = ["w1", "w2"]
        unit = "rpm"
        [effort]
        columns = ["i1", "i2"]
        unit = "A"
        constant = 0.5
        limit = [10, 20.5]
        [gear]
        matrix = [[32, 0], [5, -48]]
        [joint]
        sign = [1, -1]
        offset = ["-90 deg", 0.25]
        [filter]
        cut_off = 100
        decimation = 50
        border = 0.1
        [accept]
        constant = ["m2"]
    "#;

#[test]
fn a_full_layout_is_read() {
    let layout = Layout::read(FULL).unwrap();
    assert_eq!(layout.time, Time::Column { name: "t".into(), unit: Unit::TIMES[1], rate: None });
    assert_eq!(layout.position.factor, [1.0 / 4096.0, 1e-3]);
    assert_eq!((&layout.position.units[..1], layout.position.side), (&[Unit::COUNT][..], Side::Motor));
    assert_eq!(layout.velocity.as_ref().unwrap().units[0].word, "rpm");
    assert_eq!((layout.effort.factor.as_slice(), layout.effort_limit.as_slice()), (&[0.5, 0.5][..], &[10.0, 20.5][..]));
    assert_eq!(layout.gear.as_ref().unwrap()[(1, 0)], 5.0);
    assert_eq!((layout.sign.as_slice(), layout.offset.as_slice()), (&[1.0, -1.0][..], &[-PI / 2.0, 0.25][..]));
    assert_eq!(
        layout.filter,
        Smoothing { order: 4, cut_off: CutOff::At(100.0), decimation: Some(50), border: Some(0.1) }
    );
    assert_eq!(layout.accepted.constant, ["m2"]);
    assert_eq!(layout.columns().collect::<Vec<_>>(), ["t", "m1", "m2", "w1", "w2", "i1", "i2"]);
}

#[test]
fn everything_wrong_is_told_with_its_line() {
    let text = r#"
[time]
column = 3
[position]
columns = "q1"
unit = "degrees"
turns = 1
[effort]
columns = ["i1", 2]
unit = "A"
[gear]
ratio = [1, "x"]
[joint]
sign = [2]
offset = ["90 grad"]
[filter]
order = 2.5
cut_off = -1
"#;
    let problems = Layout::read(text).unwrap_err().to_string();
    for expected in [
        "line 3: error: time.column: is 3; expected the name of a column",
        "line 5: error: position.columns: is \"q1\"; expected names of columns",
        "line 6: error: position.unit: `degrees` is not known here; words are rad, deg, turn, m, mm",
        "line 7: error: position.turns: is not known here; known keys are columns, unit, counts, side",
        "line 9: error: effort.columns[2]: is 2; expected the name of a column",
        "error: effort.constant: is missing; expected N m or N per ampere",
        "line 12: error: gear.ratio[2]: is \"x\"; expected a number",
        "line 14: error: joint.sign[1]: is 2; expected 1 or -1",
        "line 15: error: joint.offset[1]: `90 grad` is not a number in rad or m",
        "line 17: error: filter.order: is 2.5; expected a whole number",
        "line 18: error: filter.cut_off: is -1; expected a positive number",
    ] {
        assert!(problems.contains(expected), "{expected}\nis not among\n{problems}");
    }
    assert_eq!(problems.lines().count(), 11, "{problems}");
}

#[test]
fn what_excludes_each_other_and_broken_toml() {
    let told = |text: &str| Layout::read(text).unwrap_err().to_string();
    let rest = "\nposition.columns = ['q']\neffort.columns = ['i']\n";
    let both = Layout::read(&format!(
        "columns = ['t', 'q', 'i']\ntime = {{ column = 't', rate = 5 }}{rest}effort.delay = 0.1"
    ));
    let Layout { time, header, delay, .. } = both.unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(time, Time::Column { name: "t".into(), unit: Unit::TIMES[0], rate: Some(5.0) });
    assert_eq!((header, delay), (Some(["t", "q", "i"].map(String::from).to_vec()), 0.1));
    assert!(told(&format!("time.rate = 5{rest}gear = {{ ratio = [1], matrix = [[1]] }}")).contains("beside `ratio`"));
    assert!(told(&format!("time.rate = 5{rest}effort.constant = 2")).contains("no meaning beside `unit`"));
    assert!(told(&format!("time.rate = 5{rest}gear.matrix = [[1, 2]]")).contains("has 2 entries; expected 1"));
    assert!(told("time = {").contains("is not TOML"));
    assert!(told("").contains("time: is missing"));
    assert!(Layout::read(&format!("time.rate = 5{rest}")).is_ok());
}
