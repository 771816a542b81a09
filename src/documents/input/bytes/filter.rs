//! Filters: runs a program that extracts text from another format. The program reads the document on standard input and
//! writes the text to standard output.
//!
//! If a filter fails or runs too long, only its document is skipped.

use std::fs::File;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use wait_timeout::ChildExt;

use crate::base::problem::Reason;
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::documents::input::cancel::Cancel;
use crate::documents::input::messages::too_large;

/// Maximum bytes of a program's standard error that are kept for its first line.
const KEPT_STDERR: u64 = 4 << 10;
/// Maximum characters of that line that are shown.
const SHOWN: usize = 200;

/// Runs `command` on a document and returns its output of at most `limit` bytes.
///
/// * `document`: a file, because programs may seek in it, and need not read it at all.
///
/// # Errors
/// The reason why there is no output, as the end of a message.
pub(crate) fn run(
    cancel: &Cancel,
    command: &str,
    document: File,
    limit: u64,
    time_limit: Duration,
) -> Result<Vec<u8>, (Reason, String)> {
    let failed = |detail: String| (Reason::Filter, format!("the filter `{command}` {detail}; skipped"));
    let started = cancel.start(|| spawn(command, document));
    let mut running = started.map_err(|error| failed(format!("could not be started ({error})")))?;
    let child = &mut running.child;
    let start = Instant::now();

    let (send, outputs) = mpsc::channel();
    let stdout = child.stdout.take().expect("it is piped");
    let stderr = child.stderr.take().expect("it is piped");
    // A background process may keep a pipe open; the thread that reads it is then not waited for.
    let reading =
        read_aside(stdout, limit + 1, 0, send.clone()).and_then(|()| read_aside(stderr, KEPT_STDERR, 1, send));

    let mut read = [None, None];
    while reading.is_ok() && read.iter().any(Option::is_none) {
        match outputs.recv_timeout(time_limit.saturating_sub(start.elapsed())) {
            Ok((number, bytes)) => read[number] = Some(bytes),
            Err(_) => break,
        }
        // A program that writes more than the limit might never end.
        if matches!(&read[0], Some(Ok(output)) if output.len() as u64 > limit) {
            break;
        }
    }
    let is_too_large = matches!(&read[0], Some(Ok(output)) if output.len() as u64 > limit);
    let status = if read.iter().all(Option::is_some) && !is_too_large {
        child.wait_timeout(time_limit.saturating_sub(start.elapsed()))
    } else {
        Ok(None)
    };
    if !matches!(status, Ok(Some(_))) {
        running.end();
    }
    reading.map_err(|error| failed(format!("could not be read ({error})")))?;
    let [output, errors] = read;
    match output {
        Some(Ok(_)) if is_too_large => {
            return Err((Reason::TooLarge, format!("the filter `{command}` printed {}", too_large(limit))));
        }
        Some(Err(error)) => return Err(failed(format!("could not be read ({error})"))),
        _ => {}
    }
    match (status, output) {
        (Err(error), _) => Err(failed(format!("could not be waited for ({error})"))),
        (Ok(Some(status)), Some(Ok(output))) if status.success() => Ok(output),
        (Ok(Some(status)), Some(_)) => {
            let errors = errors.and_then(Result::ok).unwrap_or_default();
            Err(failed(how_it_failed(status, &errors)))
        }
        _ => {
            let seconds = time_limit.as_secs_f64();
            Err(failed(format!("took more than {seconds} s ({} allows more)", Setting::FilterTimeout)))
        }
    }
}

/// How a program failed, with the first line of its standard error.
fn how_it_failed(status: ExitStatus, errors: &[u8]) -> String {
    let errors = String::from_utf8_lossy(errors);
    match errors.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => {
            let line: String = line.chars().take(SHOWN).collect();
            format!("{}: {}", how_it_ended(status), shown(&line))
        }
        None => format!("{} without a message", how_it_ended(status)),
    }
}

fn how_it_ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    status.code().map_or("did not end by itself".to_owned(), |code| format!("ended with status {code}"))
}

fn spawn(command: &str, input: File) -> io::Result<Child> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    shell.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(command);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn read_aside(
    from: impl Read + Send + 'static,
    limit: u64,
    number: usize,
    send: mpsc::Sender<(usize, io::Result<Vec<u8>>)>,
) -> io::Result<()> {
    let read = move || {
        let (mut from, mut bytes) = (from, Vec::new());
        let read = (&mut from).take(limit).read_to_end(&mut bytes);
        // The receiver may have stopped waiting.
        let _ = send.send((number, read.map(|_| bytes)));
        // Read and discard the rest of standard error, so that the program does not block on a full pipe.
        if number == 1 {
            let _ = io::copy(&mut from, &mut io::sink());
        }
    };
    thread::Builder::new().spawn(read).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::documents::input::bytes::temporary;

    const LONG: Duration = Duration::from_secs(100);

    fn output(command: &str, document: &str) -> Result<String, String> {
        let output = run(&Cancel::default(), command, temporary::of(document.as_bytes()).unwrap(), 1000, LONG);
        output.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|(_, detail)| detail)
    }

    #[test]
    fn the_document_goes_in_and_the_text_comes_out() {
        assert_eq!(output("tr a-z A-Z | sed s/B/x/", "abc"), Ok("AxC".into()));
        assert_eq!(output("true", &"not read ".repeat(100_000)), Ok(String::new()));
        assert_eq!(output("head -c 300000 /dev/zero >&2; cat", "errors are no harm"), Ok("errors are no harm".into()));
    }

    #[test]
    fn what_fails_says_why() {
        let error = output("echo; echo 'no such page' >&2; echo more >&2; exit 3", "").unwrap_err();
        assert!(error.ends_with("ended with status 3: no such page; skipped"), "{error}");
        let error = output(r"printf 'a\033[31mb' >&2; exit 1", "").unwrap_err();
        assert!(error.ends_with(r"ended with status 1: a\u{1b}[31mb; skipped"), "{error}");
        let error = output("kill -9 $$", "").unwrap_err();
        assert!(error.ends_with("was ended by signal 9 without a message; skipped"), "{error}");
        assert!(output("exit 7", "").unwrap_err().ends_with("ended with status 7 without a message; skipped"));
        assert!(output("cat /dev/zero", "").unwrap_err().contains("printed more than 1000 bytes"));
    }

    #[test]
    fn what_does_not_end_is_ended_with_all_it_has_started() {
        let nothing = || temporary::of(b"").unwrap();
        let run = run(&Cancel::default(), "sleep 1000 & sleep 1000", nothing(), 1000, Duration::from_millis(50));
        assert!(run.unwrap_err().1.contains("took more than 0.05 s"));
        // The shell ends, but its background process does not and keeps the pipes open.
        let run = super::run(&Cancel::default(), "sleep 1000 & echo done", nothing(), 1000, Duration::from_millis(300));
        assert!(run.unwrap_err().1.contains("took more than"));
    }

    #[test]
    fn a_cancelled_run_ends_its_filters_and_starts_no_other() {
        let cancel = Cancel::default();
        let run = |command| run(&cancel, command, temporary::of(b"").unwrap(), 1000, LONG).unwrap_err().1;
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run("echo started; sleep 1000 & sleep 1000"));
            cancel.cancel_when_running();
            assert!(running.join().unwrap().contains("was ended by signal 9"));
        });
        assert!(run("true").contains("could not be started (the run was cancelled)"));
    }
}
