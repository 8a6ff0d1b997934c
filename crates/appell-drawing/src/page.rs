//! HTML pages that need no other file.

/// A page with its title, which is also its heading, a sentence below that, and what follows, as HTML.
pub fn document(title: &str, heading: &str, lead: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\
         <h1>{}</h1><p class=\"lead\">{lead}</p></header>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title),
        include_str!("page.css"),
        escape(heading)
    )
}

/// A drawing with its caption and its file.
pub fn figure(svg: &str, caption: &str, file: &str) -> String {
    let caption = escape(caption);
    format!(
        "<figure role=\"img\" aria-label=\"{caption}\">{svg}<figcaption>{caption} <a href=\"{file}\">{file}</a>\
         </figcaption></figure>\n"
    )
}

/// A table of numbers, whose first column names the rows.
pub fn table<'h>(headings: impl IntoIterator<Item = &'h str>, rows: &[Vec<String>]) -> String {
    let head: String = headings.into_iter().map(|heading| format!("<th>{}</th>", escape(heading))).collect();
    let row = |row: &Vec<String>| {
        let cell = |(k, cell): (usize, &String)| match k {
            0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
            _ => format!("<td>{}</td>", escape(cell)),
        };
        format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\n"
    )
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
