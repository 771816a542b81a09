//! Folds the characters and the white space of an ASCII text in one pass, and reports the changes to a trace.
//!
//! With two passes, two traces would have to be combined.

use super::characters::DROPPED;
use super::white_space::is_ascii_space;
use crate::base::flat::offset_map::Trace;

/// Folds characters, replaces each run of white space by one space, and trims both ends.
///
/// * `text`: an ASCII text.
/// * `folded`: for each byte, the byte that replaces it, or [`DROPPED`].
pub(super) fn fold_traced<T: Trace>(text: &mut Vec<u8>, folded: &[u8; 256], trace: &mut T) {
    let is_kept = |folded: u8| folded != DROPPED && !is_ascii_space(folded);
    let (mut read, mut write) = (0, 0);
    while read < text.len() {
        let start = read;
        while let Some(kept) = text.get(read).map(|&byte| folded[usize::from(byte)]).filter(|&kept| is_kept(kept)) {
            text[write] = kept;
            (read, write) = (read + 1, write + 1);
        }
        trace.copied(read - start);
        // A gap: white space, and the dropped characters in it and around it.
        let gap = read;
        let mut spaces = 0..0;
        while let Some(other) = text.get(read).map(|&byte| folded[usize::from(byte)]).filter(|&other| !is_kept(other)) {
            if other != DROPPED {
                spaces = if spaces.is_empty() { read } else { spaces.start }..read + 1;
            }
            read += 1;
        }
        if spaces.is_empty() || write == 0 || read == text.len() {
            trace.left_out(read - gap);
            continue;
        }
        trace.left_out(spaces.start - gap);
        text[write] = b' ';
        write += 1;
        match spaces.len() {
            1 => trace.copied(1),
            len => trace.replaced(len, 1),
        }
        trace.left_out(read - spaces.end);
    }
    text.truncate(write);
    trace.end_step();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::characters::CharacterFolder;
    use super::super::{Normalization, white_space};
    use super::*;
    use crate::base::flat::offset_map::OffsetMap;
    use crate::base::flat::offset_trace::OffsetTrace;

    proptest! {
        #[test]
        fn one_walk_is_both_steps(
            text in r"([a-zA-Z0-9]{1,4}|[.,'_-]{1,3}| |[ \t\r\n\x0B\x0C]{1,4}|[\x00-\x7f]){0,80}",
            lowercase in any::<bool>(),
            strip_punctuation in any::<bool>(),
        ) {
            let mut folder =
                CharacterFolder::new(&Normalization { lowercase, strip_punctuation, ..Normalization::default() });
            let parts = |fold: &mut dyn FnMut(&mut Vec<u8>, &mut OffsetTrace)| -> (Vec<u8>, OffsetMap) {
                let (mut bytes, mut trace) = (text.as_bytes().to_vec(), OffsetTrace::default());
                fold(&mut bytes, &mut trace);
                let (map, _) = trace.into_parts(bytes.len());
                (bytes, map)
            };
            let walked = parts(&mut |bytes, trace| fold_traced(bytes, folder.plain(), trace));
            let stepped = parts(&mut |bytes, trace| {
                folder.fold(bytes, &mut Vec::new(), trace);
                white_space::fold_spaces_traced(bytes, trace);
            });
            prop_assert_eq!(&walked.0, &stepped.0);
            prop_assert_eq!((walked.1.made_len(), walked.1.source_len()), (stepped.0.len(), text.len()));
            for start in 0..walked.0.len() {
                for end in [start + 1, walked.0.len()] {
                    prop_assert_eq!(walked.1.source_range(start..end), stepped.1.source_range(start..end));
                }
            }
        }
    }
}
