//! README's tables of questions say what the table of the code says.

use appell::question::Method;
use appell::{Question, Robot};

const README: &str = include_str!("../../../../README.md");
const HEADING: &str = "| question | answers | methods, the default first |\n|---|---|---|\n";

/// A row: questions, examples of their columns, methods, as they stand between backticks.
type Row<'t> = [Vec<&'t str>; 3];

/// The tables of open robots and of those with closed loops.
fn tables() -> [Vec<Row<'static>>; 2] {
    let tables: Vec<Vec<Row<'_>>> = (README.split(HEADING).skip(1))
        .map(|table| table.lines().take_while(|line| line.starts_with('|')).map(row).collect())
        .collect();
    tables.try_into().expect("one table of open robots, and one of those with closed loops")
}

fn row(line: &str) -> Row<'_> {
    let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
    let cells: [&str; 3] = cells.try_into().unwrap_or_else(|_| panic!("{line} has not three cells"));
    cells.map(|cell| cell.split('`').skip(1).step_by(2).collect())
}

/// Every question that has methods stands in one row, and nothing else does; the row has its methods, the default first.
fn has_questions_and_methods(table: &[Row<'_>], methods: impl Fn(Question) -> &'static [Method]) {
    let asked: Vec<&str> = table.iter().flat_map(|[questions, ..]| questions).copied().collect();
    for question in Question::ALL {
        let times = asked.iter().filter(|&&name| name == question.name()).count();
        assert_eq!(times, usize::from(!methods(question).is_empty()), "how often {} stands there", question.name());
    }
    for [questions, _, named] in table {
        for name in questions {
            let question = Question::find(name).unwrap_or_else(|| panic!("{name} is not a question"));
            let known: Vec<&str> = methods(question).iter().map(|method| method.name).collect();
            assert_eq!(*named, known, "methods of {name}");
        }
    }
}

/// An example has the first columns of its question before an ellipsis, and the last ones after it.
fn has_columns(table: &[Row<'_>], robot: &str) {
    let robot = Robot::builtin(robot).unwrap();
    for [questions, examples, _] in table {
        assert_eq!(questions.len(), examples.len(), "an example for each of {questions:?}: {examples:?}");
        for (name, example) in questions.iter().zip(examples) {
            let columns = Question::find(name).unwrap().columns(&robot);
            let (first, last) = example.split_once('…').unwrap_or((example, ""));
            let [first, last] = [first, last].map(|words| words.split_whitespace().collect::<Vec<_>>());
            assert!(!first.is_empty() && columns.len() >= first.len() + last.len(), "{name}: {example}");
            assert_eq!(columns[..first.len()], first, "first columns of {name}");
            assert_eq!(columns[columns.len() - last.len()..], last, "last columns of {name}");
            assert!(example.contains('…') || columns.len() == first.len(), "{name} has more columns than {example}");
        }
    }
}

#[test]
fn questions_and_methods_of_open_robots() {
    has_questions_and_methods(&tables()[0], |question| question.row().open);
}

#[test]
fn questions_and_methods_of_robots_with_closed_loops() {
    has_questions_and_methods(&tables()[1], |question| question.row().closed);
}

#[test]
fn columns() {
    let [open, closed] = tables();
    has_columns(&open, "puma560");
    has_columns(&closed, "gough-stewart");
}
