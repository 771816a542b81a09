//! `SignatureRecord`: a document with its band keys and its signature as one line of `dedup sign`.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Name;

/// One line of `dedup sign`. Later versions only add keys, before `signature`, which is the last one.
///
/// Numbers of 64 and 128 bits are strings of hexadecimal digits, because many JSON readers keep only 53 bits of a
/// number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureRecord<'a> {
    /// Name of the document, as in pairs.
    #[serde(borrow)]
    pub id: Name<'a>,
    /// Number of distinct shingles that remain after removal.
    pub shingles: u64,
    /// Hash of the normalised text: `xxh3_128` in 32 hexadecimal digits; null for a document without shingles.
    #[serde(borrow)]
    pub text_hash: Option<Cow<'a, str>>,
    /// One key for each band, each in 16 hexadecimal digits; empty for a document without shingles. Documents with an
    /// equal key in the same band are a candidate pair.
    #[serde(serialize_with = "write_keys", deserialize_with = "read_keys")]
    pub keys: Cow<'a, [u64]>,
    /// The signature, if requested: bands × rows values, band after band; absent for a document without shingles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<Cow<'a, [u32]>>,
}

fn write_keys<S: Serializer>(keys: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(keys.iter().map(|key| format!("{key:016x}")))
}

fn read_keys<'de, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'a, [u64]>, D::Error> {
    let keys = Vec::<Cow<'de, str>>::deserialize(deserializer)?;
    let read = |key: &str| match key.len() {
        16 => u64::from_str_radix(key, 16).map_err(serde::de::Error::custom),
        _ => Err(serde::de::Error::custom("a key has 16 hexadecimal digits")),
    };
    keys.iter().map(|key| read(key)).collect::<Result<Vec<u64>, _>>().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back_as_it_was() {
        let record = SignatureRecord {
            id: Name::new(b"a.txt"),
            shingles: 36,
            text_hash: Some("0123456789abcdef0123456789abcdef".into()),
            keys: vec![1, u64::MAX].into(),
            signature: Some(vec![0, u32::MAX].into()),
        };
        let line = serde_json::to_string(&record).unwrap();
        let expected = r#"{"id":"a.txt","shingles":36,"text_hash":"0123456789abcdef0123456789abcdef","keys":["0000000000000001","ffffffffffffffff"],"signature":[0,4294967295]}"#;
        assert_eq!(line, expected);
        assert_eq!(serde_json::from_str::<SignatureRecord>(&line).unwrap(), record);
        let empty = r#"{"id":{"bytes":"/w=="},"shingles":0,"text_hash":null,"keys":[]}"#;
        assert_eq!(serde_json::to_string(&serde_json::from_str::<SignatureRecord>(empty).unwrap()).unwrap(), empty);
        for wrong in ["\"1\"", "\"000000000000000g\"", "1"] {
            assert!(serde_json::from_str::<SignatureRecord>(&empty.replace("[]", &format!("[{wrong}]"))).is_err());
        }
    }
}
