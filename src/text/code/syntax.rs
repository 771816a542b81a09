//! `Syntax`: programming languages, and how to detect them from a file name or the first line of a script.

use std::fmt;
use std::str::FromStr;

macro_rules! syntaxes {
    ($($(#[$doc:meta])* $name:ident: $text:literal, [$($extension:literal),*],)*) => {
        /// A programming language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[repr(u8)]
        pub enum Syntax {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Syntax {
            /// All languages, in alphabetical order.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name of the language, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// The file name extensions of the language, in lower case.
            pub const fn extensions(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &[$($extension),*],)*
                }
            }
        }
    };
}

syntaxes! {
    /// C.
    C: "c", ["c", "h"],
    /// C++, including CUDA and Arduino sketches.
    Cpp: "cpp", ["cc", "cpp", "cu", "cuh", "cxx", "hh", "hpp", "hxx", "ino", "inl", "ipp", "tpp"],
    /// C#.
    CSharp: "csharp", ["cs", "csx"],
    /// Dart.
    Dart: "dart", ["dart"],
    /// Go.
    Go: "go", ["go"],
    /// Java.
    Java: "java", ["java"],
    /// JavaScript, including JSX.
    JavaScript: "javascript", ["cjs", "js", "jsx", "mjs"],
    /// Kotlin.
    Kotlin: "kotlin", ["kt", "kts"],
    /// Lua.
    Lua: "lua", ["lua"],
    /// PHP.
    Php: "php", ["php", "php3", "php4", "php5", "phtml"],
    /// Python.
    Python: "python", ["py", "pyi", "pyw", "pyx", "ipynb"],
    /// R.
    R: "r", ["r"],
    /// Ruby.
    Ruby: "ruby", ["gemspec", "rake", "rb"],
    /// Rust.
    Rust: "rust", ["rs"],
    /// Scala.
    Scala: "scala", ["sbt", "sc", "scala"],
    /// Shells: sh, Bash, Zsh, Ksh.
    Shell: "shell", ["bash", "ksh", "sh", "zsh"],
    /// SQL.
    Sql: "sql", ["ddl", "psql", "sql"],
    /// Swift.
    Swift: "swift", ["swift"],
    /// TypeScript, including TSX.
    TypeScript: "typescript", ["cts", "mts", "ts", "tsx"],
}

/// Extensions of compressed files, which are removed to find the extension of the content.
const COMPRESSIONS: [&str; 6] = ["bz2", "gz", "lz4", "xz", "z", "zst"];

impl Syntax {
    /// Detects the language of a file or record from the extension of its name or id.
    ///
    /// ```
    /// use dedup_scan::text::Syntax;
    ///
    /// assert_eq!(Syntax::of_name(b"lab1.tar.gz!ann/Main.java"), Some(Syntax::Java));
    /// assert_eq!(Syntax::of_name(b"run.py.gz"), Some(Syntax::Python));
    /// assert_eq!(Syntax::of_name(b"README"), None);
    /// ```
    pub fn of_name(name: &[u8]) -> Option<Self> {
        let file = name.rsplit(|byte| matches!(byte, b'/' | b'\\' | b'!')).next()?;
        let mut parts = file.rsplit(|&byte| byte == b'.').map(<[u8]>::to_ascii_lowercase);
        let mut extension = parts.next()?;
        if COMPRESSIONS.iter().any(|compression| extension == compression.as_bytes()) {
            extension = parts.next()?;
        }
        // A name without a dot has no extension.
        parts.next()?;
        Self::of_extension(std::str::from_utf8(&extension).ok()?)
    }

    fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|syntax| syntax.extensions().contains(&extension))
    }

    /// Detects the language of a script from the interpreter on its first line, as in `#!/usr/bin/env python3`.
    pub fn of_first_line(text: &str) -> Option<Self> {
        /// Maximum length of an interpreter line in bytes.
        const MOST: usize = 256;
        let line = text.trim_start_matches('\u{FEFF}').strip_prefix("#!")?;
        let line = line.as_bytes().get(..MOST).unwrap_or(line.as_bytes()).split(|&byte| byte == b'\n').next()?;
        let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
        let command = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
        let mut interpreter = command(words.next()?);
        if interpreter == "env" {
            interpreter = command(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
        }
        let interpreter = interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        Some(match interpreter {
            "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" => Self::Shell,
            "python" | "pypy" => Self::Python,
            "ruby" => Self::Ruby,
            "php" => Self::Php,
            "node" | "nodejs" => Self::JavaScript,
            "lua" | "luajit" => Self::Lua,
            "Rscript" => Self::R,
            _ => return None,
        })
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Syntax {
    type Err = String;

    /// Parses the name of a language, or one of its file name extensions.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.to_ascii_lowercase();
        let by_name = Self::ALL.iter().copied().find(|syntax| syntax.name() == text);
        by_name.or_else(|| Self::of_extension(&text)).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|syntax| syntax.name()).collect();
            format!("give a language: {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_of_one_language_each() {
        assert!(Syntax::ALL.is_sorted_by_key(|syntax| syntax.name()));
        let mut extensions: Vec<&str> = Syntax::ALL.iter().flat_map(|syntax| syntax.extensions()).copied().collect();
        extensions.sort_unstable();
        assert!(extensions.is_sorted_by(|a, b| a < b));
        for &syntax in Syntax::ALL {
            assert_eq!(syntax.name().parse(), Ok(syntax));
            assert_eq!(syntax.extensions()[0].to_uppercase().parse(), Ok(syntax));
            for extension in syntax.extensions() {
                assert_eq!(Syntax::of_name(format!("a/b.{extension}").as_bytes()), Some(syntax));
            }
        }
        assert!("cobol".parse::<Syntax>().unwrap_err().starts_with("give a language: c, cpp, csharp"));
    }

    #[test]
    fn a_name_without_a_known_extension_has_no_language() {
        for name in ["", "c", "py", "a.txt", "a.py/b", "a.c/", ".", "x.", "x.gz", "gz", "py.gz", "a.py\u{e9}"] {
            assert_eq!(Syntax::of_name(name.as_bytes()), None, "{name}");
        }
        assert_eq!(Syntax::of_name(b"\xFF.py"), Some(Syntax::Python));
        assert_eq!(Syntax::of_name(b"a.\xFF"), None);
        assert_eq!(Syntax::of_name(b"A.PY.XZ"), Some(Syntax::Python));
        assert_eq!(Syntax::of_name(b".rs"), Some(Syntax::Rust));
    }

    #[test]
    fn a_script_names_its_interpreter() {
        let check = |text, expected| assert_eq!(Syntax::of_first_line(text), expected, "{text}");
        check("#!/bin/sh -e\nx", Some(Syntax::Shell));
        check("#! /usr/bin/env -S A=1 python3.11 -u\n", Some(Syntax::Python));
        check("\u{FEFF}#!/usr/local/bin/ruby", Some(Syntax::Ruby));
        check("#!/usr/bin/perl\n", None);
        check("#!\n", None);
        check("# !/bin/sh", None);
        check(&format!("#!{}", "é".repeat(1000)), None);
    }
}
