//! Memory: how much this process may use, how a run divides it, and allocations that fail with an error.
//!
//! A limit that cannot be detected counts as no limit; it is never an error.

mod control_group;
mod kernel;
mod limit;
mod plan;
mod resources;
mod room;
mod table_disk;

pub(crate) use self::kernel::give_back_freed;
pub(crate) use self::limit::limit;
pub use self::plan::MemoryPlan;
pub use self::resources::Resources;
pub(crate) use self::room::{ask_for, asking, asking_for_table, no_room, reserve, reserve_exact, reserve_share, table};
pub use self::room::{is_allocating_table, is_asking_for_memory};
pub(crate) use self::table_disk::has_table_disk;
pub use self::table_disk::tables_may_be_on_disk;
