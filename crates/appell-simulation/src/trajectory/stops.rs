//! From point to point, at rest at each: one time law after the other.

use super::line::Line;
use super::spline::check_times;
use super::{FollowError, FrameMotion, FrameReference, JointReference, PathError, Ramp, Shape, TimeLaw};
use appell::spatial::Pose;

/// Motions one after the other, each from rest to rest: of joints ([`Ramp`]) or of a frame ([`Line`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Stops<P> {
    parts: Vec<(f64, P)>, // with the times when they begin
    duration: f64,
}

impl<P> Stops<P> {
    fn new(
        times: &[f64],
        points: usize,
        shape: Shape,
        part: impl Fn(usize, TimeLaw) -> Result<P, PathError>,
    ) -> Result<Self, PathError> {
        check_times(times, points)?;
        let part = |k: usize| {
            let law = TimeLaw::new(shape, times[k + 1] - times[k])?;
            Ok((times[k] - times[0], part(k, law)?))
        };
        let parts: Result<Vec<(f64, P)>, PathError> = (0..points - 1).map(part).collect();
        Ok(Self { parts: parts?, duration: times[points - 1] - times[0] })
    }

    /// The motion at a time, and since when it goes on.
    fn part(&mut self, t: f64) -> (f64, &mut P) {
        let next = self.parts.partition_point(|(begin, _)| *begin <= t);
        let (begin, part) = &mut self.parts[next.saturating_sub(1)];
        (*begin, part)
    }
}

impl Stops<Ramp> {
    /// Of joints, through rows of positions at times, s. Where two are the same the joints stay.
    ///
    /// ```
    /// use appell_simulation::trajectory::{JointReference, Shape, Stops};
    ///
    /// let points = [vec![0.0], vec![1.0], vec![0.5]];
    /// let mut stops = Stops::of_joints(&[0.0, 1.0, 3.0], &points, Shape::Quintic)?;
    /// let [mut q, mut v, mut a] = [[0.0]; 3];
    /// stops.at(1.0, &mut q, &mut v, &mut a).unwrap();
    /// assert_eq!((q, v), ([1.0], [0.0]));
    /// stops.at(2.0, &mut q, &mut v, &mut a).unwrap();
    /// assert_eq!(q, [0.75]);
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than two points, they have not as many finite numbers each, or the times do not grow.
    pub fn of_joints(times: &[f64], points: &[Vec<f64>], shape: Shape) -> Result<Self, PathError> {
        Self::new(times, points.len(), shape, |k, law| {
            let (from, to) = (&points[k], &points[k + 1]);
            if from == to { Ramp::staying(from, law.duration()) } else { Ramp::new(from, to, law) }
        })
    }
}

impl Stops<Line> {
    /// Of a frame, through poses at times, s, on straight lines.
    ///
    /// # Errors
    /// If there are fewer than two poses, two in a row are the same or half a turn apart, or the times do not grow.
    pub fn of_poses(times: &[f64], poses: &[Pose], shape: Shape) -> Result<Self, PathError> {
        Self::new(times, poses.len(), shape, |k, law| Line::new(&poses[k], &poses[k + 1], law))
    }
}

impl<P: JointReference> JointReference for Stops<P> {
    fn joints(&self) -> usize {
        self.parts[0].1.joints()
    }

    fn duration(&self) -> f64 {
        self.duration
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        let (begin, part) = self.part(t);
        part.at(t - begin, q, v, a)
    }
}

impl<P: FrameReference> FrameReference for Stops<P> {
    fn duration(&self) -> f64 {
        self.duration
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        let (begin, part) = self.part(t);
        part.at(t - begin)
    }
}
