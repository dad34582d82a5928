//! Moves with side lines and comments in one text, as PGN has them: a side line
//! stands in parentheses after the move that it replaces, a comment in braces
//! after the move that it is about. `*` ends a line; a side line after it goes on
//! from there. Moves stand apart by white space.
//!
//! `4 4 (3 {blocks nothing} 3) 5` plays 4, 4, 5, and shows 3, 3 instead of the
//! second 4.

use std::collections::BTreeMap;

use games::TextError;

/// Lines within lines beyond this are refused.
const DEEPEST: usize = 100;

/// Moves, with what was noted about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The number of moves before it, from the start of the game.
    pub ply: usize,
    /// Its moves.
    pub moves: Vec<String>,
    /// Comments, by the number of moves before them from the start of the game.
    pub notes: BTreeMap<usize, String>,
    /// The lines that leave it.
    pub lines: Vec<Line>,
}

impl Line {
    /// Reads a line with everything in it.
    ///
    /// ```
    /// let line = records::Line::parse("4 4 (3 3) 5 {and so on}")?;
    /// assert_eq!(line.moves, ["4", "4", "5"]);
    /// assert_eq!((line.lines[0].ply, &line.notes[&3]), (1, &"and so on".to_owned()));
    /// assert_eq!(line.to_string(), "4 4 (3 3) 5 {and so on}");
    /// # Ok::<(), games::TextError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Line, TextError> {
        let mut open = vec![Line::default()];
        let mut ended = false;
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let depth = open.len();
            let line = open.last_mut().ok_or_else(unopened)?;
            let here = line.ply + line.moves.len();
            rest = match first {
                '{' => {
                    let (note, rest) = rest[1..]
                        .split_once('}')
                        .ok_or_else(|| TextError::new("a comment has no closing brace"))?;
                    let note = note.trim();
                    if !note.is_empty() {
                        let known = line.notes.entry(here).or_default();
                        *known += if known.is_empty() { "" } else { " " };
                        *known += note;
                    }
                    rest
                }
                '(' => {
                    let ply = if std::mem::take(&mut ended) {
                        here
                    } else if line.moves.is_empty() {
                        return Err(TextError::new("a side line follows the move it replaces"));
                    } else {
                        here - 1
                    };
                    if depth > DEEPEST {
                        return Err(TextError::new(format!("more than {DEEPEST} nested lines")));
                    }
                    open.push(Line { ply, ..Line::default() });
                    &rest[1..]
                }
                ')' => {
                    let Some(done) = open.pop().filter(|_| depth > 1) else {
                        return Err(unopened());
                    };
                    // The line goes on where it was left.
                    let line = open.last_mut().ok_or_else(unopened)?;
                    ended = done.ply == line.ply + line.moves.len();
                    if !done.moves.is_empty() {
                        line.lines.push(done);
                    }
                    &rest[1..]
                }
                _ => {
                    let end = |c: char| c.is_whitespace() || "(){}".contains(c);
                    let at = rest.find(end).unwrap_or(rest.len());
                    let (word, rest) = rest.split_at(at.max(first.len_utf8()));
                    if word == "*" {
                        ended = true;
                    } else if ended {
                        return Err(TextError::new(format!("'{word}' stands after the end")));
                    } else {
                        line.moves.push(word.to_owned());
                    }
                    rest
                }
            };
            rest = rest.trim_start();
        }
        match (open.pop(), open.is_empty()) {
            (Some(line), true) => Ok(line),
            _ => Err(TextError::new("a side line has no closing parenthesis")),
        }
    }

    /// The words of the text, to be joined by white space.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        self.write(&mut words);
        words
    }

    fn write(&self, words: &mut Vec<String>) {
        let note = |words: &mut Vec<String>, ply: usize| {
            if let Some(note) = self.notes.get(&ply) {
                let note = note.replace('}', ")").split_whitespace().collect::<Vec<_>>().join(" ");
                if !note.is_empty() {
                    words.push(format!("{{{note}}}"));
                }
            }
        };
        let side = |words: &mut Vec<String>, ply: usize| {
            for line in self.lines.iter().filter(|line| line.ply == ply && !line.moves.is_empty()) {
                let (first, last) = (words.len(), |words: &[String]| words.len() - 1);
                line.write(words);
                words[first].insert(0, '(');
                let last = last(words);
                words[last].push(')');
            }
        };
        note(words, self.ply);
        for (n, mv) in self.moves.iter().enumerate() {
            words.push(mv.clone());
            note(words, self.ply + n + 1);
            side(words, self.ply + n);
        }
        let end = self.ply + self.moves.len();
        if self.lines.iter().any(|line| line.ply == end && !line.moves.is_empty()) {
            words.push("*".to_owned());
            side(words, end);
        }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

fn unopened() -> TextError {
    TextError::new("a parenthesis closes no side line")
}

#[cfg(test)]
mod tests {
    use games::Rng;

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "",
            "4 4 3",
            "{at first} 4 {good} 4 (3 3 (2 {or so}) 1) (5) 3 * (6 {after the end} 6) (7)",
            "1 (2 (3 (4 (5))))",
        ] {
            assert_eq!(Line::parse(text).unwrap().to_string(), text);
        }
        let line = Line::parse("4{a}  {b}4(3 3)5").unwrap();
        assert_eq!(line.to_string(), "4 {a b} 4 (3 3) 5");
        for bad in ["(3)", "4 (3", "4 3)", "4 {x", "4 * 5", "4 ((3) 3)"] {
            assert!(Line::parse(bad).is_err(), "{bad}");
        }
        assert!(Line::parse(&"1 (".repeat(5000)).is_err());
    }

    #[test]
    fn no_text_panics_and_what_is_read_is_written() {
        let mut rng = Rng::seeded(5);
        for _ in 0..20_000 {
            let length = rng.below(24);
            let signs = ["4", "a", " ", "(", ")", "{", "}", "*", "é", "\n"];
            let text: String = (0..length).map(|_| signs[rng.below(signs.len())]).collect();
            let Ok(line) = Line::parse(&text) else { continue };
            let again = Line::parse(&line.to_string()).unwrap();
            assert_eq!(again.to_string(), line.to_string(), "{text:?}");
        }
    }
}
