//! Adapts the libraries' decoders to one trait that decodes step by step. A step reports its progress even when it
//! fails.

use liblzma::stream::{Action, Status as XzStatus, Stream};
use zlib_rs::{InflateFlush, Status as InflateStatus};
use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, get_error_name};

/// Memory that reading an .xz file may need, unless a larger window is allowed; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 1 << 30;
/// Memory that xz needs in addition to its window.
const XZ_REST: u64 = 1 << 20;

/// The start of the fault about a window above the maximum. If known, the smallest sufficient size follows.
pub(in crate::documents::input) const LARGE_WINDOW: &str = "the window is larger than allowed:";

/// Decodes one part of a stream after another.
pub(super) trait Coder: Send {
    /// Decodes some of `input` into `output`.
    ///
    /// * `input`: the next bytes; empty at the end of the stream.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CoderStep;

    /// Starts another part; returns `false` when the format has only one.
    fn restart(&mut self) -> bool;

    /// The fault of an input that ends within a part.
    fn cut_short(&self) -> &'static str;
}

/// The progress of a step.
pub(super) struct CoderStep {
    /// Bytes of the input that were consumed.
    pub(super) read: usize,
    /// Bytes of the output that were written.
    pub(super) written: usize,
    /// Whether the part has ended, or what is wrong with it.
    pub(super) result: Result<bool, String>,
}

/// Decodes gzip, or the deflate data inside it.
pub(super) struct Inflate {
    state: zlib_rs::Inflate,
    is_gzip: bool,
}

impl Inflate {
    /// The largest window of deflate, as a power of two.
    const WINDOW_BITS: u8 = 15;
    /// The value that is added to `WINDOW_BITS` for data with a gzip header.
    const GZIP: u8 = 16;

    pub(super) fn gzip() -> Self {
        Self { state: zlib_rs::Inflate::new(true, Self::GZIP + Self::WINDOW_BITS), is_gzip: true }
    }

    pub(super) fn raw() -> Self {
        Self { state: zlib_rs::Inflate::new(false, Self::WINDOW_BITS), is_gzip: false }
    }
}

impl Coder for Inflate {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CoderStep {
        let state = &mut self.state;
        let (before_in, before_out) = (state.total_in(), state.total_out());
        let result = state.decompress(input, output, InflateFlush::NoFlush);
        let result = match result {
            Ok(status) => Ok(status == InflateStatus::StreamEnd),
            Err(error) => Err(match state.error_message() {
                Some("incorrect header check") => "invalid gzip header".to_owned(),
                Some(message) => message.to_owned(),
                None => error.as_str().to_owned(),
            }),
        };
        CoderStep {
            read: (state.total_in() - before_in) as usize,
            written: (state.total_out() - before_out) as usize,
            result,
        }
    }

    fn restart(&mut self) -> bool {
        if self.is_gzip {
            *self = Self::gzip();
        }
        self.is_gzip
    }

    fn cut_short(&self) -> &'static str {
        "incomplete deflate stream"
    }
}

pub(super) struct Zstd {
    state: DCtx<'static>,
    /// Input bytes that the library wants next: up to the next step of the frame, including the header of the following
    /// block.
    wanted: usize,
    /// Whether decoded bytes may be left that did not fit into the output.
    is_full: bool,
    /// The first bytes of the frame.
    start: Vec<u8>,
}

impl Zstd {
    /// Bytes of the header of a block.
    const HEADER: usize = 3;
    /// Minimum bytes at the start of a frame.
    const START: usize = 5;

    /// Maximum bytes of the header of a frame.
    const FRAME_HEADER: usize = 18;

    /// * `max_window`: maximum window in bytes; the format allows at most 2 GiB.
    pub(super) fn new(max_window: u64) -> std::io::Result<Self> {
        let fault = |code| std::io::Error::other(get_error_name(code));
        let mut state = DCtx::try_create().ok_or(std::io::ErrorKind::OutOfMemory)?;
        state.init().map_err(fault)?;
        let max_window = max_window.clamp(1 << 10, 1 << 31);
        state.set_parameter(DParameter::WindowLogMax(max_window.ilog2())).map_err(fault)?;
        Ok(Self { state, wanted: Self::START, is_full: false, start: Vec::new() })
    }
}

impl Coder for Zstd {
    /// A failing call does not report the bytes that it wrote before. So the header of a block, which may be invalid,
    /// and the block before it are never passed to the same call.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CoderStep {
        let most = if self.wanted > Self::HEADER { self.wanted - Self::HEADER } else { self.wanted.max(1) };
        let most = if self.is_full { 0 } else { most };
        let (mut from, mut to) = (InBuffer::around(&input[..input.len().min(most)]), OutBuffer::around(&mut *output));
        let result = self.state.decompress_stream(&mut to, &mut from);
        let (read, written) = (from.pos(), to.pos());
        let missing = Self::FRAME_HEADER - self.start.len();
        self.start.extend_from_slice(&input[..input.len().min(most).min(missing)]);
        self.wanted = result.unwrap_or(Self::START);
        let was_full = std::mem::replace(&mut self.is_full, result.is_ok() && written == output.len());
        if was_full && written == 0 && result.is_ok_and(|wanted| wanted > 0) {
            // No output was left, so this step continues with input.
            return self.step(input, output);
        }
        let result = result.map(|wanted| wanted == 0).map_err(|code| match get_error_name(code) {
            fault if fault.contains("too much memory") => {
                let window = window_of(&self.start).map_or(String::new(), |window| window.to_string());
                format!("{LARGE_WINDOW}{window}")
            }
            fault => fault.to_owned(),
        });
        CoderStep { read, written, result }
    }

    fn restart(&mut self) -> bool {
        (self.wanted, self.is_full) = (Self::START, false);
        self.start.clear();
        self.state.reset(ResetDirective::SessionOnly).is_ok()
    }

    fn cut_short(&self) -> &'static str {
        "incomplete frame"
    }
}

/// The window size of a frame, by its header (RFC 8878, 3.1.1.1).
fn window_of(frame: &[u8]) -> Option<u64> {
    let (&descriptor, rest) = frame.get(4..)?.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    if is_single_segment {
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let mut size = [0; 8];
        // The size of the content, which is the window size. A size of fewer than four bytes is never too large.
        let len = 1 << (descriptor >> 6);
        size[..len].copy_from_slice(rest.get(dictionary..dictionary + len)?);
        return (len >= 4).then(|| u64::from_le_bytes(size));
    }
    let base = 1_u64 << (10 + (rest.first()? >> 3));
    Some(base + base / 8 * u64::from(rest.first()? & 7))
}

pub(super) struct Bzip2(bzip2::Decompress);

impl Bzip2 {
    pub(super) fn new() -> Self {
        Self(bzip2::Decompress::new(false))
    }
}

impl Coder for Bzip2 {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CoderStep {
        let state = &mut self.0;
        let (before_in, before_out) = (state.total_in(), state.total_out());
        let result = state.decompress(input, output);
        CoderStep {
            read: (state.total_in() - before_in) as usize,
            written: (state.total_out() - before_out) as usize,
            result: result.map(|status| status == bzip2::Status::StreamEnd).map_err(|error| error.to_string()),
        }
    }

    fn restart(&mut self) -> bool {
        *self = Self::new();
        true
    }

    fn cut_short(&self) -> &'static str {
        "incomplete bzip2 stream"
    }
}

/// Decodes .xz and the older .lzma format.
pub(super) struct Lzma(Stream);

impl Lzma {
    pub(super) fn xz(max_window: u64) -> std::io::Result<Self> {
        // The library reads all concatenated parts without a restart.
        Ok(Self(Stream::new_stream_decoder(XZ_MEMORY.max(max_window + XZ_REST), liblzma::stream::CONCATENATED)?))
    }

    pub(super) fn alone(max_window: u64) -> std::io::Result<Self> {
        Ok(Self(Stream::new_lzma_decoder(XZ_MEMORY.max(max_window + XZ_REST))?))
    }
}

impl Coder for Lzma {
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> CoderStep {
        let state = &mut self.0;
        let (before_in, before_out) = (state.total_in(), state.total_out());
        let action = if input.is_empty() { Action::Finish } else { Action::Run };
        let result = state.process(input, output, action);
        CoderStep {
            read: (state.total_in() - before_in) as usize,
            written: (state.total_out() - before_out) as usize,
            result: result.map(|status| status == XzStatus::StreamEnd).map_err(|error| match error {
                liblzma::stream::Error::MemLimit => LARGE_WINDOW.to_owned(),
                error => error.to_string(),
            }),
        }
    }

    fn restart(&mut self) -> bool {
        false
    }

    fn cut_short(&self) -> &'static str {
        "incomplete xz stream"
    }
}
