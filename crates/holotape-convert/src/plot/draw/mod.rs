//! Draws a figure as SVG.

mod layout;
mod legend;
mod marker_labels;
mod panel;
mod scale;
mod simplify;
mod text;
mod theme;
mod xml;

use holotape::Result;

use self::layout::Layout;
use self::scale::TimeLabelFormat;
use self::text::Font;
use self::theme::Palette;
use self::xml::{Element, Px};
use super::figure::Figure;
use super::options::PlotOptions;

pub(super) fn svg(figure: &Figure, options: &PlotOptions) -> Result<String> {
    let layout = Layout::new(figure, options)?;
    let palette = Palette::new(options.theme);
    let mut svg = root(&layout);
    let title = options.title.as_deref().unwrap_or("Recording");
    svg.push(&Element::new("title").with_text(title));
    svg.push(&Element::new("rect").with("width", "100%").with("height", "100%").with("fill", palette.page));
    layout.slots.iter().for_each(|slot| svg.push(&panel::panel_background(slot, &layout, palette)));
    svg.push(&marker_labels::draw(figure, &layout, palette));
    for (panel, slot) in figure.panels.iter().zip(&layout.slots) {
        svg.push(&panel::content(panel, slot, &layout, palette));
    }
    svg.push(&time_axis(figure, &layout, palette));
    if let Some(title) = &options.title {
        svg.push(&heading(title, &layout, palette));
    }
    if figure.panels.is_empty() {
        svg.push(&empty_message(&layout, palette));
    }
    Ok(svg.to_string())
}

fn root(layout: &Layout) -> Element {
    let [width, height] = layout.size;
    Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("width", width)
        .with("height", height)
        .with("viewBox", format!("0 0 {width} {height}"))
        .with("role", "img")
        .with("font-family", text::FAMILIES)
}

/// A text element that starts at a position on its baseline.
fn text_element(text: &str, [x, baseline]: [f64; 2], font: Font, colour: &str) -> Element {
    let element = Element::new("text").with("x", Px(x)).with("y", Px(baseline)).with("font-size", font.size);
    let element = if font.is_bold { element.with("font-weight", "bold") } else { element };
    element.with("fill", colour).with_text(text)
}

fn heading(title: &str, layout: &Layout, palette: &Palette) -> Element {
    let font = layout.spacing.heading;
    let title = font.ellipsize(title, layout.size[0] - 2.0 * layout.spacing.margin);
    text_element(&title, [layout.plot_left(), layout.spacing.margin + 0.9 * font.size], font, palette.text)
        .with("class", "heading")
}

fn time_axis(figure: &Figure, layout: &Layout, palette: &Palette) -> Element {
    let font = layout.spacing.label;
    let line = layout.spacing.line;
    let labels = layout.time_ticks.iter().map(|tick| {
        let (x, half) = (layout.time.pixel(tick.value), font.width(&tick.label) / 2.0);
        // Keep the last label within the image.
        let x = x.min(layout.size[0] - half - 2.0);
        text_element(&tick.label, [x, layout.bottom + 0.85 * line], font, palette.quiet).with("text-anchor", "middle")
    });
    let middle = f64::midpoint(layout.plot_left(), layout.plot_right());
    let name = text_element(
        TimeLabelFormat::new(figure.span).axis(),
        [middle, layout.bottom + 1.85 * line],
        font,
        palette.quiet,
    );
    Element::group("time", labels.chain([name.with("text-anchor", "middle")]))
}

/// The message of a plot without panels.
fn empty_message(layout: &Layout, palette: &Palette) -> Element {
    let [width, _] = layout.size;
    let position = [width / 2.0, layout.bottom - layout.spacing.line / 2.0];
    let note = text_element("This recording has no motion to show", position, layout.spacing.label, palette.quiet);
    note.with("text-anchor", "middle")
}
