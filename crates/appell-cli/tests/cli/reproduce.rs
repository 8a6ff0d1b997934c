//! `appell reproduce`: the papers' tables and figures as a report.

use super::{Folder, appell, contains, json, shared, stands_alone};

/// Makes a report in a folder of its own; what was printed.
#[track_caller]
fn reproduce(options: &str) -> (Folder, String) {
    let folder = Folder::new();
    let printed = appell(&format!("reproduce {options} --out {}", folder.shown("new/report"))).fine();
    (folder, printed)
}

/// Asserts that a summary has lines that begin so.
#[track_caller]
fn lists(summary: &str, items: &[&str]) {
    let lines: Vec<String> =
        summary.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for item in items {
        assert!(lines.iter().any(|line| line.starts_with(item)), "no `{item}` in:\n{summary}");
    }
}

#[test]
fn all_is_as_we_claim_on_a_page_that_needs_no_other_file() {
    let (folder, summary) = reproduce("");
    lists(&summary, &["000 figure 4 redrawn", "000 figure 6 redrawn", "000 errata differs", "001 table 1 matches"]);
    lists(&summary, &["001 table 2 matches", "001 table 3 differs", "001 table 6 differs", "002 table 2 matches"]);
    lists(&summary, &["002 figure 5 redrawn", "003 eqs 26 to 32 matches", "004 figures 8, 9 matches"]);
    lists(&summary, &["004 errata differs", "demonstration identification matches 58 base parameters"]);
    lists(&summary, &["TX40 identification needs data"]);
    let page = folder.text("new/report/index.html");
    assert!(page.contains("96n − 101") && page.trim_end().ends_with("</html>"));
    stands_alone(&page);
    let drawings = page.matches("<svg").count();
    assert_eq!(folder.names("new/report").len(), drawings + 2, "every drawing is a file too; and there are scenarios");
    assert!(page.contains("<code>cargo run --release -- reproduce 000 001 002 003 004 demonstration tx40</code>"));
    appell("reproduce 007").refused_with(&["007"]);
}

#[test]
fn a_measured_robot_is_identified_where_its_recording_is() {
    let Some(data) = shared("tx40") else { return };
    let (folder, summary) = reproduce(&format!("tx40 --data {data}"));
    lists(&summary, &["TX40 identification matches 61 base parameters"]);
    contains(&folder.text("new/report/index.html"), &["reproduce tx40 --data FOLDER</code>", "<svg"]);
}

#[test]
fn without_its_recording_the_report_says_what_is_needed() {
    let (folder, summary) = reproduce("tx40");
    contains(&summary, &["--data FOLDER"]);
    contains(
        &folder.text("new/report/index.html"),
        &["motor_positions.csv", "motor_torques.csv", "thanhndv212/figaroh-examples", "needs-data"],
    );
    let (data, out) = (folder.shown("new"), folder.shown("other"));
    let refused = |paper: &str, parts: &[&str]| {
        appell(&format!("reproduce {paper} --data {data} --out {out}")).refused_with(parts);
    };
    refused("tx40", &["motor_positions.csv", "figaroh-examples"]);
    refused("001", &["tx40"]);
    assert!(!folder.has("other"));
}

/// The truth beside the estimate; and whoever plays the scenarios that stand beside the report has the same recordings, and the same numbers.
#[test]
fn a_demonstration_shows_the_whole_pipeline_and_may_be_made_again() {
    let (folder, text) = reproduce("demonstration --json");
    let answer = json(&text);
    assert_eq!(answer["as_claimed"], true, "{answer}");
    let data = &answer["items"][0]["data"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert_eq!(data["base_parameters"], 58);
    let parameters = data["parameters"].as_array().unwrap();
    let within = parameters
        .iter()
        .filter(|own| (number(&own["estimate"]) - number(&own["truth"])).abs() <= 2.0 * number(&own["sigma"]));
    assert_eq!(number(&data["within_sigma"][1]), within.count() as f64 / 58.0);
    // The robot's file says nothing of friction, and a tenth less or more of bodies: nothing of the truth is in it.
    let friction = parameters.iter().find(|own| own["name"] == "Fc2").unwrap();
    assert_eq!((number(&friction["truth"]), number(&friction["before"])), (10.0, 0.0));
    assert!((number(&data["payload"]["estimate"]) - 2.0).abs() < 0.04, "{}", data["payload"]);
    let residual = |k: usize, by: &str| number(&data["residuals"][k][by]["all"]);
    assert!((0..3).all(|k| residual(k, "truth") > 1e-3 && residual(k, "robot") < 0.02), "{}", data["residuals"]);
    let page = folder.text("new/report/index.html");
    contains(
        &page,
        &["the truth", "payload known", "demonstration-second.svg", "demonstration-loaded.svg", "A demonstration"],
    );
    stands_alone(&page);

    let scenarios = folder.names("new/report/demonstration");
    assert_eq!(scenarios, ["first.toml", "loaded.toml", "second.toml"]);
    for name in ["first", "second"] {
        let [scenario, out] =
            [format!("new/report/demonstration/{name}.toml"), name.to_owned()].map(|own| folder.shown(&own));
        appell(&format!("simulate {scenario} --out {out}")).done();
    }
    let [first, second, out] = ["first/recorder.csv", "second/recorder.csv", "out"].map(|name| folder.shown(name));
    let found = appell(&format!("identify puma560 --data {first} --validate {second} --json --out {out}"));
    let found = json(&found.done());
    let held_out = number(&found["validate"][0]["free"]["relative"]);
    assert!((held_out / residual(1, "free") - 1.0).abs() < 1e-9, "{held_out} {}", residual(1, "free"));
    for (own, again) in parameters.iter().zip(found["parameters"].as_array().unwrap()) {
        assert_eq!((&own["name"], &own["estimate"]), (&again["name"], &again["value"]));
    }
}

#[test]
fn papers_may_be_asked_for_and_machines_get_their_numbers() {
    let (_folder, text) = reproduce("002 000 004 --json");
    let answer = json(&text);
    let items = answer["items"].as_array().unwrap();
    assert!(items.iter().all(|item| ["000", "002", "004"].contains(&item["paper"].as_str().unwrap())));
    let item = |paper: &str, name: &str| {
        let is_it = |item: &&serde_json::Value| item["paper"] == paper && item["item"] == name;
        &items.iter().find(is_it).expect("an item")["data"]
    };
    let counts = items.iter().filter(|item| item["paper"] == "002").nth(1).unwrap();
    assert_eq!(counts["data"][1]["ours"]["n=6"], serde_json::json!([590, 430]));
    let wrong = |paper: &str, place: &str| {
        let errata = item(paper, "errata").as_array().unwrap();
        let erratum = errata.iter().find(|erratum| erratum["place"] == place).expect("an erratum");
        erratum["evidence"][0]["error_as_printed"].as_f64().unwrap()
    };
    // Of tests/golden/parallel/shared_errata_evidence.json.
    assert!((wrong("000", "eq. 50") - 0.0528852).abs() < 1e-6);
    assert!((wrong("004", "eq. 41") - 44.4317).abs() < 1e-3);
    assert!((item("004", "figure 11")["peak"].as_f64().unwrap() - 16.894932).abs() < 1e-5);
}

/// The page of one paper: nothing fails, every plot is there as a file too, and every row that is checked holds.
#[track_caller]
fn page_of(paper: &str, headings: &[&str], plots: &[&str], checked: usize) -> String {
    let (folder, summary) = reproduce(paper);
    assert!(!summary.contains("FAILS") && !summary.contains("not as we claim"), "{summary}");
    let of_another = |line: &&str| line.starts_with("00") && !line.starts_with(paper);
    assert_eq!(summary.lines().find(of_another), None);
    let page = folder.text("new/report/index.html");
    for heading in headings {
        assert!(page.contains(&format!("\">{heading} <span class=\"title\">")), "no `{heading}`");
    }
    for plot in plots {
        let svg = folder.text(&format!("new/report/{paper}-{plot}.svg"));
        assert!(svg.starts_with("<svg") && page.contains(&svg), "no `{plot}`");
    }
    assert_eq!(page.matches("<svg").count(), plots.len());
    for wrong in ["✗", "NaN", ">inf", "∞", "FAILS"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert_eq!(page.matches("<td>✓</td>").count(), checked, "rows that are checked");
    page
}

#[test]
fn a_paper_about_parallel_robots_is_reproduced() {
    let headings =
        ["Table 1", "Eqs 26 to 32", "Eq. 33", "Eqs 21 and 22", "§5.3, Type 2", "§5.3, crossing", "Operations"];
    page_of("003", &headings, &["gough-stewart", "forces", "type-2", "type-1", "crossing"], 4 + 7 + 2 + 3 + 2 + 4);
}

#[test]
fn the_paper_about_the_agile_wrist_is_reproduced() {
    let headings = ["§IV, parameters", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Eqs 33, 39", "Errata"];
    let plots = ["wrist", "tracking", "verification", "joints", "torques", "differences", "reach"];
    // Checks of figures 4, 5, 6 and 7, and evidence.
    let page = page_of("000", &headings, &plots, 8 + 1 + 6 + 3 + 20);
    let parts = [
        "the robot follows eq. 52: θ, rad",
        "torque of the law, and that of the closed form for this motion, N m",
        "N m s/rad",
        "largest torque along eq. 52, N m",
        "torques: closed form and tree-closures",
        "1.378 kg/m",
    ];
    contains(&page, &parts);
    for place in ["eq. 21, C", "after eq. 21", "eq. 24", "eqs 32 to 34", "eq. 36", "eq. 47", "eq. 51", "eq. 52"] {
        assert!(page.contains(&format!(">{place}</th>")), "no `{place}`");
    }
}

#[test]
fn the_simulation_of_the_puma_is_reproduced() {
    let headings = ["Table 5", "Figure 2", "Figure 3", "Table 6", "Table 7"];
    let page = page_of("001", &headings, &["figure-2", "figure-2-differences", "line", "errors"], 6);
    contains(&page, &["mean |Δq̈|, rad/s²", "ours, torques straight between instants", "evaluations, printed"]);
    contains(&page, &["<td>1092</td>"]);
}

#[test]
fn the_control_of_the_puma_is_reproduced() {
    let headings = ["Table 2", "Table 3", "Figure 3", "Figure 4", "Figure 5", "§4, times"];
    let page = page_of("002", &headings, &["line", "torques", "ramp", "splines", "errors"], 0);
    contains(&page, &["splines: with integral action", "Pentium II, 350 MHz", "99.9 %", "largest and rms error, mrad"]);
}

#[test]
fn the_paper_about_the_star_triangle_robot_is_reproduced() {
    let headings = ["§7.1, parameters", "Figures 8, 9", "Figure 11", "§8, reactions", "Errata"];
    // Checks of figures 8 and 9, 11 and the reactions, and evidence.
    let page = page_of("004", &headings, &["star", "swing", "circle"], 8 + 7 + 4 + 19);
    contains(&page, &["torques: virtual work and tree-closures", "leg3.end", "kg m²</th>", "torques on the swing"]);
    for place in ["eq. 13", "eq. 24", "eqs 32, 33, 36, 37", "eq. 40", "eqs 54, 55, 62, 68", "§7.1"] {
        assert!(page.contains(&format!(">{place}</th>")), "no `{place}`");
    }
}
