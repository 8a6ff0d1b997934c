//! Class `Bench`.

use super::{error, text};
use crate::bench;
use crate::motion::Options;
use crate::written::JointLimits;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
pub struct Bench {
    pub(super) inner: bench::Bench,
}

#[wasm_bindgen]
impl Bench {
    pub fn builtin(name: &str) -> Result<Bench, JsError> {
        bench::Bench::builtin(name).map(|inner| Self { inner }).map_err(error)
    }

    pub fn read(robot: &str, file: &str) -> Result<Bench, JsError> {
        match bench::Bench::read(robot, file) {
            Ok(inner) => Ok(Self { inner }),
            Err(remarks) => Err(error(text(&remarks)?)),
        }
    }

    pub fn info(&self) -> Result<String, JsError> {
        text(&self.inner.info())
    }

    pub fn sketch(&self) -> Result<String, JsError> {
        text(&self.inner.sketch())
    }

    pub fn live(&mut self) -> Result<String, JsError> {
        text(&self.inner.live())
    }

    pub fn home(&mut self) {
        self.inner.home();
    }

    pub fn q(&self) -> Vec<f64> {
        self.inner.q().to_vec()
    }

    pub fn pose(&self) -> Vec<f64> {
        self.inner.pose().to_vec()
    }

    pub fn drives(&self) -> Vec<f64> {
        self.inner.drives()
    }

    pub fn set_joint(&mut self, index: usize, value: f64) -> Result<String, JsError> {
        self.inner.set_joint(index, value).map_err(error)
    }

    pub fn set_drives(&mut self, drives: &[f64]) -> Result<String, JsError> {
        self.inner.set_drives(drives).map_err(error)
    }

    pub fn set_pose(&mut self, pose: &[f64]) -> Result<String, JsError> {
        self.inner.set_pose(pose).map_err(error)
    }

    pub fn set_q(&mut self, q: &[f64]) -> Result<String, JsError> {
        self.inner.set_q(q).map_err(error)
    }

    pub fn set_motion(&mut self, v: &[f64], a: &[f64]) -> Result<(), JsError> {
        self.inner.set_motion(v, a).map_err(error)
    }

    pub fn set_output(&mut self, frame: &str) -> Result<(), JsError> {
        self.inner.set_output(frame).map_err(error)
    }

    pub fn output(&self) -> String {
        self.inner.output().to_owned()
    }

    pub fn ask(&mut self, question: &str) -> Result<Vec<f64>, JsError> {
        self.inner.ask(question).map_err(error)
    }

    pub fn columns(&self, question: &str) -> Result<String, JsError> {
        text(&self.inner.columns(question).map_err(error)?)
    }

    pub fn uncontrolled(&mut self) -> Result<String, JsError> {
        text(&self.inner.uncontrolled())
    }

    pub fn nudged(&mut self, k: usize, amount: f64) -> Result<String, JsError> {
        text(&self.inner.nudged(k, amount).map_err(error)?)
    }

    pub fn vibration(&self, stiffness: &[f64]) -> Result<String, JsError> {
        text(&self.inner.vibration(stiffness).map_err(error)?)
    }

    pub fn swung(&self, shape: &[f64], amount: f64) -> Result<String, JsError> {
        text(&self.inner.swung(shape, amount).map_err(error)?)
    }

    pub fn assemblies(&self) -> Result<String, JsError> {
        text(&self.inner.assemblies().map_err(error)?)
    }

    pub fn modes(&self) -> Result<String, JsError> {
        text(&self.inner.modes().map_err(error)?)
    }

    pub fn map_row(&self, request: &str, row: usize) -> Result<String, JsError> {
        let request = serde_json::from_str(request).map_err(|problem| error(format!("not a map: {problem}")))?;
        text(&self.inner.map_row(&request, row).map_err(error)?)
    }

    pub fn map_ranges(&self) -> Result<String, JsError> {
        text(&self.inner.map_ranges())
    }

    pub fn trajectory(&self, request: &str) -> Result<String, JsError> {
        let request = serde_json::from_str(request).map_err(|problem| error(format!("not a trajectory: {problem}")))?;
        text(&self.inner.trajectory(&request).map_err(error)?)
    }

    pub fn scenario(&self, options: &str, duration: f64) -> Result<String, JsError> {
        let options = Options::read(options).map_err(error)?;
        self.inner.scenario(&options, duration).map_err(error)
    }

    pub fn generate(&self, question: &str, language: &str) -> Result<String, JsError> {
        self.inner.generate(question, language).map_err(error)
    }

    pub fn limited(&self, limits: &str) -> Result<String, JsError> {
        let limits: Vec<JointLimits> =
            serde_json::from_str(limits).map_err(|problem| error(format!("no limits: {problem}")))?;
        self.inner.limited(&limits).map_err(error)
    }

    pub fn write(&self, format: &str) -> Result<String, JsError> {
        self.inner.write(format).map_err(error)
    }
}
