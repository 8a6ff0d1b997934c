//! What several files would write out alike.

/// The values of an enum by their names in files: `ALL`, `name` and `find`.
macro_rules! named {
    ($vis:vis $type:ident { $($value:ident: $name:literal),+ $(,)? }) => {
        impl $type {
            /// All of them.
            $vis const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Its name in files and on the command line.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }

            /// The one of a name.
            #[must_use]
            $vis fn find(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

/// `new` of a workspace on plain numbers, beside `with_scalar` on any.
macro_rules! plain_workspace {
    ($workspace:ident of $robot:ty) => {
        impl $workspace<f64> {
            /// A workspace for this robot.
            #[must_use]
            pub fn new(robot: &$robot) -> Self {
                Self::with_scalar(robot, 0.0)
            }
        }
    };
}

/// Sum and difference of two of a kind, part by part.
macro_rules! sums {
    ($type:ident { $($part:ident),+ }) => {
        impl<T: $crate::real::Real> core::ops::Add for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self { $($part: self.$part + other.$part),+ }
            }
        }

        impl<T: $crate::real::Real> core::ops::Sub for $type<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self { $($part: self.$part - other.$part),+ }
            }
        }
    };
}
