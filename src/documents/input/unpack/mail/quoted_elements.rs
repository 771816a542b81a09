//! Removes from the HTML body of a message the elements in which mail programs put quoted replies and signatures.
//!
//! A forwarded message is often in such an element, too. It stays if its first line is the mark of one, or if the subject of the
//! message says that it is forwarded.

use std::sync::LazyLock;

use regex::Regex;

use super::forwards::{begins_with_mark, has_mark};

/// The HTML body without the elements in which programs put quoted replies.
///
/// * `is_forward`: whether the subject says that the message is forwarded.
pub(super) fn strip_page(page: &str, is_forward: bool) -> String {
    let lower = page.to_ascii_lowercase();
    static START: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r#"<(blockquote) (?:type="?cite|class="(?:gmail_quote|protonmail_quote|tutanota_quote))|"#,
            r#"<(div) (?:dir="ltr" )?class="(?:gmail_quote|(?P<other>gmail_signature|moz-cite-prefix|moz-signature|"#,
            r#"protonmail_signature)|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|outlookmessageheader)|"#,
            r#"<(?P<pre>pre) class="moz-signature|<(div) (?:id="mail-editor-reference-message-container|name="messagereplysection)"#,
        );
        Regex::new(pattern).expect("a pattern")
    });
    let (mut kept, mut at) = (String::with_capacity(page.len()), 0);
    while let Some(found) = START.captures_at(&lower, at) {
        let start = found.get(0).expect("the whole").start();
        let name = found.iter().skip(1).flatten().next().map_or("", |name| name.as_str());
        let is_quotation = found.name("other").or(found.name("pre")).is_none();
        if is_quotation && (is_forward || begins_with_mark(&page[start..])) || has_mark(&page[at..start]) {
            break;
        }
        kept.push_str(&page[at..start]);
        // The text before and after it stays apart.
        kept.push_str("<br>");
        at = end_of_element(&lower, start, name);
    }
    kept.push_str(&page[at..]);
    kept
}

/// The end of the element that starts at `start`, after its end tag.
fn end_of_element(page: &str, start: usize, name: &str) -> usize {
    let (mut depth, mut at) = (0_usize, start);
    while let Some(tag) = page[at..].find('<') {
        at += tag + 1;
        let (is_end, rest) = page[at..].strip_prefix('/').map_or((false, &page[at..]), |rest| (true, rest));
        let is_it = rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        match (is_it, is_end) {
            (true, false) => depth += 1,
            (true, true) => depth = depth.saturating_sub(1),
            (false, _) => continue,
        }
        if depth == 0 {
            return page[at..].find('>').map_or(page.len(), |end| at + end + 1);
        }
    }
    page.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_in_pages_go_with_all_that_is_in_them() {
        let page = "<p>Yes.</p><Blockquote type=\"cite\"><blockquote>a</blockquote>b</blockquote><p>No.<div class=\"gmail_quote\">\
                    <div>c</div></div>End<blockquote type=cite>d";
        assert_eq!(strip_page(page, false), "<p>Yes.</p><br><p>No.<br>End<br>");
        let plain = "<blockquote>a</blockquote><div>b</div>";
        assert_eq!(strip_page(plain, false), plain);
        let proton =
            "<p>Yes.<div class=\"protonmail_quote\">No.</div><pre class=\"moz-signature\" cols=\"72\">-- Ann</pre>";
        assert_eq!(strip_page(proton, false), "<p>Yes.<br><br>");
    }

    #[test]
    fn a_forwarded_message_in_a_page_stays() {
        for inside in [
            "<div class=\"gmail_quote\"><div dir=\"ltr\" class=\"gmail_attr\">---------- Forwarded message ---------<br>From: A</div>b</div>",
            "<blockquote type=\"cite\"><div>Begin forwarded message:</div><br><div>b</div></blockquote>",
            "<div>Begin forwarded message:</div><blockquote type=\"cite\">b</blockquote>",
            "<p>-------- Forwarded Message --------<table><tr><td>x</table>b<pre class=\"moz-signature\">-- A</pre>",
        ] {
            let page = format!("<p>a<div class=\"gmail_signature\">B</div>{inside}");
            assert_eq!(strip_page(&page, false), format!("<p>a<br>{inside}"));
        }
        let quoted = "<p>a<div class=\"moz-signature\">B</div><blockquote type=\"cite\">b<div class=\"gmail_quote\">c</div></blockquote>";
        assert_eq!(strip_page(quoted, false), "<p>a<br><br>");
        assert!(
            strip_page(quoted, true)
                .ends_with("<br><blockquote type=\"cite\">b<div class=\"gmail_quote\">c</div></blockquote>")
        );
        let reply = "<p>a<div class=\"gmail_quote\">On 1 Jan, A wrote:<div class=\"gmail_quote\">---------- Forwarded message ---------<br>b</div></div>";
        assert_eq!(strip_page(reply, false), "<p>a<br>");
    }
}
