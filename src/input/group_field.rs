//! The field of a record that groups it, read by itself: only a run that asks for groups pays for it.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The value of a record's field: what a string says, anything else as it is written. `None` when it is null or not there, or
/// the record is malformed; of a repeated field the last counts.
pub(super) fn value_of(record: &[u8], field: &str) -> Option<String> {
    let mut deserializer = serde_json::Deserializer::from_slice(record);
    let value = deserializer.deserialize_map(OneField(field)).ok()??;
    match value.get().as_bytes()[0] {
        b'"' => serde_json::from_str(value.get()).ok(),
        b'n' => None,
        _ => Some(value.get().to_owned()),
    }
}

struct OneField<'a>(&'a str);

impl<'de> Visitor<'de> for OneField<'_> {
    type Value = Option<Box<RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<std::borrow::Cow<str>>()? {
            if key == self.0 {
                found = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_string_or_as_it_is_written() {
        let value = |record: &str| value_of(record.as_bytes(), "by");
        assert_eq!(value(r#"{"text":"x","by":"ann \u00e9"}"#).as_deref(), Some("ann é"));
        assert_eq!(value(r#"{"by":17,"text":{"by":"no"}}"#).as_deref(), Some("17"));
        assert_eq!(value(r#"{"by":["a","b"]}"#).as_deref(), Some(r#"["a","b"]"#));
        assert_eq!(value(r#"{"\u0062y":true,"by":false}"#).as_deref(), Some("false"));
        for record in [r#"{"by":null}"#, r#"{"text":"x"}"#, "[1]", r#"{"by":"#] {
            assert_eq!(value(record), None, "{record}");
        }
    }
}
