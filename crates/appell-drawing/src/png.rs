//! Drawings as pixels, for documents and chats that show no SVG.

use anyhow::Context;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::Arc;

/// Pixels for one px of a drawing: sharp on screens of today.
const SCALE: f32 = 2.0;

/// A drawing as PNG. The fonts are compiled in, so that the same drawing gives the same picture everywhere.
pub fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
    fonts.set_sans_serif_family("Ubuntu");
    fonts.set_monospace_family("Hack");
    let options = Options { fontdb: Arc::new(fonts), font_family: "Ubuntu".into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).context("the drawing cannot be read")?;
    let size = tree.size().to_int_size().scale_by(SCALE).context("the drawing has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).context("the drawing is too large for a picture")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().context("the picture cannot be made")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_lines_become_pixels() {
        let dark = |body: &str| {
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"30\"><rect width=\"60\" height=\"30\" \
                 fill=\"white\"/>{body}</svg>"
            );
            let pixels = Pixmap::decode_png(&png(&svg).unwrap()).unwrap();
            assert_eq!((pixels.width(), pixels.height()), (120, 60));
            pixels.pixels().iter().filter(|pixel| pixel.red() < 128).count()
        };
        assert_eq!(dark(""), 0);
        assert!(dark("<text x=\"5\" y=\"20\" font-family=\"sans-serif\" font-size=\"16\">τ·q̈ ²</text>") > 40);
        assert!(dark("<path d=\"M0 5H60\" stroke=\"black\" stroke-width=\"2\"/>") > 400);
    }
}
