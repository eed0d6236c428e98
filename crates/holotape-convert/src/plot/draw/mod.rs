//! A figure as SVG.

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
    let palette = Palette::of(options.theme());
    let mut svg = root(&layout);
    let title = options.title().unwrap_or("Recording");
    svg.push(&Element::new("title").with_text(title));
    svg.push(&Element::new("rect").with("width", "100%").with("height", "100%").with("fill", palette.page));
    layout.slots.iter().for_each(|slot| svg.push(&panel::panel_background(slot, &layout, palette)));
    svg.push(&marker_labels::draw(figure, &layout, palette));
    for (panel, slot) in figure.panels.iter().zip(&layout.slots) {
        svg.push(&panel::content(panel, slot, &layout, palette));
    }
    svg.push(&time_axis(figure, &layout, palette));
    if let Some(title) = options.title() {
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

/// Words that begin at a place on their baseline.
fn text_element(text: &str, [x, baseline]: [f64; 2], chars: Font, colour: &str) -> Element {
    let words = Element::new("text").with("x", Px(x)).with("y", Px(baseline)).with("font-size", chars.size);
    let words = if chars.is_bold { words.with("font-weight", "bold") } else { words };
    words.with("fill", colour).with_text(text)
}

fn heading(title: &str, layout: &Layout, palette: &Palette) -> Element {
    let chars = layout.spacing.heading;
    let title = chars.ellipsize(title, layout.size[0] - 2.0 * layout.margin);
    text_element(&title, [layout.plot_left(), layout.margin + 0.9 * chars.size], chars, palette.text)
        .with("class", "heading")
}

fn time_axis(figure: &Figure, layout: &Layout, palette: &Palette) -> Element {
    let chars = layout.spacing.label;
    let line = layout.spacing.line;
    let numbers = layout.time_ticks.iter().map(|tick| {
        let (x, half) = (layout.time.place(tick.value), chars.width(&tick.label) / 2.0);
        // The last number must not leave the picture.
        let x = x.min(layout.size[0] - half - 2.0);
        text_element(&tick.label, [x, layout.bottom + 0.85 * line], chars, palette.quiet).with("text-anchor", "middle")
    });
    let middle = f64::midpoint(layout.plot_left(), layout.plot_right());
    let name = text_element(
        TimeLabelFormat::of(figure.span).axis(),
        [middle, layout.bottom + 1.85 * line],
        chars,
        palette.quiet,
    );
    Element::group("time", numbers.chain([name.with("text-anchor", "middle")]))
}

/// What to say where there is nothing to show.
fn empty_message(layout: &Layout, palette: &Palette) -> Element {
    let [width, _] = layout.size;
    let place = [width / 2.0, layout.bottom - layout.spacing.line / 2.0];
    let note = text_element("This recording has no motion to show", place, layout.spacing.label, palette.quiet);
    note.with("text-anchor", "middle")
}
