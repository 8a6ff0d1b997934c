//! What makes a robot more than a tree, as sections of a file. Legs come as their joints and what closes their loops.

use super::{body, line, pose};
use crate::description::name::{key, quoted};
use crate::description::{Attachment, BodyDescription, ClosureDescription, Description, PlatformDescription};

pub(super) fn write(description: &Description) -> String {
    let platform = description.platform.iter().map(platform);
    platform.chain(description.closures.iter().map(closure)).collect()
}

fn platform(platform: &PlatformDescription) -> String {
    let mut text = String::from("\n[platform]\n");
    if !platform.turns {
        text += "turns = false\n";
    }
    text += &line("home", pose(&platform.home));
    if let Some(freedoms) = &platform.freedoms {
        let names: Vec<String> = freedoms.iter().map(|freedom| quoted(freedom.name())).collect();
        text += &format!("freedoms = [{}]\n", names.join(", "));
    }
    text += &body("platform", &platform.body, None);
    if platform.payload != BodyDescription::default() {
        text += &format!("\n[platform.payload]\n{}", body("platform.payload", &platform.payload, None));
    }
    text
}

fn closure(closure: &ClosureDescription) -> String {
    let ends = [("first", &closure.first), ("second", &closure.second)];
    let ends: String = ends.into_iter().map(|(key, end)| attachment(key, end)).collect();
    format!("\n[closure.{}]\njoint = {}\n{ends}", key(&closure.name), quoted(closure.kind.name()))
}

fn attachment(key: &str, end: &Attachment) -> String {
    line(key, [("on", quoted(end.on.name()))].into_iter().chain(pose(&end.pose)))
}
