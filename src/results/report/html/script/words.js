// Words: shares, counts and names, as people read them.

/** Characters that are not seen, or that show a text otherwise than it is. Joiners are part of emoji and of scripts. */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;

/** A share in millionths as percent with one decimal, never rounded up. */
function percent(millionths) {
  const tenths = Math.floor(millionths / 1000);
  return tenths % 10 ? `${Math.floor(tenths / 10)}.${tenths % 10} %` : `${tenths / 10} %`;
}

/** A number with commas between thousands, and what there are so many of. */
function counted(number, one) {
  const digits = String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  return one === undefined ? digits : `${digits} ${one}${number === 1 ? "" : "s"}`;
}

/** A time in seconds since 1970 as a day and a minute of UTC. */
function shownTime(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

/** Which of two documents is older, as a clause; empty where that is not known. `dated`: the times are not only those of files. */
function olderClause(one, other, dated) {
  if (!(one >= 0) || !(other >= 0) || one === other) return "";
  const older = one < other ? "first" : "second";
  return `the ${dated ? "" : "file of the "}${older} is older, ${shownTime(Math.min(one, other))} to ${shownTime(Math.max(one, other))} UTC`;
}

/** A text in parts: strings, and objects with the code of a character that is not seen. */
function visibleParts(text) {
  if (!UNSEEN.test(text)) return text === "" ? [] : [text];
  const parts = [];
  let run = "";
  for (const c of text) {
    if (UNSEEN.test(c)) {
      if (run) parts.push(run);
      run = "";
      parts.push({ code: c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") });
    } else {
      run += c;
    }
  }
  if (run) parts.push(run);
  return parts;
}

/** A name as one line: what is not seen is written as an escape. */
function shownName(name) {
  return visibleParts(name.replace(/[\t\n\r]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`))
    .map((part) => (typeof part === "string" ? part : `\\u{${part.code.toLowerCase()}}`))
    .join("");
}

/** The characters at the beginning and at the end that two names have in common, and that do not overlap in either. */
function commonEnds(one, other) {
  const most = Math.min(one.length, other.length);
  const isHalf = (text, at) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  if (isHalf(one, start) || isHalf(other, start)) start -= 1;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  if (isHalf(one, one.length - end)) end -= 1;
  return [start, end];
}

/** The folder of a name, with its slash, and the rest. */
function splitName(name) {
  const slash = name.lastIndexOf("/") + 1;
  return [name.slice(0, slash), name.slice(slash)];
}
