//! `dedup mcp`: answers coding agents and editors on standard input and output, by the Model Context
//! Protocol (modelcontextprotocol.io, the transport over standard streams).
//!
//! A message is one line of JSON-RPC 2.0. The protocol's own crate brings an asynchronous runtime, which a server with
//! one client and three tools does not need.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use dedup_scan::base::IndexError;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::OwnFiles;
use dedup_scan::index::{
    AddWhat, FollowedLine, IndexSettings, KnownName, OpenIndex, QuerySettings, TextStorage, build_index, index_info,
    index_settings,
};
use dedup_scan::records::push_json;
use dedup_scan::results::ExplanationRecord;
use dedup_scan::{Error, MatchSettings, Settings, ShingleKind};
use serde::Deserialize;
use serde_json::{Value, json};

use super::destination::LineOutput;
use super::indexed_texts::{IndexedText, can_be_explained, explain_texts, temporary_folder};
use super::stdin_lines::StdinLines;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{KeptNamesFlags, Preset, ResultSettingsFlags, for_building};
use crate::cli::interrupt::{self, Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::{self, Failure, Reporter, Result};

/// The versions of the protocol that this server speaks, the latest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// The number of similar documents in an answer by default.
const LIMIT: usize = 10;
/// The maximum length of a message.
const MESSAGE_BYTES: usize = 64 << 20;
/// How long to wait for another process that writes to the index.
const WAIT: Duration = Duration::from_secs(10);
/// How often the server looks for a signal while it waits for a message.
const TICK: Duration = Duration::from_millis(100);

/// Answer coding agents and editors by the Model Context Protocol
///
/// Reads and writes messages on standard input and output until standard input ends. The tool `similar_to` finds the
/// documents that are similar to a text, with their passages, and `explain` compares two documents or texts. With an
/// index the tool `add` adds a text to it. With files and folders `dedup` makes a temporary index of them first. The
/// network is not used.
#[derive(Debug, Args)]
#[command(mut_args(for_building), after_help = ExitCode::help(None))]
pub(crate) struct McpCommand {
    #[command(flatten)]
    flags: ResultSettingsFlags,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// A request or a notification.
#[derive(Deserialize)]
struct RpcMessage {
    method: String,
    #[serde(default)]
    params: Value,
    /// Absent for a notification, which is not answered.
    id: Option<Value>,
}

/// An error of the protocol: its code and a message.
struct ProtocolError(i32, String);

/// Why a tool failed, in words for a caller that can give no flags and run no commands.
struct ToolFault(String);

impl From<Error> for ToolFault {
    fn from(error: Error) -> Self {
        Self(match error {
            Error::Index(IndexError::Busy { .. }) => {
                "another process writes to the index; call the tool again later".to_owned()
            }
            error => error.to_string(),
        })
    }
}

impl From<Failure> for ToolFault {
    fn from(failure: Failure) -> Self {
        Self(failure.to_string())
    }
}

/// The arguments of `similar_to`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SimilarTo {
    text: Option<String>,
    name: Option<String>,
    limit: Option<NonZeroUsize>,
}

/// The arguments of `explain`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explain {
    a: Option<String>,
    b: Option<String>,
    text_a: Option<String>,
    text_b: Option<String>,
}

/// The arguments of `add`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    name: String,
    text: String,
}

/// The documents that tools search and compare.
struct Server {
    index: PathBuf,
    open: OpenIndex,
    /// The settings of the index, without inputs.
    settings: Settings,
    passages: Option<PassageSettings>,
    /// The limits on passages, if documents are found by them.
    matching: Option<MatchSettings>,
    num_documents: u64,
    can_add: bool,
    /// Whether two texts can be compared as the index does it: it knows its templates only by their shingles.
    can_explain: bool,
    /// Contains a temporary index, and is deleted with the server.
    _folder: Option<tempfile::TempDir>,
}

impl McpCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(self, given: &[String]) -> Result<ExitCode> {
        if self.flags.input.paths.iter().any(|path| path == Path::new("-")) {
            return Err(Failure::new(
                "-: standard input has the messages of the agent; give files, folders or an index",
            ));
        }
        let mut lines = StdinLines::open(MESSAGE_BYTES)?;
        let mut output = LineOutput::open(None, &mut OwnFiles::default(), true)?;
        signal_leaves(Left::Nothing);
        cancelled_by_signals(|| -> Result<()> {
            let mut server = self.server(given)?;
            if !self.quiet {
                let documents = messages::counted(server.num_documents, "document");
                messages::line(&format!("dedup: note: ready: {documents}"));
            }
            let mut answer = Vec::new();
            loop {
                let line = match lines.next(TICK) {
                    FollowedLine::Line(line) => line,
                    FollowedLine::Waiting if interrupt::cancel().is_cancelled() => return Err(Error::Cancelled.into()),
                    FollowedLine::Waiting => continue,
                    FollowedLine::End => return Ok(()),
                };
                if let Some(reply) = server.reply(&line) {
                    answer.clear();
                    push_json(&mut answer, &reply);
                    answer.push(b'\n');
                    output.write_all(&answer).and_then(|()| output.flush()).map_err(Failure::output)?;
                }
            }
        })?;
        lines.finish()?;
        Ok(ExitCode::Complete)
    }

    fn server(&self, given: &[String]) -> Result<Server> {
        let paths = &self.flags.input.paths;
        let existing = match paths.as_slice() {
            [path] if path.is_file() && index_settings(path).is_ok() => Some(path.clone()),
            _ => None,
        };
        let is_existing = existing.is_some();
        let (index, _folder) = match existing {
            Some(index) => {
                self.flags.settings_for(&index, given, self.quiet)?;
                (index, None)
            }
            None => {
                self.flags.texts.check_preset_of_index()?;
                let mut settings = self.flags.settings(self.quiet)?;
                settings.pairs.kept_names = self.kept_names.size(self.flags.texts.preset(), settings.shingles.kind());
                let folder = temporary_folder()?;
                let index = folder.path().join("documents.index");
                let containment = self.flags.texts.preset().and_then(Preset::sample_rate);
                let built = IndexSettings { containment, ..IndexSettings::default() };
                let build = |reporter: &Reporter| build_index(&index, built, &settings, reporter);
                let summary = Reporter::watch(self.quiet, build)?;
                self.flags.warn(&summary);
                (index, Some(folder))
            }
        };
        let settings = index_settings(&index)?;
        let kind = settings.shingles.kind();
        let passages = (kind != ShingleKind::Set).then(|| PassageSettings::of(kind)).transpose()?;
        let matching = self.flags.matching(&index, &settings, passages, self.quiet)?;
        let query = QuerySettings { index: index.clone(), passages, matching, ..QuerySettings::default() };
        let info = index_info(&index)?;
        // An index that refers to texts in files cannot contain a text that is in no file.
        let can_add = is_existing && info.text_storage == TextStorage::Keep;
        let can_explain = can_be_explained(&index)?;
        let (open, num_documents) = (OpenIndex::open(&query)?, info.documents);
        Ok(Server { index, open, settings, passages, matching, num_documents, can_add, can_explain, _folder })
    }
}

impl Server {
    /// The reply to a message; `None` for a notification.
    fn reply(&mut self, line: &[u8]) -> Option<Value> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let refusal = |code: i32, text: &str| {
            Some(json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}}))
        };
        if line.len() > MESSAGE_BYTES {
            return refusal(-32600, "the message is longer than 64 MiB; send a shorter text");
        }
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => {
                return refusal(-32700, &format!("the line is not JSON ({error}); send one message in each line"));
            }
        };
        let Ok(RpcMessage { method, params, id }) = serde_json::from_value(message) else {
            return refusal(-32600, "the line is not a request of JSON-RPC 2.0; send an object with method and id");
        };
        let result = self.result(&method, &params);
        let id = id?;
        Some(match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(ProtocolError(code, text)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
            }
        })
    }

    fn result(&mut self, method: &str, params: &Value) -> std::result::Result<Value, ProtocolError> {
        match method {
            "initialize" => {
                let wanted = params["protocolVersion"].as_str().unwrap_or_default();
                let version = VERSIONS.iter().find(|&&version| version == wanted).unwrap_or(&VERSIONS[0]);
                Ok(json!({
                    "protocolVersion": version,
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "dedup", "version": env!("CARGO_PKG_VERSION")},
                    "instructions": "Ask similar_to before you write something that may exist already; every similarity is exact.",
                }))
            }
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": self.tools()})),
            "tools/call" => {
                let name = params["name"].as_str().unwrap_or_default();
                let arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
                self.call(name, arguments)
            }
            method if method.starts_with("notifications/") => Ok(Value::Null),
            method => Err(ProtocolError(-32601, format!("{method}: no such method"))),
        }
    }

    /// The descriptions of the tools.
    fn tools(&self) -> Vec<Value> {
        let text = |about: &str| json!({"type": "string", "description": about});
        let mut tools = vec![json!({
            "name": "similar_to",
            "description": "Find the documents that are similar to a text, or to a document of this collection. Each has its exact Jaccard similarity, and the passages that both contain, with lines and bytes.",
            "inputSchema": {"type": "object", "properties": {
                "text": text("The text to look for."),
                "name": text("The name of a document of the collection, instead of a text."),
                "limit": {"type": "integer", "minimum": 1, "description": "The maximum number of documents, the most similar first; 10 by default."},
            }},
            "annotations": {"readOnlyHint": true, "openWorldHint": false},
        })];
        if self.can_explain {
            tools.push(json!({
                "name": "explain",
                "description": "Compare two documents or texts exactly: similarity, containment of each in the other, passages, and why they are or are not reported as similar.",
                "inputSchema": {"type": "object", "properties": {
                    "a": text("The name of the first document."), "text_a": text("The first text, instead of a name."),
                    "b": text("The name of the second document."), "text_b": text("The second text, instead of a name."),
                }},
                "annotations": {"readOnlyHint": true, "openWorldHint": false},
            }));
        }
        if self.can_add {
            tools.push(json!({
                "name": "add",
                "description": "Add a text to the index, so that later calls find it.",
                "inputSchema": {"type": "object", "required": ["name", "text"], "properties": {
                    "name": text("The name of the new document, such as its path."), "text": text("Its text."),
                }},
                "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
            }));
        }
        tools
    }

    /// The result of a tool. A failure is a result too, so that the agent reads what to do.
    fn call(&mut self, name: &str, arguments: Value) -> std::result::Result<Value, ProtocolError> {
        fn read<T: serde::de::DeserializeOwned>(arguments: Value) -> Result<T, ToolFault> {
            serde_json::from_value(arguments).map_err(|error| ToolFault(format!("arguments: {error}")))
        }
        let done = match name {
            "similar_to" => read(arguments).and_then(|arguments| self.similar_to(arguments)),
            "explain" if self.can_explain => read(arguments).and_then(|arguments| self.explain(&arguments)),
            "add" if self.can_add => read(arguments).and_then(|arguments| self.add(&arguments)),
            name => return Err(ProtocolError(-32602, format!("{name}: no such tool"))),
        };
        Ok(match done {
            Ok(result) => {
                json!({"content": [{"type": "text", "text": result.to_string()}], "structuredContent": result})
            }
            Err(ToolFault(text)) => json!({"content": [{"type": "text", "text": text}], "isError": true}),
        })
    }

    fn similar_to(&mut self, SimilarTo { text, name, limit }: SimilarTo) -> Result<Value, ToolFault> {
        let text = self.text("text", text.as_deref(), "name", name.as_deref())?;
        let result = self.open.search(None, &text)?;
        let own = name.as_deref().unwrap_or_default().as_bytes();
        let mut matches: Vec<_> = result.matches.into_iter().filter(|found| found.b.to_bytes() != own).collect();
        matches.sort_by(|one, other| other.matched.cmp(&one.matched).then(other.jaccard.total_cmp(&one.jaccard)));
        let total = matches.len();
        matches.truncate(limit.map_or(LIMIT, NonZeroUsize::get));
        let stale: Vec<String> = result.stale.iter().map(ToString::to_string).collect();
        let mut result = json!({"matches": matches, "total": total});
        match self.matching {
            Some(matching) => result["coverage"] = json!(matching.coverage.value()),
            None => result["threshold"] = json!(self.settings.pairs.threshold.value()),
        }
        if !stale.is_empty() {
            result["not_compared"] = json!(stale);
        }
        Ok(result)
    }

    fn explain(&self, arguments: &Explain) -> Result<Value, ToolFault> {
        let a = self.text("text_a", arguments.text_a.as_deref(), "a", arguments.a.as_deref())?;
        let b = self.text("text_b", arguments.text_b.as_deref(), "b", arguments.b.as_deref())?;
        let named = |name: &Option<String>, text: String| {
            let name = name.as_deref().unwrap_or("the given text");
            IndexedText { name: name.into(), text: text.into() }
        };
        let texts = [named(&arguments.a, a), named(&arguments.b, b)];
        let explained = explain_texts(&self.settings, self.passages, texts)?;
        Ok(serde_json::to_value(ExplanationRecord::new(&explained)).expect("a record is JSON"))
    }

    fn add(&mut self, Add { name, text }: &Add) -> Result<Value, ToolFault> {
        let query = QuerySettings {
            index: self.index.clone(),
            add: AddWhat::All,
            known: KnownName::Error,
            wait: WAIT,
            ..QuerySettings::default()
        };
        let mut index = OpenIndex::open(&query)?;
        let result = index.search(Some(name), text)?;
        index.commit()?;
        Ok(json!({"added": result.added, "is_there": result.added || result.is_there}))
    }

    /// A text that is given, or the text of a document of the collection.
    ///
    /// * `of_text`, `of_name`: the arguments of the tool, for messages.
    fn text(&self, of_text: &str, text: Option<&str>, of_name: &str, name: Option<&str>) -> Result<String, ToolFault> {
        match (text, name) {
            (Some(text), None) => Ok(text.to_owned()),
            (None, Some(name)) => {
                let found = IndexedText::find(&self.index, name.as_bytes())?.ok_or_else(|| {
                    ToolFault(format!("{of_name}: no document has the name {name}; give {of_text} instead"))
                })?;
                Ok(String::from_utf8_lossy(&found.text).into_owned())
            }
            _ => Err(ToolFault(format!("{of_text}: give one of {of_text} and {of_name}"))),
        }
    }
}
