//! Reduces the points of a polyline without a visible difference.

use crate::plot::polyline::Point;

/// Smaller changes of a line are invisible.
const TOLERANCE_PX: f64 = 0.08;

/// Reduces a polyline in pixels: keeps the lowest and the highest point of each pixel column, and the ends of straight
/// lines.
pub(super) fn simplify(points: &[Point]) -> Vec<Point> {
    let mut columns = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        columns.extend(extremes(column));
    }
    // Keep both ends.
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        if columns.first() != Some(first) {
            columns.insert(0, *first);
        }
        if columns.last() != Some(last) {
            columns.push(*last);
        }
    }
    drop_collinear(&columns)
}

/// The lowest and the highest of some points, in their order.
fn extremes(points: &[Point]) -> Vec<Point> {
    if points.len() <= 2 {
        return points.to_vec();
    }
    let by_value = |(_, a): &(usize, &Point), (_, b): &(usize, &Point)| a[1].total_cmp(&b[1]);
    let lowest = points.iter().enumerate().min_by(by_value);
    let highest = points.iter().enumerate().max_by(by_value);
    let mut both: Vec<_> = lowest.into_iter().chain(highest).collect();
    both.sort_by_key(|(index, _)| *index);
    both.dedup_by_key(|(index, _)| *index);
    both.into_iter().map(|(_, point)| *point).collect()
}

/// Drops points that are close to the line between their neighbours.
fn drop_collinear(points: &[Point]) -> Vec<Point> {
    let [first, rest @ ..] = points else { return Vec::new() };
    let mut kept = vec![*first];
    let mut slopes = SlopeRange::at(*first);
    let mut previous = None;
    for point in rest {
        if let Some(previous) = previous.filter(|_| !slopes.contains(*point)) {
            kept.push(previous);
            slopes = SlopeRange::at(previous);
        }
        slopes.narrow(*point);
        previous = Some(*point);
    }
    kept.extend(previous);
    kept
}

/// The slopes of lines from a point that pass close to all points since.
struct SlopeRange {
    tip: Point,
    slopes: [f64; 2],
}

impl SlopeRange {
    fn at(tip: Point) -> Self {
        Self { tip, slopes: [f64::NEG_INFINITY, f64::INFINITY] }
    }

    fn contains(&self, point: Point) -> bool {
        let slope = self.slope(point, 0.0);
        point[0] > self.tip[0] && (self.slopes[0]..=self.slopes[1]).contains(&slope)
    }

    fn narrow(&mut self, point: Point) {
        self.slopes = match point[0] > self.tip[0] {
            true => [
                self.slopes[0].max(self.slope(point, -TOLERANCE_PX)),
                self.slopes[1].min(self.slope(point, TOLERANCE_PX)),
            ],
            // Vertical: later points cannot be on this line.
            false => [f64::INFINITY, f64::NEG_INFINITY],
        };
    }

    fn slope(&self, point: Point, offset: f64) -> f64 {
        (point[1] + offset - self.tip[1]) / (point[0] - self.tip[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height of a polyline at x.
    fn height(points: &[Point], x: f64) -> f64 {
        let after = points.partition_point(|point| point[0] < x).clamp(1, points.len() - 1);
        let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
        if x1 == x0 { y1 } else { y0 + (x - x0) / (x1 - x0) * (y1 - y0) }
    }

    #[test]
    fn straight_line_becomes_two_points() {
        let line: Vec<_> = (0..=1000).map(|n| [f64::from(n) * 0.7, f64::from(n) * 0.1]).collect();
        assert_eq!(simplify(&line), [line[0], line[1000]]);
    }

    #[test]
    fn wave_keeps_its_shape() {
        let wave: Vec<_> = (0..=2000).map(|n| f64::from(n) * 0.5).map(|x| [x, 40.0 * (x / 30.0).sin()]).collect();
        let simplified = simplify(&wave);
        assert!(simplified.len() < wave.len() / 4, "{}", simplified.len());
        assert!(wave.iter().all(|[x, y]| (height(&simplified, *x) - y).abs() < 0.2));
    }

    #[test]
    fn spikes_are_kept_and_columns_have_two_points() {
        let mut noise: Vec<_> =
            (0..100_000).map(|n| [f64::from(n) * 0.001, f64::from(n * 7919 % 101) * 0.01]).collect();
        noise[54_321][1] = 90.0;
        let simplified = simplify(&noise);
        assert!(simplified.iter().any(|point| point[1] == 90.0));
        assert!(simplified.len() <= 2 * 100 + 2, "{}", simplified.len());
        assert_eq!((simplified[0], simplified[simplified.len() - 1]), (noise[0], noise[99_999]));
    }

    #[test]
    fn step_keeps_its_shape() {
        let step = [[0.0, 0.0], [10.0, 0.0], [10.0, 5.0], [20.0, 5.0]];
        assert_eq!(simplify(&step), step);
        assert_eq!(simplify(&step[..1]), step[..1]);
        assert_eq!(simplify(&[]), [[0.0; 2]; 0]);
    }
}
