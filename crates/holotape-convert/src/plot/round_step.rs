//! Steps of axes and bins.

/// Rounds up to 1, 2 or 5 times a power of ten.
///
/// ```
/// use holotape_convert::plot::round_step;
///
/// assert_eq!([0.07, 0.9, 1.1, 30.0].map(round_step), [0.1, 1.0, 2.0, 50.0]);
/// ```
#[must_use]
pub fn round_step(min_step: f64) -> f64 {
    let power = power_of_ten(min_step.log10().floor() as i32);
    // With a tolerance: 0.3 / 3 must give 0.1.
    [1.0, 2.0, 5.0].into_iter().map(|n| n * power).find(|step| *step >= min_step * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// The nearest number to a power of ten. `powf` gives another one on some systems.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}
