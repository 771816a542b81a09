//! Normalises a joined text file by file, each in its own language, so that nothing reaches beyond its file.

use super::Normalizer;
use super::code::CodeText;
use crate::base::flat::offset_map::Trace;
use crate::base::flat::offset_trace::OffsetTrace;
use crate::text::joined::{FILE_MARK, joined_files};

impl Normalizer {
    /// Normalises a joined text: a mark, and then the normalised text, for each file.
    pub(super) fn normalize_files<T: Trace>(&mut self, text: &mut Vec<u8>, trace: &mut T) {
        let joined = std::mem::take(text);
        let (mut disguises, mut done) = (super::Disguises::default(), 0);
        let (mut num_unclosed, mut first_unclosed) = (0, None);
        for file in joined_files(&joined) {
            let mut part = joined[file.text.clone()].to_vec();
            self.tokens.set_syntax(file.syntax.or_of_name(file.name.as_bytes()));
            text.push(FILE_MARK);
            trace.copied(1);
            trace.left_out(file.text.start - done - 1);
            if T::IS_ON {
                let mut of_file = OffsetTrace::default();
                self.normalize_whole(&mut part, &mut of_file);
                of_file.into_parts(part.len()).0.report_to(trace);
            } else {
                self.normalize_whole(&mut part, trace);
            }
            disguises.add(self.disguises);
            let code = self.tokens.last();
            num_unclosed += code.unclosed;
            if code.unclosed > 0 && first_unclosed.is_none() {
                first_unclosed = Some((file.name.to_owned(), code.unclosed_line));
            }
            text.extend_from_slice(&part);
            done = file.text.end;
        }
        trace.end_step();
        self.disguises = disguises;
        let (file, unclosed_line) = first_unclosed.unzip();
        self.unclosed_file = file;
        let code = CodeText { unclosed: num_unclosed, unclosed_line: unclosed_line.flatten(), ..self.tokens.last() };
        self.tokens.set_last(code);
    }
}

#[cfg(test)]
mod tests {
    use crate::text::code::{StatedSyntax, Syntax};
    use crate::text::joined::push_file;
    use crate::text::normalize::{Normalization, Normalizer, Units};

    #[test]
    fn each_file_is_normalised_by_itself_and_leads_back_to_it() {
        let mut joined = Vec::new();
        push_file(&mut joined, b"a.py", StatedSyntax::None, b"x = 'a'  # one\n");
        push_file(&mut joined, b"b.ipynb", StatedSyntax::Known(Syntax::C), b"/* # */ int y;");
        let joined = String::from_utf8(joined).unwrap();
        let mut normalizer = Normalizer::new(&Normalization::default(), Units::Tokens).with_files(true);
        let (text, map) = normalizer.normalize_with_offsets(&joined);
        assert_eq!(text, "\u{1C}N\n=\nS\u{1C}int\nN\n;");
        assert_eq!(text, normalizer.normalize(&joined));
        let at = text.find("int").unwrap();
        assert_eq!(&joined[map.source_range(at..at + 3)], "int");
        assert_eq!(&joined[map.source_range(1..2)], "x");
        let mut words = Normalizer::new(&Normalization::default(), Units::Text).with_files(true);
        assert_eq!(
            words.normalize("\u{1C} a\n one  two \n\u{1C} b\n\u{1C} c\nthree"),
            "\u{1C}one two\u{1C}\u{1C}three"
        );
        // Without joined files the mark is a character.
        assert_eq!(Normalizer::default().normalize("\u{1C} a\nb"), "\u{1C} a b");
    }
}
