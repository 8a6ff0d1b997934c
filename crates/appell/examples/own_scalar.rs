//! A number of one's own: torques with a bound of their error, for encoders that may be wrong by so much.
//!
//! `cargo run -p appell --example own_scalar`

use appell::Robot;
use appell::dynamics::gibbs_appell_tensor::{Workspace, inverse_dynamics};
use appell::real::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value, and how far off it may be, to first order.
#[derive(Debug, Clone, Copy)]
struct Bounded(f64, f64);

macro_rules! operator {
    ($trait:ident, $method:ident, |$x:ident, $y:ident| $value:expr, $error:expr) => {
        impl $trait for Bounded {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                let ($x, $y) = (self, other);
                Self($value, $error)
            }
        }
    };
}
operator!(Add, add, |x, y| x.0 + y.0, x.1 + y.1);
operator!(Sub, sub, |x, y| x.0 - y.0, x.1 + y.1);
operator!(Mul, mul, |x, y| x.0 * y.0, x.0.abs() * y.1 + x.1 * y.0.abs());
operator!(Div, div, |x, y| x.0 / y.0, (x.1 + (x.0 / y.0).abs() * y.1) / y.0.abs());

impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, self.1)
    }
}

impl Real for Bounded {
    fn constant(self, x: f64) -> Self {
        Self(x, 0.0)
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.0.sin_cos();
        (Self(sin, cos.abs() * self.1), Self(cos, sin.abs() * self.1))
    }
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), 0.5 * self.1 / self.0.sqrt())
    }
    fn atan2(self, x: Self) -> Self {
        let r2 = self.0 * self.0 + x.0 * x.0;
        Self(self.0.atan2(x.0), (x.0.abs() * self.1 + self.0.abs() * x.1) / r2)
    }
    fn exp(self) -> Self {
        Self(self.0.exp(), self.0.exp() * self.1)
    }
    fn where_positive(self, yes: Self, no: Self) -> Self {
        if self.0 > 0.0 { yes } else { no }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("puma560")?;
    let (q, v, a) = ([0.1, -0.7, 0.4, 0.9, -0.3, 0.2], [0.5; 6], [1.0; 6]);
    let off = 1e-4; // rad
    let mut ws = Workspace::with_scalar(robot.tree(), Bounded(0.0, 0.0));
    let exact = |numbers: [f64; 6]| numbers.map(|x| Bounded(x, 0.0));
    let tau = inverse_dynamics(robot.tree(), &mut ws, &q.map(|x| Bounded(x, off)), &exact(v), &exact(a));
    tau.iter().for_each(|tau| println!("{:9.4} ± {:.4} N m", tau.0, tau.1));

    // Whichever way the encoders are off, the torques stay within the bounds.
    let mut dynamics = robot.dynamics();
    for signs in 0..64_u32 {
        let measured: [f64; 6] = std::array::from_fn(|j| q[j] + if signs >> j & 1 == 1 { off } else { -off });
        let found = dynamics.inverse_dynamics(&measured, &v, &a)?;
        assert!(found.iter().zip(tau).all(|(found, tau)| (found - tau.0).abs() <= 1.01 * tau.1 + 1e-9));
    }
    assert!(tau[1].1 > 58.0 * off && tau[1].1 < 500.0 * off, "no less than its derivatives by all joints");
    Ok(())
}
