//! The pictures of the README, in `.github/pictures`: the view for people and the bar chart of speed, as SVG for light and dark pages,
//! and what the pictures of the HTML page were made from.
//!
//! `DEDUP_PICTURES=record cargo test --test integration pictures` makes them again from the output of the program and the table of
//! `src/guide/speed.md`; `DEDUP_PICTURES=record cargo test --test page` photographs the page.

use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use regex::Regex;

use super::for_people::seen;
use super::screens::corpus_in;

/// The colours of a picture: of the paper, its border, the text, and of the parts of it.
struct Palette {
    name: &'static str,
    paper: &'static str,
    border: &'static str,
    ink: &'static str,
    soft: &'static str,
    equal: &'static str,
    similar: &'static str,
    /// The bars of `dedup`, and of the others.
    own: &'static str,
    others: [&'static str; 2],
}

const PALETTES: [Palette; 2] = [
    Palette {
        name: "light",
        paper: "#ffffff",
        border: "#d1d9e0",
        ink: "#1f2328",
        soft: "#59636e",
        equal: "#1a7f37",
        similar: "#9a6700",
        own: "#2456a6",
        others: ["#afb8c1", "#8c959f"],
    },
    Palette {
        name: "dark",
        paper: "#0d1117",
        border: "#3d444d",
        ink: "#f0f6fc",
        soft: "#9198a1",
        equal: "#3fb950",
        similar: "#d29922",
        own: "#8fb6f5",
        others: ["#656c76", "#4a525c"],
    },
];

/// The size of a character, and the distance of lines.
const WIDTH: f64 = 8.4;
const LINE: f64 = 20.0;
const MARGIN: f64 = 18.0;
const MONO: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace";
const SANS: &str = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/pictures")
}

/// Compares a file of the pictures, or writes it.
fn check(name: &str, content: &str) {
    let file = folder().join(name);
    if std::env::var("DEDUP_PICTURES").is_ok_and(|value| value == "record") {
        std::fs::create_dir_all(folder()).unwrap();
        return std::fs::write(&file, content).unwrap();
    }
    let recorded = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(recorded == content, "{name} is of another output; DEDUP_PICTURES=record makes it anew");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text as a terminal shows it, with its colours as `<1;32>`, in a frame.
fn terminal(title: &str, text: &str, palette: &Palette) -> String {
    let Palette { paper, border, ink, soft, equal, similar, .. } = palette;
    let lines: Vec<&str> = text.lines().collect();
    let colour = Regex::new(r"<[\d;]+>").unwrap();
    let columns = lines.iter().map(|line| unicode_width::UnicodeWidthStr::width(&*colour.replace_all(line, ""))).max();
    let columns = columns.unwrap_or(0).max(80) as f64;
    let (width, height) = ((columns * WIDTH + 2.0 * MARGIN).ceil(), lines.len() as f64 * LINE + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"{MONO}\" font-size=\"14\">\n<title>{}</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"{}\" \
         height=\"{}\" rx=\"8\" fill=\"{paper}\" stroke=\"{border}\"/>\n",
        escaped(title),
        width - 1.0,
        height - 1.0
    );
    let words = Regex::new(r"\S+( \S+)*").unwrap();
    for (number, line) in lines.into_iter().enumerate() {
        let y = MARGIN + LINE * (number as f64 + 0.72);
        let (mut column, mut at, mut style) = (0, 0, String::new());
        let ends = colour.find_iter(line).map(|found| (found.start(), found.end(), found.as_str()));
        for (start, end, code) in ends.chain([(line.len(), line.len(), "<0>")]) {
            let part = &line[at..start];
            // Every word has its own place, so that columns stand below each other in any font.
            for word in words.find_iter(part) {
                let before = unicode_width::UnicodeWidthStr::width(&part[..word.start()]);
                let columns = unicode_width::UnicodeWidthStr::width(word.as_str());
                let x = MARGIN + WIDTH * (column + before) as f64;
                let fill = if style.is_empty() { format!(" fill=\"{ink}\"") } else { style.clone() };
                svg += &format!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{:.1}\"{fill}>{}</text>\n",
                    WIDTH * columns as f64,
                    escaped(word.as_str())
                );
            }
            column += unicode_width::UnicodeWidthStr::width(part);
            at = end;
            style = match code {
                "<2>" => format!(" fill=\"{soft}\""),
                "<1>" => format!(" fill=\"{ink}\" font-weight=\"bold\""),
                "<1;32>" => format!(" fill=\"{equal}\" font-weight=\"bold\""),
                "<1;33>" => format!(" fill=\"{similar}\" font-weight=\"bold\""),
                _ => String::new(),
            };
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_view_is_that_of_the_program() {
    let corpus = corpus_in("picture", "examples/corpus");
    let args = ["news", "licences", "essays"].map(|folder| format!("examples/corpus/{folder}"));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (view, code) = seen(&corpus, &args, 100);
    assert_eq!(code, Some(0));
    let line = "dedup examples/corpus/news examples/corpus/licences examples/corpus/essays";
    let view = format!("<2>$<0> {line}\n{}", view.replace(" in <time>", " in 0.01 s"));
    for palette in &PALETTES {
        let title = format!("The output of {line}");
        check(&format!("view-{}.svg", palette.name), &terminal(&title, &view, palette));
    }
}

/// A bar chart of the wall times on real corpora, by the first table below `## Real corpora`.
fn chart(page: &str, palette: &Palette) -> String {
    const BAR: f64 = 13.0;
    const ROW: f64 = 3.0 * BAR + 34.0;
    const FULL: f64 = 560.0;
    let Palette { paper, border, ink, soft, own, others, .. } = palette;
    let (_, section) = page.split_once("\n## Real corpora\n").unwrap();
    let rows: Vec<Vec<&str>> = (section.lines().skip_while(|line| !line.starts_with("| ")))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap_or_else(|| panic!("{name}"));
    let bars = [
        ("dedup", column("dedup, fast"), *own),
        ("FastSketchLSH", column("FastSketchLSH"), others[0]),
        ("rensa", column("rensa, flat-hash matrix"), others[1]),
    ];
    let seconds = |row: &[&str], at: usize| row[at].parse::<f64>().unwrap();
    let corpora: Vec<&Vec<&str>> = rows[2..].iter().filter(|row| !row[0].contains("generated")).collect();
    let most = corpora.iter().flat_map(|row| bars.map(|(_, at, _)| seconds(row, at))).fold(0.0, f64::max);
    let factor = |row: &[&str]| seconds(row, bars[1].1).min(seconds(row, bars[2].1)) / seconds(row, bars[0].1);
    let worst = corpora.iter().map(|row| factor(row)).fold(f64::INFINITY, f64::min);
    let (width, height) = (720.0, corpora.len() as f64 * ROW + 64.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"{SANS}\" font-size=\"13\">\n<title>Seconds to find near-duplicates in real corpora</title>\n<rect \
         x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{paper}\" stroke=\"{border}\"/>\n<text x=\"18\" y=\"28\" \
         fill=\"{ink}\" font-weight=\"bold\">Seconds to find near-duplicates; shorter is better</text>\n",
        width - 1.0,
        height - 1.0
    );
    for (number, row) in corpora.iter().enumerate() {
        let top = 50.0 + ROW * number as f64;
        let note = if factor(row) == worst { ", the worst case" } else { "" };
        svg += &format!(
            "<text x=\"18\" y=\"{:.0}\" fill=\"{ink}\">{}, {} MB<tspan fill=\"{soft}\">{note}</tspan></text>\n",
            top + 8.0,
            escaped(row[0]),
            row[1]
        );
        for (place, (name, at, fill)) in bars.into_iter().enumerate() {
            let (y, seconds) = (top + 15.0 + BAR * place as f64, seconds(row, at));
            let length = seconds / most * FULL;
            svg += &format!(
                "<rect x=\"18\" y=\"{y:.0}\" width=\"{length:.1}\" height=\"{:.0}\" rx=\"2\" fill=\"{fill}\"/>\n<text \
                 x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{soft}\">{name} {}</text>\n",
                BAR - 2.0,
                length + 24.0,
                y + 9.5,
                row[at]
            );
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_chart_is_that_of_the_table() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/speed.md")).unwrap();
    for palette in &PALETTES {
        check(&format!("speed-{}.svg", palette.name), &chart(&page, palette));
    }
}

#[test]
fn the_page_is_that_of_the_program() {
    let corpus = corpus_in("picture_page", "examples/corpus");
    // The page says which file is older, by the times of files.
    for (number, name) in ["on-writing-in-books-draft.txt", "on-writing-in-books.txt"].into_iter().enumerate() {
        let file =
            std::fs::File::options().append(true).open(corpus.path("examples/corpus/essays").join(name)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_790_000_000 + number as u64)).unwrap();
    }
    let args = ["scan", "examples/corpus/essays", "-q", "-o", "lines", "-f", "html=page.html"];
    assert!(corpus.command(&args).status().unwrap().success());
    let page = corpus.read("page.html");
    let (_, index) = page.split_once("id=\"index\">").unwrap();
    let (index, _) = index.split_once("</script>").unwrap();
    check("page.json", &format!("{index}\n"));
    // The pictures themselves, which tests/page makes, are small.
    let bytes: u64 = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 200_000, "{bytes} bytes of pictures");
}
