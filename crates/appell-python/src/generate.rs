//! Source code of a question of one robot, as texts with what they say of themselves.

use crate::errors::Kind;
use crate::robot::{self, Robot};
use crate::waiting::interruptible;
use appell::question::Question;
use appell::real::Count;
use appell_codegen::emit::{Language, function_name};
use appell_codegen::{Argument, Kernel, Options, Parameter, Refused, Report, answers, generate, writes};
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl Robot {
    /// What `appell/_codegen.py` makes a `Generated` of.
    #[pyo3(name = "_generate", signature = (question, language, keep, regroup, frame, axes))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn generated<'py>(
        &self,
        py: Python<'py>,
        question: &str,
        language: &str,
        keep: Vec<String>,
        regroup: bool,
        frame: Option<&str>,
        axes: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let question = robot::find(question)?;
        let language = find_language(language)?;
        let parameter = |name: &String| {
            name.parse::<Parameter>().map_err(|error| Kind::Question.error(format!("keep_symbolic: {error}")))
        };
        let keep = keep.iter().map(parameter).collect::<PyResult<Vec<_>>>()?;
        let target = self.how(question, None, frame, axes)?.unwrap_or_default().target();
        let (inner, options) = (self.inner.clone(), Options { regroup, keep, target });
        let kernel = interruptible(py, None, move |_| generate(&inner, question, &options))?;
        let kernel = kernel.map_err(|error| self.refused(&error))?;
        let written = language.write(&kernel).map_err(|error| Kind::Question.error(error.to_string()))?;
        let files = PyDict::new(py);
        for file in written {
            files.set_item(file.name, file.text)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("files", files)?;
        dict.set_item("function", function_name(&kernel))?;
        dict.set_item("question", question.name())?;
        dict.set_item("language", language.name())?;
        dict.set_item("arguments", kernel.arguments.iter().map(described).collect::<Vec<_>>())?;
        dict.set_item("answer", described(&kernel.answer))?;
        let shapes: Vec<_> = question.arrays(&self.inner).into_iter().map(|array| (array.name, array.shape)).collect();
        dict.set_item("shapes", shapes)?;
        dict.set_item("operations", operations(py, &kernel.report)?)?;
        dict.set_item("angles", kernel.report.angles)?;
        dict.set_item("notes", notes(&kernel))?;
        Ok(dict)
    }

    /// The questions of this robot that code can be generated for, each with its languages.
    ///
    /// >>> "c" in appell.load("puma560").generates["inverse-dynamics"]
    /// True
    #[getter]
    fn generates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = self.inner.kind();
        let languages: Vec<&str> =
            Language::ALL.into_iter().filter(|&language| writes(kind, language)).map(Language::name).collect();
        let dict = PyDict::new(py);
        for question in Question::ALL.into_iter().filter(|&question| answers(kind, question)) {
            dict.set_item(question.name(), &languages)?;
        }
        Ok(dict)
    }
}

impl Robot {
    /// Why there is no code, in the words of Python.
    fn refused(&self, error: &Refused) -> PyErr {
        let name = self.inner.name();
        match error {
            Refused::Question { question, kind, known } => Kind::Question.error(format!(
                "no code can be generated for {question} of a {kind} robot; {known} can be had: robot.generates lists them"
            )),
            Refused::NoPlatform { question, .. } => Kind::Question.error(format!(
                "{question} is of a platform, and {name} has none; name its output: robot.with_output(\"FRAME\")"
            )),
            Refused::Inertia(cause) => Kind::State.error(format!("{error}: {cause}")),
            Refused::Singular(cause) => Kind::State.error(format!("{error}: {cause}")),
            Refused::Answer(cause) => Kind::State.error(format!("{error}: {cause}")),
            _ => Kind::Question.error(error.to_string()),
        }
    }
}

fn find_language(name: &str) -> PyResult<Language> {
    Language::find(&name.to_ascii_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.into_iter().map(Language::name).collect();
        Kind::Question.error(format!("no language `{name}`; languages are {}", known.join(", ")))
    })
}

/// Name, meaning and the names of its entries.
fn described(argument: &Argument) -> (&str, &str, &[String]) {
    (argument.name, &argument.meaning, &argument.entries)
}

/// Multiplications and additions on the way to the code, the code's last.
fn operations<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let steps = [
        ("general", report.general),
        ("specialised", Some(report.specialised)),
        ("regrouped", report.regrouped),
        ("generated", Some(report.generated)),
    ];
    for (step, count) in steps {
        if let Some(Count { multiplications, additions }) = count {
            dict.set_item(step, (multiplications, additions))?;
        }
    }
    Ok(dict)
}

fn notes(kernel: &Kernel) -> Vec<&str> {
    kernel.notes.iter().map(String::as_str).collect()
}
