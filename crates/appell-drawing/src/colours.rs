//! A scale of colours that is even to the eye, and that all kinds of colour vision read: viridis (Smith and van der
//! Walt), from dark, 0, to bright, 1.

/// Colours at equal steps.
const VIRIDIS: [[u8; 3]; 11] = [
    [68, 1, 84],
    [72, 36, 117],
    [65, 68, 135],
    [53, 95, 141],
    [42, 120, 142],
    [33, 145, 140],
    [34, 168, 132],
    [68, 191, 112],
    [122, 209, 81],
    [189, 223, 38],
    [253, 231, 37],
];

/// How many colours a picture has.
pub(super) const STEPS: usize = 64;

/// The step of a value from 0 to 1.
pub(super) fn step(value: f64) -> usize {
    ((value.clamp(0.0, 1.0) * STEPS as f64) as usize).min(STEPS - 1)
}

/// The colour of a step, `#rrggbb`.
pub(super) fn colour(step: usize) -> String {
    let place = step as f64 / (STEPS - 1) as f64 * (VIRIDIS.len() - 1) as f64;
    let below = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - below as f64;
    let mixed = |k: usize| {
        let [one, other] = [VIRIDIS[below][k], VIRIDIS[below + 1][k]].map(f64::from);
        (one + part * (other - one)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}
