//! What a user may turn while a robot moves: `MotionOptions` of the contract.

use serde::Deserialize;

/// What drives the robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Nothing.
    Free,
    /// What holds the law's robot where it is.
    GravityCompensation,
    /// Springs and dampers at the drives, without a model.
    HoldPd,
    /// Inverse dynamics of the law's robot.
    ComputedTorque,
}

impl Law {
    /// Whether it follows a reference.
    #[must_use]
    pub fn follows(self) -> bool {
        matches!(self, Self::HoldPd | Self::ComputedTorque)
    }
}

/// `MotionOptions` of the contract.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Options {
    /// What drives the robot.
    pub law: Law,
    /// Natural frequency, 1/s.
    pub omega: f64,
    /// Damping ratio.
    pub zeta: f64,
    /// Friction at the drives beside what the file says, N m s/rad or N s/m.
    pub viscous: f64,
    /// Dry friction there, N m or N.
    pub coulomb: f64,
    /// Mass at the output, kg.
    pub payload: f64,
    /// Whether the law knows of it.
    pub law_knows_payload: bool,
    /// Springs at the drives from the start, N m/rad or N/m.
    pub spring: f64,
}

impl Options {
    /// Reads them.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(json: &str) -> Result<Self, String> {
        let options: Self = serde_json::from_str(json).map_err(|error| format!("options of a motion: {error}"))?;
        options.check()?;
        Ok(options)
    }

    fn check(&self) -> Result<(), String> {
        for (name, value) in [
            ("omega", self.omega),
            ("zeta", self.zeta),
            ("viscous", self.viscous),
            ("coulomb", self.coulomb),
            ("payload", self.payload),
            ("spring", self.spring),
        ] {
            if !(0.0..=1e9).contains(&value) {
                return Err(format!("`{name}` is {value}; expected a number from 0 to 1e9"));
            }
        }
        Ok(())
    }
}
