//! Turns flags into the settings of the library; one file for each stage. Flags of one command only are in the file of
//! that command in `commands/`.
//!
//! A flag is one field: its doc comment is the text of `--help`, its parser checks the value, and its default comes from
//! the settings of the stage. The entry of a flag in `cli/registry.rs` has its line of `-h`, and says how the flag goes with
//! saved results, settings files and indexes. `help/screens.rs` has the flags of each `-h`.

mod against;
pub(crate) mod banding;
mod choice;
mod color;
mod cut;
mod file_reading;
mod filters;
mod forecast;
mod format;
mod gate;
mod groups;
mod index;
mod input;
mod kept_names;
mod linkage;
mod matching;
mod result_settings;
mod method;
mod passages;
mod overlaps;
mod pipe;
mod preset;
mod removal;
mod resources;
mod run;
mod saved;
mod shingles;
mod sign;
mod times;
mod unit;
pub(crate) mod values;
mod verbosity;
mod view;
mod write;

pub(crate) use self::against::{AgainstFlags, OldFlags};
pub(crate) use self::choice::{ChoiceFlags, RepresentativeFlags};
pub(crate) use self::color::Color;
pub(crate) use self::cut::{CutFlags, not_with_cut};
pub(crate) use self::file_reading::FileReadingFlags;
pub(crate) use self::filters::{FilterFlags, GroupFilterFlags, SortableNumbers};
pub(crate) use self::forecast::{ForecastFlags, ForecastShare, share};
pub(crate) use self::format::{FormatArg, FormatFlags, ReportLook, page_format};
pub(crate) use self::gate::{FailOver, GateFlags};
pub(crate) use self::groups::GroupFlags;
pub(crate) use self::index::{ContainmentFlags, KnownFlags, TextStorageFlags, WaitFlags};
pub(crate) use self::input::InputFlags;
pub(crate) use self::kept_names::KeptNamesFlags;
pub(crate) use self::linkage::LINKAGES;
pub(crate) use self::overlaps::OverlapFlags;
pub(crate) use self::passages::PassageLengthFlags;
pub(crate) use self::pipe::{PipeFlags, other_flag};
pub(crate) use self::preset::Preset;
pub(crate) use self::removal::RemovalFlags;
pub(crate) use self::resources::{ResourceFlags, ThreadFlags};
pub(crate) use self::result_settings::{
    KEPT_OF_INDEX, MethodAndShingleFlags, ResultSettingsFlags, for_building, for_using,
};
pub(crate) use self::run::{RunFlags, own_files};
pub(crate) use self::saved::{ResultArgument, SavedFlags};
pub(crate) use self::shingles::ShingleFlags;
pub(crate) use self::sign::SignFlags;
pub(crate) use self::times::{TimeSource, TimesFlags};
pub(crate) use self::unit::UnitFlags;
pub(crate) use self::verbosity::VerbosityFlags;
pub(crate) use self::view::{ViewFlags, columns, rows};
pub(crate) use self::write::WriteFlags;
