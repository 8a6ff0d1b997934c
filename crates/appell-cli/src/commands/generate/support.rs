//! `appell generate --support`: the table robot × question × language, asked of the library itself.

use appell::{Kind, Question};
use appell_codegen::emit::Language;
use appell_codegen::{answers, writes};
use appell_drawing::listing::Listing;
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let questions =
        || Question::ALL.into_iter().filter(|&question| Kind::ALL.iter().any(|&kind| answers(kind, question)));
    let languages = |kind: Kind| -> Vec<&str> {
        Language::ALL.into_iter().filter(|&language| writes(kind, language)).map(Language::name).collect()
    };
    if json {
        let table: Value = questions()
            .map(|question| {
                let kinds = Kind::ALL.into_iter().filter(|&kind| answers(kind, question));
                let robots: serde_json::Map<String, Value> =
                    kinds.map(|kind| (kind.name().to_owned(), json!(languages(kind)))).collect();
                json!({ "question": question.name(), "robots": robots })
            })
            .collect();
        writeln!(out, "{table:#}")?;
        return Ok(true);
    }
    let mut listing = Listing::new(["question"].into_iter().chain(Kind::ALL.map(Kind::name)));
    for question in questions() {
        let cell = |kind: Kind| if answers(kind, question) { languages(kind).join(" ") } else { "-".into() };
        listing.push([question.name().to_owned()].into_iter().chain(Kind::ALL.map(cell)));
    }
    listing.write(out)?;
    for language in Language::ALL {
        if let Some(most) = language.most_operations() {
            writeln!(out, "{} is for functions of at most {most} operations, of small robots", language.name())?;
        }
    }
    writeln!(out, "legs of parallel and spherical robots need closed forms")?;
    Ok(true)
}
