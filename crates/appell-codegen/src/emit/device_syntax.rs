//! How operations are written for devices: in the words of `device.h`, over numbers `T`.

use super::body::{Angle, Syntax, each};

/// Statements in the words of `device.h`.
pub(crate) struct DeviceSyntax;

impl Syntax for DeviceSyntax {
    fn number(&self, x: f64) -> String {
        format!("T({x:?})")
    }

    fn entry(&self, argument: &str, index: usize) -> String {
        format!("appell_load<T>({argument} + {index} * count, i)")
    }

    fn sqrt(&self, x: &str) -> String {
        format!("appell_sqrt({x})")
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!("appell_atan2({y}, {x})")
    }

    fn exp(&self, x: &str) -> String {
        format!("appell_exp({x})")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("appell_where({x}, {yes}, {no})")
    }

    fn keeps_entries(&self) -> bool {
        true
    }

    fn writes_early(&self) -> bool {
        true
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("const T {name} = {value};")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!("T {sin}, {cos}; appell_sincos({angle}, &{sin}, &{cos});"),
            |name, function, angle| format!("const T {name} = appell_{function}({angle});"),
        )
    }

    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        format!(
            "{{ const T y = {value}; appell_store<T>({answer} + {index} * count, i, y); bad = bad + appell_zero_if_finite(y); }}"
        )
    }
}
