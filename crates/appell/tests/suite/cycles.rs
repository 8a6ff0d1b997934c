//! The files of a folder use each other one way. A file and the folder of its name are one; a `mod.rs` is none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What may stay a cycle: the folder, who uses whom, and why.
const ALLOWED: [(&str, &str, &str, &str); 3] = [
    ("appell-codegen", "kernel", "closed", "one call generates code of all robots, and what it makes is a kernel"),
    ("appell-codegen", "kernel", "support", "the same call refuses what cannot be generated"),
    ("appell-identification/data", "layout", "smoothing", "a layout says how its recording is smoothed"),
];

#[test]
fn files_of_a_folder_use_each_other_one_way() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut uses: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for krate in crates.read_dir().unwrap().map(|entry| entry.unwrap()) {
        let mut files = Vec::new();
        list(&krate.path().join("src"), &[krate.file_name().into_string().unwrap()], &mut files);
        for (here, file) in &files {
            let text = std::fs::read_to_string(file).unwrap();
            let code: String = text.lines().flat_map(|line| [line.split("//").next().unwrap(), "\n"]).collect();
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let mut found = Vec::new();
            for (begin, _) in code.match_indices("super::").chain(code.match_indices("crate::")) {
                if !code[..begin].ends_with(|c: char| c == ':' || c == '_' || c.is_alphanumeric()) {
                    paths(&code[begin..], &[], &mut found);
                }
            }
            for path in found {
                let up = path.iter().take_while(|&&part| part == "super").count();
                let above = if up > 0 { here.len() - up } else { 1 };
                let full: Vec<&str> =
                    here.iter().map(String::as_str).take(above).chain(path[up.max(1)..].iter().copied()).collect();
                let shared = here.iter().zip(&full).take_while(|(own, other)| own == other).count();
                let (Some(own), Some(other)) = (here.get(shared), full.get(shared)) else { continue };
                if files.iter().any(|(module, _)| *module == full[..=shared]) {
                    uses.entry(here[..shared].join("/")).or_default().insert((own.clone(), (*other).to_owned()));
                }
            }
        }
    }
    for (folder, one, other, _) in ALLOWED {
        let uses = uses.get_mut(folder).unwrap();
        assert!(uses.remove(&(one.into(), other.into())), "{folder}: {one} does not use {other} any more");
    }
    for (folder, mut uses) in uses {
        // Who uses nothing, and who is used by nothing, is on no cycle.
        let is_end = |uses: &BTreeSet<(String, String)>, (one, other): &(String, String)| {
            !uses.iter().any(|(next, _)| next == other) || !uses.iter().any(|(_, before)| before == one)
        };
        while let Some(end) = uses.iter().find(|&pair| is_end(&uses, pair)).cloned() {
            uses.remove(&end);
        }
        assert!(uses.is_empty(), "{folder}: files use each other: {uses:?}");
    }
}

/// All modules of a folder, by their paths, with their files.
fn list(folder: &Path, module: &[String], files: &mut Vec<(Vec<String>, PathBuf)>) {
    for path in folder.read_dir().into_iter().flatten().map(|entry| entry.unwrap().path()) {
        let own = [module, &[path.file_stem().unwrap().to_str().unwrap().to_owned()]].concat();
        if path.is_dir() {
            list(&path, &own, files);
        } else if ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| path.ends_with(name)) {
            files.push((module.to_vec(), path));
        } else {
            files.push((own, path));
        }
    }
}

/// All paths of a text that begins with some, such as `super::{a, b::c}`; what follows them.
fn paths<'t>(text: &'t str, before: &[&'t str], found: &mut Vec<Vec<&'t str>>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            let after = paths(rest, before, found);
            let Some(end) = after.find([',', '}']) else { return after };
            rest = &after[end + 1..];
            if after[end..].starts_with('}') {
                return rest;
            }
        }
    }
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    let path = [before, &[&text[..end]]].concat();
    if let Some(rest) = text[end..].strip_prefix("::") {
        return paths(rest, &path, found);
    }
    found.push(path);
    &text[end..]
}
