//! Documents without fault: families of revisions, crowds around boilerplate, large texts, tables and sets.

use serde_json::json;

use super::Corpora;
use super::text::{LANGUAGES, Language, Tokens, respelled, revised, text};
use crate::random::Random;

/// How many words in a thousand a revision changes: from a typing error to another text.
const RATES: [usize; 8] = [2, 6, 12, 25, 50, 100, 200, 400];
const AUTHORS: [&str; 7] = ["ann", "ben", "chen", "dora", "émile", "ferry", "grün"];

pub(super) fn add(corpora: &Corpora) {
    add_folders(corpora);
    add_records(corpora);
    add_crowd(corpora);
    add_large(corpora);
    add_huge(corpora);
    add_tables(corpora);
    add_sets(corpora);
}

/// A text and its revisions, each of the text or of an earlier revision.
fn family(random: &mut Random, language: &Language, num_words: usize, size: usize) -> Vec<Tokens> {
    let mut family = vec![text(random, language, num_words)];
    while family.len() < size {
        let of = family[random.below(family.len())].clone();
        let rate = RATES[random.below(RATES.len())];
        family.push(revised(random, language, &of, rate));
    }
    family
}

/// Families of revisions in every language, some of them copied or spelled otherwise, in no order.
fn documents(random: &mut Random, num_documents: usize, most_words: usize) -> Vec<String> {
    let mut documents = Vec::new();
    while documents.len() < num_documents {
        let language = &LANGUAGES[random.below(LANGUAGES.len())];
        // A few hardly have a shingle.
        let num_words = if random.per_mille(40) { 1 + random.below(6) } else { 20 + random.below(most_words) };
        let size = if random.per_mille(500) { 1 } else { 2 + random.below(6) };
        for tokens in family(random, language, num_words, size) {
            let text = tokens.concat();
            if random.per_mille(100) {
                documents.push(text.clone());
            }
            if random.per_mille(150) {
                documents.push(respelled(&text, random.below(6)));
            }
            documents.push(text);
        }
    }
    documents.truncate(num_documents);
    for last in (1..documents.len()).rev() {
        documents.swap(last, random.below(last + 1));
    }
    documents
}

/// `families/AUTHOR/NUMBER.txt`, with a hidden draft and an ignored one.
fn add_folders(corpora: &Corpora) {
    let mut random = Random(1);
    for (number, text) in documents(&mut random, 500, 300).iter().enumerate() {
        let author = AUTHORS[random.below(AUTHORS.len())];
        let part = if random.per_mille(300) { "drafts/" } else { "" };
        corpora.write(format!("families/{author}/{part}{number}.txt"), text);
        if number == 7 {
            corpora.write("families/ann/.draft.txt", text);
            corpora.write("families/ann/old/ignored.txt", text);
            corpora.write("families/.gitignore", "old/\n");
        }
    }
}

/// `records.jsonl`: many short texts, with the author and the day as fields; `later.jsonl`: revisions of some of them.
fn add_records(corpora: &Corpora) {
    let mut random = Random(2);
    let (mut records, mut later) = (String::new(), String::new());
    for (number, text) in documents(&mut random, 2500, 120).iter().enumerate() {
        let author = AUTHORS[random.below(AUTHORS.len())];
        let day = random.below(20);
        let record = json!({ "id": format!("r{number}"), "meta": { "author": author, "day": day }, "text": text });
        records += &format!("{record}\n");
        if number % 5 == 0 {
            let tokens: Tokens = text.split_inclusive(' ').map(String::from).collect();
            let rate = RATES[random.below(RATES.len())];
            let text = revised(&mut random, &LANGUAGES[0], &tokens, rate).concat();
            later += &format!("{}\n", json!({ "id": number, "meta": { "author": author }, "text": text }));
        }
    }
    corpora.write("records.jsonl", records);
    corpora.write("later.jsonl", later);
}

/// `crowd.jsonl`: pages nearly alike, pages less alike, pages that share boilerplate only, and others, in no order.
fn add_crowd(corpora: &Corpora) {
    let mut random = Random(3);
    let language = &LANGUAGES[0];
    let page = text(&mut random, language, 220);
    let article = text(&mut random, language, 260);
    let boilerplate = text(&mut random, language, 60);
    let mut pages: Vec<String> = Vec::new();
    for _ in 0..260 {
        let rate = RATES[random.below(3)];
        pages.push(revised(&mut random, language, &page, rate).concat());
    }
    for _ in 0..130 {
        let rate = RATES[2 + random.below(5)];
        pages.push(revised(&mut random, language, &article, rate).concat());
    }
    for _ in 0..760 {
        let num_words = 30 + random.below(60);
        let own = text(&mut random, language, num_words).concat();
        let rate = RATES[random.below(4)];
        pages.push(revised(&mut random, language, &boilerplate, rate).concat() + &own);
    }
    for _ in 0..100 {
        let copy = pages[random.below(pages.len())].clone();
        pages.push(copy);
        pages.push(text(&mut random, language, 80).concat());
    }
    for last in (1..pages.len()).rev() {
        pages.swap(last, random.below(last + 1));
    }
    let lines: String = pages.iter().map(|page| format!("{}\n", json!({ "text": page }))).collect();
    corpora.write("crowd.jsonl", lines);
    corpora.write("templates/page.txt", page.concat());
    corpora.write("templates/footer.txt", boilerplate.concat());
}

/// `large/`: texts whose sets do not fit the least memory, one by one or together.
fn add_large(corpora: &Corpora) {
    let mut random = Random(4);
    for (name, language, num_words, size) in
        [("book", 0, 250_000, 3), ("report", 3, 12_000, 14), ("roman", 5, 40_000, 4)]
    {
        let language = &LANGUAGES[language];
        let mut texts = vec![text(&mut random, language, num_words)];
        for number in 1..size {
            let rate = RATES[number % 6];
            let revision = revised(&mut random, language, &texts[number / 2], rate);
            texts.push(revision);
        }
        for (number, tokens) in texts.iter().enumerate() {
            corpora.write(format!("large/{name}-{number}.txt"), tokens.concat());
        }
    }
}

/// `huge/`: texts of more distinct shingles than a set may have in the least memory, and one of a few less.
fn add_huge(corpora: &Corpora) {
    let mut random = Random(8);
    let mut word = || (0..8).map(|_| char::from(b'a' + random.below(26) as u8)).collect::<String>();
    let tokens: Tokens = (0..150_000).flat_map(|_| [word(), " ".to_owned()]).collect();
    corpora.write("huge/first.txt", tokens.concat());
    corpora.write("huge/part.txt", tokens[..220_000].concat());
    corpora.write("huge/revised.txt", revised(&mut random, &LANGUAGES[0], &tokens, 25).concat());
    corpora.write("huge/start.txt", tokens[..20_000].concat());
}

/// `tables/`: the first records as CSV and TSV, and as JSON Lines with nested fields.
fn add_tables(corpora: &Corpora) {
    let mut random = Random(5);
    let texts = documents(&mut random, 120, 60);
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut semicolons = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
    csv.write_record(["id", "lang", "text"]).expect("a row");
    semicolons.write_record(["text", "title"]).expect("a row");
    let mut tsv = String::from("text\tid\n");
    let mut nested = String::new();
    for (number, text) in texts.iter().enumerate() {
        let title = format!("Number {}", number % 7);
        csv.write_record([&number.to_string(), "en", text.as_str()]).expect("a row");
        semicolons.write_record([text.as_str(), &title]).expect("a row");
        tsv += &format!("{}\tt{number}\n", text.replace(['\t', '\n', '\r'], " "));
        let middle = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).expect("0 is one");
        let (start, end) = text.split_at(middle);
        nested += &format!("{}\n", json!({ "doc": { "parts": [{ "text": start }, { "text": end }] }, "title": title }));
    }
    corpora.write("tables/comma.csv", csv.into_inner().expect("written"));
    corpora.write("tables/semicolon.csv", semicolons.into_inner().expect("written"));
    corpora.write("tables/tabs.tsv", tsv);
    corpora.write("tables/nested.jsonl", nested);
}

/// `sets.jsonl`: baskets as arrays of strings and numbers; `baskets.txt`: one in a line.
fn add_sets(corpora: &Corpora) {
    let mut random = Random(6);
    let mut baskets: Vec<Vec<usize>> = Vec::new();
    for _ in 0..400 {
        let like_another = !baskets.is_empty() && random.per_mille(600);
        let mut basket = if like_another {
            baskets[random.below(baskets.len())].clone()
        } else {
            (0..3 + random.below(30)).map(|_| random.below(800)).collect()
        };
        for _ in 0..random.below(3) {
            let place = random.below(basket.len());
            basket[place] = random.below(800);
        }
        baskets.push(basket);
    }
    let (mut records, mut lines) = (String::new(), String::new());
    for basket in &baskets {
        let element = |&item: &usize| if item % 3 == 0 { json!(item) } else { json!(format!("item {item}")) };
        records += &format!("{}\n", json!({ "items": basket.iter().map(element).collect::<Vec<_>>() }));
        lines += &(basket.iter().map(|item| format!("{item} ")).collect::<String>() + "\n");
    }
    corpora.write("sets.jsonl", records);
    corpora.write("baskets.txt", lines);
}
