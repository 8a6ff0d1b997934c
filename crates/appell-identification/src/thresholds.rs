//! Every limit beyond which something is refused, reported or left out, and what it is for.
//!
//! A residual is relative: ‖τ − W φ‖ / ‖τ‖ of the torques and forces that were measured. Settings of algorithms, such as how many
//! rounds they make, stand where they are used.

// Channels of a recording (`signals`, `data`).

/// Fewer samples are no recording.
pub(crate) const LEAST_SAMPLES: usize = 20;
/// A number beyond this is no measurement, whatever its unit.
pub(crate) const MOST_EFFORT: f64 = 1e30;
/// A channel whose range is this part of its size, or less, carries nothing.
pub(crate) const CONSTANT: f64 = 1e-12;
/// A step of this part of a channel's range, and so many times the steps before and after it, is a jump,
pub(crate) const JUMP_OF_RANGE: f64 = 0.1;
/// see [`JUMP_OF_RANGE`],
pub(crate) const JUMP: f64 = 20.0;
/// if it is by more than this, rad or m: an encoder at rest drifts by some counts.
pub(crate) const ENCODER_COUNTS: f64 = 5e-4;
/// A channel is dead, and left out, that keeps one value for so many samples,
pub(crate) const DEAD: usize = 5;
/// and comes or goes by a step of this part of its range
pub(crate) const DEAD_OF_RANGE: f64 = 0.03;
/// and so many times its usual ones.
pub(crate) const DEAD_STEP: f64 = 10.0;
/// A spike, which is put between its neighbours, rises above them by so many times what is usual,
pub(crate) const SPIKE: f64 = 30.0;
/// and by this part of the range without it;
pub(crate) const SPIKE_OF_RANGE: f64 = 0.3;
/// they differ by less than this part of it.
pub(crate) const SPIKE_SIDES: f64 = 0.2;
/// Samples in a row at a known limit that are cut off, and left out, and at a channel's own highest or lowest value,
pub(crate) const CUT_OFF: [usize; 2] = [3, 20];
/// which is reached within this part of the range, or of a limit,
pub(crate) const AT_LEVEL: f64 = 1e-9;
/// and is as far from zero as the other, by this part: limits are alike in both directions.
pub(crate) const AS_FAR: f64 = 0.8;
/// A channel with fewer steps is too coarse to see whether it is cut off.
pub(crate) const FEW_STEPS: f64 = 20.0;
/// The part of the samples that may be left out.
pub(crate) const MOST_LEFT_OUT: f64 = 1.0 / 3.0;
/// The part of a recording that the equations' low-pass may take at each end.
pub(crate) const MOST_OF_ENDS: f64 = 0.05;
/// Efforts beyond this many times the limit of the robot's file are reported.
pub(crate) const BEYOND_LIMIT: f64 = 2.0;
/// Steps of time that differ by no more than this part of one are even.
pub(crate) const JITTER: f64 = 0.02;
/// Uneven stamps are not taken, and rows are counted, where that leaves positions rougher by no more than this part: noise alone
/// leaves them alike.
pub(crate) const SMOOTHER: f64 = 0.8;
/// So many samples that are missing in a row are bridged; more end a piece of the recording.
pub(crate) const BRIDGED: usize = 5;
/// Even instants are no more than so many times as dense as rows.
pub(crate) const FINEST: f64 = 100.0;
/// Power near half the sample rate that is reported, as a part of all.
pub(crate) const ALIASED: f64 = 0.05;
/// By how much of itself a rate may differ from that of a column of time.
pub(crate) const SAME_RATE: f64 = 0.05;

// Units by ranges and measured velocities (`signals`): a position is refused that fits in another unit,

/// if it is farther beyond its limits than so many times their range,
pub(crate) const BEYOND_RANGE: f64 = 2.0;
/// or makes so many turns where it has none;
pub(crate) const MANY_TURNS: f64 = 3.0;
/// a velocity that follows the derivative of the position, by this correlation,
pub(crate) const ALIKE_VELOCITY: f64 = 0.9;
/// and has a factor to it that is so far from 1.
pub(crate) const VELOCITY_FACTOR: f64 = 0.1;

/// A joint stands still that is slower than this part of its largest speed in a recording.
pub(crate) const STANDSTILL: f64 = 0.02;

// Recordings beside each other.

/// Samples that are farther apart than so many steps do not follow each other: some are missing.
pub(crate) const GAP: f64 = 1.5;
/// A recording of whose rows more than this part are in another one is not another recording.
pub(crate) const SHARED_ROWS: f64 = 0.1;
/// A last row is left out whose step is shorter than this part of the one before.
pub(crate) const SHORT_STEP: f64 = 0.9;

// Guesses about units, signs and exchanged joints (`plausibility`): a pair is the largest residual of the other reading, and
// its largest part of that of the declared one.

/// Below both, another reading of a recording is certain, and the recording refused.
pub(crate) const CERTAIN: [f64; 2] = [0.3, 0.33];
/// Below both, it is reported.
pub(crate) const LIKELY: [f64; 2] = [0.5, 0.6];
/// The same of positions of a single joint, of which something is always a bit better.
pub(crate) const LIKELY_OF_ONE: [f64; 2] = [0.5, 0.4];
/// The same where the bodies of the file are right within [`CLOSE_FILE`]: units that a rough file would explain, as kgf m.
pub(crate) const LIKELY_OF_CLOSE_FILE: [f64; 2] = [0.2, 0.33];
/// Units of positions and time are judged by the joints to which they matter by this part of what is left, if these are most,
pub(crate) const MATTERS: f64 = 0.1;
/// and if their residual as declared is larger than this.
pub(crate) const UNEXPLAINED: f64 = 0.3;
/// A single joint has the other sign for certain if its residual is below this with it, and above that as declared.
pub(crate) const CERTAIN_SIGN: [f64; 2] = [0.1, 0.8];
/// Readings whose residual is above that of the best one, by this factor and by this part of the torques, are not reported.
pub(crate) const RIVAL: [f64; 2] = [1.5, 0.02];
/// Nothing is read in another way whose residual as declared is below the first; two joints of closed robots are not exchanged, and none for certain,
/// below the second.
pub(crate) const EXPLAINED: [f64; 2] = [0.03, 0.2];
/// Independent equations per joint below which a recording is too short to be read in another way.
pub(crate) const SHORT_RECORDING: usize = 10;
/// By what factor masses and inertias of the robot's file may be wrong, and of a close file.
pub(crate) const ROUGH_FILE: f64 = 5.0;
/// See [`LIKELY_OF_CLOSE_FILE`].
pub(crate) const CLOSE_FILE: f64 = 1.3;
/// A factor of all efforts between this and its inverse is no other unit: the masses of a file are not known better.
pub(crate) const LEAST_FACTOR: f64 = 1.8;
/// How many times the inertia of the bodies a rotor may have that the file does not know.
pub(crate) const UNKNOWN_ROTOR: f64 = 20.0;
/// Torques of a joint that are off by this from a file that knows its friction, or below what its bodies need, are in another unit.
pub(crate) const OTHER_UNIT: f64 = 30.0;
/// So are those beyond so many times what the bodies need, and so many times those of all other joints;
pub(crate) const BEYOND_BODIES: f64 = 50.0;
/// see [`BEYOND_BODIES`];
pub(crate) const BEYOND_OTHERS: f64 = 2.0;
/// the first of a joint that turns, or slides, alone.
pub(crate) const BEYOND_ALONE: f64 = 900.0;

// Delays of torques after positions (`estimate::delays`).

/// A delay is reported that is so many σ from zero,
pub(crate) const DELAY_SIGMA: f64 = 5.0;
/// takes this part of the residual,
pub(crate) const DELAY_GAIN: f64 = 0.1;
/// and is longer than this, s.
pub(crate) const LEAST_DELAY: f64 = 2e-4;
/// No recorder is later than this, s;
pub(crate) const MOST_DELAY: f64 = 0.1;
/// and it is one only if equations of other cut-offs show it, too, within this part of it and so many σ: friction with memory does not.
pub(crate) const SAME_DELAY: [f64; 2] = [0.15, 2.0];
/// Recordings have delays of their own where these explain so many times as much as one for all.
pub(crate) const OWN_DELAYS: f64 = 1.1;

// Single parameters (`estimate::doubts`).

/// A parameter is hardly excited whose σ is beyond this part of its size,
pub(crate) const HARDLY_EXCITED: f64 = 0.5;
/// which of friction, rotors and unknown bodies is what makes up this part of the torques of the joints they act on.
pub(crate) const USUAL_PART: f64 = 0.1;
/// Parameters are collinear whose correlation is beyond this,
pub(crate) const COLLINEAR: f64 = 0.98;
/// if one of them has a σ beyond this part of its size.
pub(crate) const OPEN: f64 = 0.1;
/// Signs of parameters that are truly zero come out wrong half of the time: a sign is reported so many σ from zero that the chance of
/// one such report, of all parameters of an estimate that must not be negative together, is this;
pub(crate) const WRONG_SIGN: f64 = 1e-3;
/// it matters from this part of the torques on.
pub(crate) const INFLUENCE: f64 = 1e-3;
/// A condition number beyond which noise decides much.
pub const ILL_CONDITIONED: f64 = 1000.0;

// Outlier recordings (`validation::outliers`).

/// The residual of an outlier with parameters of the others is so many times theirs, or its own with its own parameters,
pub(crate) const OUTLIER_RATIO: f64 = 4.0;
/// at least this much,
pub(crate) const OUTLIER_RESIDUAL: f64 = 0.03;
/// and without it at most this part of the residual of all.
pub(crate) const BETTER_WITHOUT: f64 = 0.6;
/// Recordings of a larger condition number predict nothing.
pub(crate) const HARDLY_SHOWN: f64 = 1e4;
/// Singular values below this part of the largest say nothing.
pub(crate) const SMALL_SINGULAR_VALUE: f64 = 1e-4;

// Whether a robot is written (`identify::acceptance`).

/// A robot with a larger residual, of data that were fitted or held out, is not this machine.
pub(crate) const MAX_RESIDUAL: f64 = 0.5;
/// Nor one of which a joint has a larger residual where that of free parameters is below [`MAX_RESIDUAL`]; beyond 1 it is worse than a
/// robot without mass.
pub(crate) const MAX_JOINT_RESIDUAL: f64 = 0.9;
/// Nor one with a residual beyond this that is also more than twice that of free parameters: those of real data, of many good
/// recordings, leave two thirds at least.
pub(crate) const EXACT: f64 = 0.01;
/// Nor one whose held-out residual is beyond this,
pub(crate) const OVERFIT_RESIDUAL: f64 = 0.1;
/// and so many times the fitted one.
pub(crate) const OVERFIT_RATIO: f64 = 5.0;
/// Nor one whose bodies do more than so many times what those of the given robot do, or less than that part.
pub(crate) const MAX_BODY_RATIO: f64 = 20.0;
/// Nor one with drive gains beyond this, and below its inverse, which noise makes of them.
pub(crate) const MAX_GAIN: f64 = 5.0;
/// Viscous and Coulomb friction that drive a joint by so many σ tell a wrong sign.
pub(crate) const DRIVING_FRICTION: f64 = 5.0;
/// A condition number beyond which data decide nothing.
pub(crate) const NOTHING_SHOWN: f64 = 1e8;

// What is reported of a robot that is written (`identify::warnings`).

/// A residual of all joints together,
pub(crate) const NOTABLE_RESIDUAL: f64 = 0.1;
/// and of one joint. Beyond this a delay is no more than another way to explain some of what is wrong.
pub(crate) const LARGE_RESIDUAL: f64 = 0.3;
/// A residual of held-out data, or of a URDF,
pub(crate) const WORTH_REPORTING: f64 = 0.02;
/// and so many times the fitted one.
pub(crate) const MUCH_MORE_HELD_OUT: f64 = 2.5;
/// and so many times that of robot.toml.
pub(crate) const MUCH_MORE_IN_URDF: f64 = 1.2;
/// By what part of it the mass of a URDF, whose bodies take over what rotors do, may differ from that of robot.toml.
pub(crate) const OTHER_MASS: f64 = 0.05;
/// What physical consistency may cost, over the residual without it,
pub(crate) const PRICE: f64 = 0.2;
/// where there is more than this.
pub(crate) const NO_RESIDUAL: f64 = 1e-3;
/// A gain that the robot's file moves by so many σ.
pub(crate) const GAIN_MOVED: f64 = 1.0;
/// Bodies that do so many times what those of the given robot do, or that part.
pub(crate) const BODY_RATIO: f64 = 5.0;
