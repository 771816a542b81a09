//! The keywords of each language, sorted, including built-in types and values that the language itself defines.

pub(super) const C: &[&str] = &[
    "NULL", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Generic", "_Noreturn", "_Static_assert", "auto", "bool",
    "break", "case", "char", "const", "continue", "default", "define", "defined", "do", "double", "elif", "else",
    "endif", "enum", "extern", "false", "float", "for", "goto", "if", "ifdef", "ifndef", "inline", "int", "long",
    "nullptr", "pragma", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
    "true", "typedef", "undef", "union", "unsigned", "void", "volatile", "while",
];

pub(super) const CPP: &[&str] = &[
    "NULL", "alignas", "alignof", "auto", "bool", "break", "case", "catch", "char", "class", "co_await", "co_return",
    "co_yield", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
    "default", "define", "defined", "delete", "do", "double", "dynamic_cast", "elif", "else", "endif", "enum",
    "explicit", "extern", "false", "final", "float", "for", "friend", "goto", "if", "ifdef", "ifndef", "inline", "int",
    "long", "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "override", "pragma", "private",
    "protected", "public", "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "undef", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
];

pub(super) const CSHARP: &[&str] = &[
    "abstract", "as", "async", "await", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class",
    "const", "continue", "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit",
    "extern", "false", "finally", "fixed", "float", "for", "foreach", "get", "goto", "if", "implicit", "in", "int",
    "interface", "internal", "is", "lock", "long", "namespace", "new", "null", "object", "operator", "out", "override",
    "params", "private", "protected", "public", "readonly", "record", "ref", "return", "sbyte", "sealed", "set",
    "short", "sizeof", "stackalloc", "static", "string", "struct", "switch", "this", "throw", "true", "try", "typeof",
    "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "var", "virtual", "void", "volatile", "where", "while",
    "yield",
];

pub(super) const DART: &[&str] = &[
    "abstract", "as", "assert", "async", "await", "base", "bool", "break", "case", "catch", "class", "const",
    "continue", "covariant", "default", "deferred", "do", "double", "dynamic", "else", "enum", "export", "extends",
    "extension", "external", "factory", "false", "final", "finally", "for", "get", "if", "implements", "import", "in",
    "int", "interface", "is", "late", "library", "mixin", "new", "null", "on", "operator", "part", "required",
    "rethrow", "return", "sealed", "set", "static", "super", "switch", "sync", "this", "throw", "true", "try",
    "typedef", "var", "void", "when", "while", "with", "yield",
];

pub(super) const GO: &[&str] = &[
    "any", "bool", "break", "byte", "case", "chan", "const", "continue", "default", "defer", "else", "error",
    "fallthrough", "false", "float32", "float64", "for", "func", "go", "goto", "if", "import", "int", "int16", "int32",
    "int64", "int8", "interface", "iota", "map", "nil", "package", "range", "return", "rune", "select", "string",
    "struct", "switch", "true", "type", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr", "var",
];

pub(super) const JAVA: &[&str] = &[
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if", "implements",
    "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private", "protected",
    "public", "record", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw",
    "throws", "transient", "true", "try", "var", "void", "volatile", "while", "yield",
];

pub(super) const JAVASCRIPT: &[&str] = &[
    "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "export", "extends", "false", "finally", "for", "function", "get", "if", "import", "in", "instanceof",
    "let", "new", "null", "of", "return", "set", "static", "super", "switch", "this", "throw", "true", "try", "typeof",
    "undefined", "var", "void", "while", "with", "yield",
];

pub(super) const TYPESCRIPT: &[&str] = &[
    "abstract", "any", "as", "asserts", "async", "await", "boolean", "break", "case", "catch", "class", "const",
    "continue", "debugger", "declare", "default", "delete", "do", "else", "enum", "export", "extends", "false",
    "finally", "for", "function", "get", "if", "implements", "import", "in", "infer", "instanceof", "interface", "is",
    "keyof", "let", "namespace", "never", "new", "null", "number", "of", "private", "protected", "public", "readonly",
    "return", "satisfies", "set", "static", "string", "super", "switch", "symbol", "this", "throw", "true", "try",
    "type", "typeof", "undefined", "unknown", "var", "void", "while", "with", "yield",
];

pub(super) const KOTLIN: &[&str] = &[
    "abstract", "annotation", "as", "break", "by", "catch", "class", "companion", "const", "constructor", "continue",
    "data", "do", "else", "enum", "false", "final", "finally", "for", "fun", "if", "import", "in", "infix", "init",
    "inline", "inner", "interface", "internal", "is", "lateinit", "null", "object", "open", "operator", "out",
    "override", "package", "private", "protected", "public", "return", "sealed", "super", "suspend", "tailrec", "this",
    "throw", "true", "try", "typealias", "val", "var", "vararg", "when", "where", "while",
];

pub(super) const LUA: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Keywords of PHP in lower case, because they are case-insensitive.
pub(super) const PHP: &[&str] = &[
    "abstract", "and", "array", "as", "bool", "break", "callable", "case", "catch", "class", "clone", "const",
    "continue", "declare", "default", "die", "do", "echo", "else", "elseif", "empty", "enddeclare", "endfor",
    "endforeach", "endif", "endswitch", "endwhile", "enum", "exit", "extends", "false", "final", "finally", "float",
    "fn", "for", "foreach", "function", "global", "goto", "if", "implements", "include", "include_once", "instanceof",
    "insteadof", "int", "interface", "isset", "list", "match", "mixed", "namespace", "new", "null", "or", "parent",
    "php", "print", "private", "protected", "public", "readonly", "require", "require_once", "return", "self", "static",
    "string", "switch", "throw", "trait", "true", "try", "unset", "use", "var", "void", "while", "xor", "yield",
];

pub(super) const PYTHON: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) const R: &[&str] = &[
    "FALSE", "Inf", "NA", "NULL", "NaN", "TRUE", "break", "else", "for", "function", "if", "in", "next", "repeat",
    "return", "while",
];

pub(super) const RUBY: &[&str] = &[
    "BEGIN", "END", "__FILE__", "__LINE__", "__method__", "alias", "and", "attr_accessor", "attr_reader", "attr_writer",
    "begin", "break", "case", "class", "def", "defined", "do", "else", "elsif", "end", "ensure", "extend", "false",
    "for", "if", "in", "include", "lambda", "loop", "module", "next", "nil", "not", "or", "private", "proc",
    "protected", "public", "raise", "redo", "rescue", "retry", "return", "self", "super", "then", "true", "undef",
    "unless", "until", "when", "while", "yield",
];

pub(super) const RUST: &[&str] = &[
    "Self", "as", "async", "await", "bool", "box", "break", "char", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "f32", "f64", "false", "fn", "for", "i128", "i16", "i32", "i64", "i8", "if", "impl", "in", "isize", "let",
    "loop", "macro_rules", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static", "str", "struct",
    "super", "trait", "true", "type", "u128", "u16", "u32", "u64", "u8", "union", "unsafe", "use", "usize", "where",
    "while",
];

pub(super) const SCALA: &[&str] = &[
    "abstract", "case", "catch", "class", "def", "do", "else", "enum", "extends", "false", "final", "finally", "for",
    "forSome", "given", "if", "implicit", "import", "lazy", "match", "new", "null", "object", "override", "package",
    "private", "protected", "return", "sealed", "super", "then", "this", "throw", "trait", "true", "try", "type",
    "using", "val", "var", "while", "with", "yield",
];

pub(super) const SHELL: &[&str] = &[
    "break", "case", "cd", "continue", "declare", "do", "done", "echo", "elif", "else", "esac", "eval", "exec", "exit",
    "export", "false", "fi", "for", "function", "if", "in", "local", "printf", "read", "readonly", "return", "select",
    "set", "shift", "test", "then", "trap", "true", "unset", "until", "while",
];

/// Keywords of SQL in lower case, because they are case-insensitive.
pub(super) const SQL: &[&str] = &[
    "add", "all", "alter", "and", "any", "as", "asc", "autoincrement", "avg", "begin", "between", "bigint", "boolean",
    "by", "cascade", "case", "cast", "char", "check", "coalesce", "column", "commit", "constraint", "count", "create",
    "cross", "current_timestamp", "database", "date", "decimal", "declare", "default", "delete", "desc", "distinct",
    "drop", "else", "end", "except", "exists", "explain", "false", "float", "foreign", "from", "full", "function",
    "grant", "group", "having", "if", "in", "index", "inner", "insert", "int", "integer", "intersect", "into", "is",
    "join", "key", "left", "like", "limit", "loop", "max", "min", "natural", "not", "null", "numeric", "offset", "on",
    "or", "order", "outer", "over", "partition", "primary", "procedure", "real", "recursive", "references", "replace",
    "return", "returns", "revoke", "right", "rollback", "row", "select", "set", "smallint", "sum", "table", "text",
    "then", "timestamp", "to", "transaction", "trigger", "true", "union", "unique", "update", "using", "values",
    "varchar", "view", "when", "where", "while", "with",
];

pub(super) const SWIFT: &[&str] = &[
    "Any", "Self", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
    "convenience", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "lazy", "let", "mutating", "nil", "open", "operator", "override", "private", "protocol", "public", "repeat",
    "required", "rethrows", "return", "self", "set", "some", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "weak", "where", "while",
];
