//! `copies_of`: finds the documents that have each of some texts.

use super::text_blocks::unless_damaged;
use crate::base::error::{Error, Result};
use crate::index::read::reader::IndexReader;
use crate::index::read::referred_texts::ReferredTexts;

/// Lists the documents that have each text; the list of a text that cannot be read is empty.
///
/// * `texts`: for each text, the number of a document that has it.
pub(crate) fn copies_of(
    reader: &IndexReader,
    referred: Option<&mut ReferredTexts>,
    texts: impl Iterator<Item = u32>,
    pool: &rayon::ThreadPool,
    faults: &mut Vec<Error>,
) -> Result<Vec<Vec<u32>>> {
    let (mut contents, mut is_readable) = (Vec::new(), Vec::new());
    for text in texts {
        let content = unless_damaged(reader.content(text), faults)?;
        contents.extend(content);
        is_readable.push(content.is_some());
    }
    let mut documents = reader.with_contents(&contents, Some(pool))?;
    if let Some(read) = referred {
        read.retain(&mut documents)?;
    }
    let mut documents = documents.into_iter();
    let of_text = |is_readable| if is_readable { documents.next().expect("one for each") } else { Vec::new() };
    Ok(is_readable.into_iter().map(of_text).collect())
}
