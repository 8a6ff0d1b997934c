//! Tables of numbers, as HTML.

use std::fmt::Display;

/// Heads, and rows that begin with one.
pub(super) fn numbers<C: Display>(
    heads: impl IntoIterator<Item = impl Display>,
    rows: impl IntoIterator<Item = (impl Display, impl IntoIterator<Item = C>)>,
) -> String {
    of_class("numbers", heads, rows)
}

/// The same of another class.
pub(super) fn of_class<C: Display>(
    class: &str,
    heads: impl IntoIterator<Item = impl Display>,
    rows: impl IntoIterator<Item = (impl Display, impl IntoIterator<Item = C>)>,
) -> String {
    let heads: String = heads.into_iter().map(|head| format!("<th>{head}</th>")).collect();
    let mut html = format!("<div class=\"wide\"><table class=\"{class}\"><thead><tr>{heads}</tr></thead><tbody>");
    for (name, cells) in rows {
        html += &format!("<tr><th scope=\"row\">{name}</th>");
        html.extend(cells.into_iter().map(|cell| format!("<td>{cell}</td>")));
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}
