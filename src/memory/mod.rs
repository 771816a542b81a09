//! Memory: how much this process may take, and room for tables that grow with the corpus.
//!
//! Nothing here fails because something cannot be told: what is not known is no limit.

mod control_group;
mod limit;
mod plan;
mod resources;
mod room;

pub(crate) use self::limit::limit;
pub use self::plan::MemoryPlan;
pub use self::resources::Resources;
pub(crate) use self::room::{ask_for, no_room, reserve, reserve_exact};
