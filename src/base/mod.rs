//! Small tools that know no documents: containers, errors, memory and storage.
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `flat` | Containers that hold many values in few allocations. |
//! | `shown` | A name from an input in; the same name, safe to print on a terminal, out. |
//! | `scripts` | A character in; whether its script separates words by spaces out. |
//! | `setting` | A setting in; its name in messages out, which a program may choose. |
//! | `problem` | A fault that costs a run one input. |
//! | `error` | An error that ends a run, as one line that says what to do. |
//! | `memory` | The memory that the process may use, and the share of it for each pass. |
//! | `storage` | Records in; the distinct records, sorted, out. Records that exceed the memory go to temporary files. |
//! | `hand_over` | A thread that makes values, and one that uses them. |
//! | `observe` | The observer that follows the progress of a run. |

pub(crate) mod flat;
pub(crate) mod shown;
pub(crate) mod scripts;
pub(crate) mod setting;
pub(crate) mod problem;
pub(crate) mod error;
pub(crate) mod memory;
pub(crate) mod storage;
pub(crate) mod hand_over;
pub(crate) mod observe;

pub use self::error::{
    CorpusError, Error, ExchangeError, IndexError, ReadingDifference, Result, TextObstacle, WeightsError,
};
pub use self::flat::offset_map::OffsetMap;
pub use self::memory::{MemoryPlan, Resources, is_allocating_table, is_asking_for_memory, tables_may_be_on_disk};
pub use self::observe::{DiskForecast, MemoryForecast, Observer, Stage, Unwatched};
pub use self::problem::{BinaryKind, Problem, Reason};
pub use self::setting::{Setting, name_settings};
pub use self::shown::{shown, shown_lines, system_words};
