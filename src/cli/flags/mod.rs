//! Flags: every flag is one field with its help, its default and its check, and each set of flags turns into the settings of
//! one stage.

mod against;
pub(crate) mod banding;
mod groups;
mod input;
mod method;
mod removal;
mod resources;
mod shingles;
pub(crate) mod values;

pub(crate) use self::against::AgainstFlags;
pub(crate) use self::groups::GroupFlags;
pub(crate) use self::input::InputFlags;
pub(crate) use self::method::MethodFlags;
pub(crate) use self::removal::RemovalFlags;
pub(crate) use self::resources::ResourceFlags;
pub(crate) use self::shingles::ShingleFlags;
