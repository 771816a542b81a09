//! Documents: what every stage after reading knows about them.
//!
//! `id` numbers documents, `table` has a row for each, `located` holds where to read one again, and `origin` where it
//! comes from. `markup` is the markup that it is read without. `offsets_of` says which bytes offsets in a document count. `group_by` and `scope` decide which documents
//! are compared, `copies` finds documents with equal texts, and `value` orders documents by a field.

mod copies;
mod group_by;
mod unit_by;
mod id;
mod located;
mod markup;
mod offsets_of;
mod origin;
mod scope;
mod table;
mod value;

pub(crate) use self::group_by::host_of;
pub use self::group_by::{GroupBy, GroupSettings};
pub use self::id::DocId;
pub(crate) use self::id::DocSet;
pub(crate) use self::located::{DocumentLocation, Kept, KeptForm, LocatedList};
pub(crate) use self::markup::Markup;
pub use self::offsets_of::OffsetsOf;
pub(crate) use self::origin::Origins;
pub use self::origin::{Origin, Place};
pub(crate) use self::scope::{Bar, Groups, Scope};
pub use self::table::Documents;
pub use self::unit_by::UnitBy;
pub(crate) use self::value::FieldValue;
pub use self::value::{FieldOrder, ValueKind};
