//! The page as text and colours.

use super::news::{Drive, Moving};
use super::page::{Dialog, Page};
use crate::commands::run::timings::{KINDS, in_short};
use appell_realtime::timing::Summary;
use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Cell, Clear, Gauge, Paragraph, Row, Sparkline, Table, TableState};

/// The least terminal in which all of it is to be seen, but for the timings, which a higher one has room for.
const LEAST: (u16, u16) = (78, 20);
const WITH_TIMINGS: u16 = 24;

const KEYS: &[(&str, &str)] = &[
    ("↑ ↓", "choose a drive, or a degree of freedom"),
    ("← →", "jog it, while the key is held"),
    ("+ −", "faster, slower"),
    ("f", "degrees of freedom, and back to drives"),
    ("space", "hold: come to rest and stay"),
    ("s, Esc", "EMERGENCY STOP"),
    ("r", "reset after a stop"),
    ("h", "home"),
    ("t", "teach: write the position to the file of points"),
    ("g", "go to a taught point"),
    ("m", "follow the trajectory"),
    ("q", "leave the page; the controller goes on"),
];

/// The page as plain text.
pub(super) fn text(page: &Page, width: u16, height: u16) -> anyhow::Result<String> {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| draw(page, frame));
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..height {
        let line: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        text += line.trim_end();
        text.push('\n');
    }
    Ok(text)
}

/// Draws the page.
pub(super) fn draw(page: &Page, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let small = format!(
            "The terminal is too small: {} × {}; the page needs {} × {}.",
            area.width, area.height, LEAST.0, LEAST.1
        );
        frame.render_widget(Paragraph::new(small), area);
        return;
    }
    let rows = [
        Constraint::Length(1),
        Constraint::Min(6),
        Constraint::Length(1),
        Constraint::Length(3),
        Constraint::Length(if area.height < WITH_TIMINGS { 0 } else { KINDS.len() as u16 + 2 }),
        Constraint::Length(if area.height < WITH_TIMINGS { 5 } else { 4 }),
        Constraint::Length(1),
    ];
    let [title, table, jog, load, times, messages, keys] = Layout::vertical(rows).areas(area);
    head(page, frame, title);
    drives(page, frame, table);
    jogging(page, frame, jog);
    loads(page, frame, load);
    if times.height > 0 {
        timings(page, frame, times);
    }
    said(page, frame, messages);
    let follow = if page.facts.trajectory { ", m follow" } else { "" };
    let short = format!("h home, space hold, s STOP, ↑↓←→ jog, f freedoms, t teach, g go{follow}, ?");
    frame.render_widget(Paragraph::new(short).style(Style::new().add_modifier(Modifier::DIM)), keys);
    over(page, frame, area);
}

fn head(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut spans = vec![Span::styled(page.facts.robot.clone(), bold)];
    if let Some(status) = &page.status {
        spans.push(Span::raw(format!("   t = {:.2} s   ", status.t)));
        spans.push(match (&status.fault, status.stopped) {
            (Some(fault), _) => Span::styled(format!(" {fault} "), alarm()),
            (None, true) => Span::styled(" STOPPED ", alarm()),
            (None, false) => Span::styled(
                format!(" {} ", status.mode.to_uppercase()),
                bold.fg(Color::Black).bg(colour(&status.mode)),
            ),
        });
    }
    if !page.is_connected {
        spans.push(Span::styled(" NO CONNECTION ", alarm()));
    }
    frame.render_widget(Line::from(spans), area);
}

fn alarm() -> Style {
    Style::new().fg(Color::White).bg(Color::Red).add_modifier(Modifier::BOLD)
}

fn colour(mode: &str) -> Color {
    if mode == "holding" { Color::Green } else { Color::Yellow }
}

fn drives(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let titles = ["drive", "position", " lower  upper", "velocity", "  effort", " of most", "  wanted", "   error"];
    let unknown =
        Moving { position: f64::NAN, velocity: f64::NAN, effort: f64::NAN, wanted: f64::NAN, error: f64::NAN };
    let row = |(i, drive): (usize, &Drive)| {
        let now = page.status.as_ref().and_then(|status| status.drives.get(i)).unwrap_or(&unknown);
        Row::new([
            Cell::from(drive.name.clone()),
            right(number(now.position)),
            Cell::from(place(drive, now.position)),
            right(number(now.velocity)),
            right(number(now.effort)),
            Cell::from(strength(drive, now.effort)),
            right(number(now.wanted)),
            right(number(now.error)),
        ])
    };
    let widths = [11, 9, 14, 9, 9, 8, 9, 9].map(Constraint::Length);
    let chosen = Style::new().add_modifier(Modifier::REVERSED);
    let table = Table::new(page.facts.drives.iter().enumerate().map(row), widths)
        .header(Row::new(titles).style(Style::new().add_modifier(Modifier::BOLD)))
        .column_spacing(0)
        .row_highlight_style(if page.by_freedom { Style::new() } else { chosen });
    let mut state = TableState::default().with_selected(Some(page.drive));
    frame.render_stateful_widget(table, area, &mut state);
}

fn right(text: String) -> Cell<'static> {
    Cell::from(format!("{text:>8}"))
}

/// A number in eight places.
fn number(x: f64) -> String {
    match x.abs() {
        _ if x.is_nan() => "–".to_owned(),
        0.0..5e-5 => "0".to_owned(),
        size if size < 100.0 => format!("{x:.4}"),
        size if size < 1e5 => format!("{x:.1}"),
        _ => format!("{x:.1e}"),
    }
}

/// Where a drive is between its limits, in twelve places.
fn place(drive: &Drive, position: f64) -> String {
    const PLACES: usize = 12;
    let (lower, upper) = (drive.lower, drive.upper);
    if !(lower.is_finite() && upper.is_finite() && position.is_finite() && lower < upper) {
        return " ".to_owned() + &"·".repeat(PLACES);
    }
    let part = ((position - lower) / (upper - lower)).clamp(0.0, 1.0);
    let at = (part * (PLACES - 1) as f64).round() as usize;
    let bar: String = (0..PLACES).map(|k| if k == at { '█' } else { '─' }).collect();
    format!(" {bar}")
}

/// How strong a drive pulls, of what it can, in six places.
fn strength(drive: &Drive, effort: f64) -> String {
    const PLACES: f64 = 6.0;
    if !(drive.effort.is_finite() && effort.is_finite()) {
        return " ······".to_owned();
    }
    let full = (PLACES * (effort.abs() / drive.effort).clamp(0.0, 1.0)).round() as usize;
    format!(" {}{}", "█".repeat(full), "░".repeat(PLACES as usize - full))
}

fn jogging(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let mut spans = vec![Span::raw("jog  ")];
    if page.by_freedom {
        for (k, freedom) in page.facts.freedoms.iter().enumerate() {
            let style = if k == page.freedom { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            spans.push(Span::styled(format!(" {} ", freedom.name), style));
        }
        spans.push(Span::raw("  "));
    }
    if let Some((name, speed, unit)) = page.jogged() {
        spans.push(Span::raw(format!("{name} at ± {speed:.4} {unit}, {} % of the most (+ −)", page.percent())));
    }
    frame.render_widget(Line::from(spans), area);
}

fn loads(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let [left, right] = Layout::horizontal([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(area);
    let (load, misses) = page.status.as_ref().map_or((0.0, 0), |status| (status.load, status.misses));
    let load = if load.is_finite() { load.max(0.0) } else { 0.0 };
    let colour = match load {
        _ if load > 0.9 => Color::Red,
        _ if load > 0.6 => Color::Yellow,
        _ => Color::Green,
    };
    let title = format!(" load of {} ms ", short(1e3 * page.facts.period));
    let gauge = Gauge::default()
        .block(Block::bordered().title(title))
        .gauge_style(Style::new().fg(colour))
        .ratio(load.min(1.0))
        .label(format!("{:.1} %, {misses} missed", 100.0 * load));
    frame.render_widget(gauge, left);
    let places = usize::from(right.width.saturating_sub(2));
    let last: Vec<u64> = page.loads.iter().rev().take(places).rev().copied().collect();
    let most = last.iter().max().copied().unwrap_or(0);
    let title = format!(" lately, at most {} % ", short(0.1 * most as f64));
    frame.render_widget(
        Sparkline::default().block(Block::bordered().title(title)).data(&last).max(most.max(100)),
        right,
    );
}

/// How long things take: a histogram and some quantiles of each.
fn timings(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    const BARS: usize = 20;
    let line = |((name, ..), summary): (&(&str, &str, _), &Summary)| match summary.count {
        0 => Line::from(format!("{name:<11}–")),
        _ => Line::from(format!("{name:<11}{:<BARS$}  {}", summary.bars(BARS), in_short(summary))),
    };
    let lines: Vec<Line<'_>> = KINDS.iter().zip(&page.timings).map(line).collect();
    let title = " periods by time · median · 99 % · 99.9 % · longest ";
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), area);
}

fn short(x: f64) -> String {
    let text = format!("{x:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn said(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let lines = usize::from(area.height.saturating_sub(2));
    let line = |(message, is_wrong): &(String, bool)| {
        let style = if *is_wrong { Style::new().fg(Color::Red) } else { Style::new() };
        Line::styled(message.clone(), style)
    };
    let first = page.messages.len().saturating_sub(lines);
    let text: Vec<Line<'_>> = page.messages.iter().skip(first).map(line).collect();
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" messages ")), area);
}

/// What lies over the page.
fn over(page: &Page, frame: &mut Frame<'_>, area: Rect) {
    let Some(dialog) = &page.dialog else { return };
    let (title, lines): (&str, Vec<Line<'_>>) = match dialog {
        Dialog::Help => {
            let line = |(key, what): &(&str, &str)| Line::from(format!(" {key:<8}{what}"));
            (" keys (any key closes this) ", KEYS.iter().map(line).collect())
        }
        Dialog::Teach(name) => {
            (" teach ", vec![Line::from(format!(" name of the point: {name}_")), Line::from(" Enter writes it")])
        }
        Dialog::Go(points, _) if points.is_empty() => {
            (" go to ", vec![Line::from(" no point has been taught; t teaches one")])
        }
        Dialog::Go(points, chosen) => {
            let room = usize::from(area.height.saturating_sub(8)).max(1);
            let line = |(k, name): (usize, &String)| {
                let style = if k == *chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
                Line::styled(format!(" {name} "), style)
            };
            let first = (chosen + 1).saturating_sub(room);
            (" go to (Enter) ", points.iter().enumerate().skip(first).take(room).map(line).collect())
        }
    };
    let width = 62.min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), place);
}
