//! Rendered pixels.

use super::*;

fn pixels(recording: &Recording, options: &PlotOptions) -> Pixmap {
    Pixmap::decode_png(&plot::png(recording, options).unwrap()).unwrap()
}

#[test]
fn png_has_the_requested_size_and_is_not_blank() {
    let recording = demo(2.0);
    for (size, scale, expected) in [([640, 480], 1.0, [640, 480]), ([640, 480], 2.5, [1600, 1200])] {
        let image = pixels(&recording, &PlotOptions::new().with_size(size).with_scale(scale));
        assert_eq!([image.width(), image.height()], expected);
        let colours: std::collections::HashSet<_> =
            image.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        assert!(colours.len() > 100, "{}", colours.len());
        assert!(image.pixels().iter().all(|pixel| pixel.alpha() == 255));
    }
}

#[test]
fn text_is_rendered_with_the_embedded_font() {
    let recording = camera(curve(&[(0.0, 0.0), (1.0, 1.0)]));
    let titled = |title: &str| pixels(&recording, &PlotOptions::new().with_title(title));
    let (one, other) = (titled("Hologramm"), titled("Φωνή Ж"));
    let differ = one.pixels().iter().zip(other.pixels()).enumerate().filter(|(_, (a, b))| a != b);
    let rows: Vec<_> = differ.map(|(n, _)| n / one.width() as usize).collect();
    assert!(rows.len() > 100, "{} pixels differ", rows.len());
    assert!(rows.iter().all(|row| (10..40).contains(row)), "{rows:?}");
}

#[test]
fn themes_differ_only_in_colours() {
    let recording = demo(5.0);
    let without_colours = |theme| {
        let text = svg(&recording, &PlotOptions::new().with_theme(theme));
        text.split('"').filter(|part| !part.starts_with('#')).collect::<Vec<_>>().join("\"")
    };
    assert_eq!(without_colours(Theme::Light), without_colours(Theme::Dark));
    let corner = |theme| pixels(&recording, &PlotOptions::new().with_theme(theme)).pixels()[0].red();
    assert!(corner(Theme::Light) > 200 && corner(Theme::Dark) < 50);
}

#[test]
fn output_is_deterministic() {
    let recording = demo(5.0);
    let options = PlotOptions::new().with_title("reach.bin");
    assert_eq!(svg(&recording, &options), svg(&recording.clone(), &options.clone()));
    assert_eq!(plot::png(&recording, &options).unwrap(), plot::png(&recording.clone(), &options).unwrap());
}
