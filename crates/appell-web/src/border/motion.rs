//! Class `Motion`.

use super::bench::Bench;
use super::{error, text};
use crate::motion::{self, Options};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
pub struct Motion {
    inner: motion::Motion,
}

#[wasm_bindgen]
impl Motion {
    #[wasm_bindgen(constructor)]
    pub fn new(bench: &Bench, options: &str) -> Result<Motion, JsError> {
        let options = Options::read(options).map_err(error)?;
        motion::Motion::new(&bench.inner, &options).map(|inner| Self { inner }).map_err(error)
    }

    pub fn set(&mut self, options: &str) -> Result<(), JsError> {
        let options = Options::read(options).map_err(error)?;
        self.inner.set(&options).map_err(error)
    }

    pub fn push(&mut self, wrench: &[f64]) -> Result<(), JsError> {
        self.inner.push(wrench).map_err(error)
    }

    pub fn step(&mut self, dt: f64) -> Result<String, JsError> {
        text(&self.inner.step(dt).map_err(error)?)
    }

    pub fn q(&self) -> Vec<f64> {
        self.inner.q().to_vec()
    }

    pub fn sketch(&self) -> Result<String, JsError> {
        text(&self.inner.sketch())
    }

    pub fn live(&mut self) -> Result<String, JsError> {
        text(&self.inner.live())
    }

    pub fn rewind(&mut self, t: f64) -> Result<String, JsError> {
        text(&self.inner.rewind(t).map_err(error)?)
    }
}
