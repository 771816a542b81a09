//! Texts of a seed: words of several languages and scripts, and revisions of a text.

use crate::random::Random;

/// A way to write: the words that hold sentences together, and what all others are made of.
pub(crate) struct Language {
    glue: &'static str,
    syllables: &'static str,
    between_words: &'static str,
    sentence_end: &'static str,
}

pub(crate) const LANGUAGES: [Language; 8] = [
    Language {
        glue: "the of and to in that it was for on with as his they at be this from have or by one had not but what all \
               were when we there can an your which their said if do",
        syllables: "ba ker lin mo ster tun ri val do sen pel gra wi thor mul ket fen lo na quay",
        between_words: " ",
        sentence_end: ". ",
    },
    Language {
        glue: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er \
               hat dass sie nach wird bei einer um am sind noch wie einem über",
        syllables: "bär schö gen wal ter mün stra ße kü chen len tag zei tung hof brü cke ig wöl",
        between_words: " ",
        sentence_end: ". ",
    },
    Language {
        glue: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la mais \
               comme ou si leur y dont elle été",
        syllables: "bé cha lou ré mon tain fle ur çon nais où trê vi lle eau pié gran â ge",
        between_words: " ",
        sentence_end: " ! ",
    },
    Language {
        glue: "и в не на я быть он с что а по это она этот к но они мы весь который из у который то за свой ещё от бы",
        syllables: "бе ре за мо сто вик ёл ка дом го род вол на пти це све тлый ийск ов ла",
        between_words: " ",
        sentence_end: "? ",
    },
    Language {
        glue: "και το να του η της με που την από για τα είναι των σε ο οι στο θα τη στην τον δεν τους ένα",
        syllables: "θά λα σσα βου νό πο τά μι ή λι ος κα ρά βι φω ς δέ ντρο",
        between_words: " ",
        sentence_end: ". ",
    },
    Language {
        glue: "的 一 是 了 我 不 人 在 他 有 这 个 上 们 来 到 时 大 地 为",
        syllables: "茶 馆 山 水 河 桥 风 雨 雪 花 鸟 鱼 书 画 灯 火 船 城 门 街 竹 松",
        between_words: "",
        sentence_end: "。",
    },
    Language {
        glue: "は が の を に へ と も から まで です ます この その",
        syllables: "新 機 能 カ メ ラ さ く 電 車 東 京 海 空 コ ー ド 本 星 ねこ",
        between_words: "",
        sentence_end: "。\n",
    },
    Language {
        glue: "في من على إلى أن هذا التي الذي مع كان عن هو ما بعد قد بين",
        syllables: "بئ ر كت اب مد ين ة شم س قم ر نه ر جب ل بي ت طر يق",
        between_words: " ",
        sentence_end: ". ",
    },
];

/// A text as tokens, white space and punctuation included: joined, they are the text.
pub(crate) type Tokens = Vec<String>;

/// A text of about so many words.
pub(crate) fn text(random: &mut Random, language: &Language, num_words: usize) -> Tokens {
    let mut tokens = Tokens::new();
    let mut left_in_sentence = 0;
    for number in 0..num_words {
        let starts = left_in_sentence == 0;
        left_in_sentence = if starts { 4 + random.below(14) } else { left_in_sentence - 1 };
        let word = word(random, language);
        tokens.push(if starts { capitalised(&word) } else { word });
        tokens.push(if left_in_sentence > 0 && number + 1 < num_words {
            let comma = language.between_words == " " && random.per_mille(60);
            if comma { ", ".into() } else { language.between_words.into() }
        } else {
            left_in_sentence = 0;
            let paragraph = random.per_mille(150);
            if paragraph { language.sentence_end.trim_end().to_owned() + "\n\n" } else { language.sentence_end.into() }
        });
    }
    tokens
}

fn word(random: &mut Random, language: &Language) -> String {
    let glue: Vec<&str> = language.glue.split_whitespace().collect();
    let syllables: Vec<&str> = language.syllables.split_whitespace().collect();
    match random.below(100) {
        0..45 => glue[random.mostly_small(glue.len())].into(),
        45..48 => random.below(3000).to_string(),
        _ => (0..2 + random.below(2)).map(|_| syllables[random.mostly_small(syllables.len())]).collect(),
    }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// A revision: of a thousand words so many become others, a quarter of that are left out, and as many come in.
pub(crate) fn revised(random: &mut Random, language: &Language, tokens: &[String], per_mille: usize) -> Tokens {
    let mut revised = Tokens::with_capacity(tokens.len());
    for pair in tokens.chunks(2) {
        if random.per_mille(per_mille) {
            revised.push(word(random, language));
            revised.extend(pair.get(1).cloned());
        } else if !random.per_mille(per_mille / 4) {
            revised.extend_from_slice(pair);
        }
        if random.per_mille(per_mille / 4) {
            revised.push(word(random, language));
            revised.push(language.between_words.into());
        }
    }
    revised
}

/// The text in another spelling: what one of the folding flags makes equal again, `number` choosing which.
pub(crate) fn respelled(text: &str, number: usize) -> String {
    match number % 6 {
        0 => text.to_uppercase(),
        1 => text.replace(' ', "  ").replace('\n', "\r\n"),
        2 => text.replace([',', '.', '。', '!', '?'], ""),
        3 => text.chars().map(|c| if c.is_ascii_digit() { '7' } else { c }).collect(),
        4 => unicode_normalization::UnicodeNormalization::nfd(text).collect(),
        _ => text.chars().filter(|&c| !unicode_normalization::char::is_combining_mark(c)).map(wide).collect(),
    }
}

/// The full-width form of an ASCII digit or letter.
fn wide(character: char) -> char {
    let code = u32::from(character);
    if character.is_ascii_alphanumeric() {
        char::from_u32(code + 0xFEE0).expect("a full-width form")
    } else {
        character
    }
}
