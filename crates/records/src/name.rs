//! File names as contests write them: `A6：X先手，Y后手，Z胜.txt`.

use games::Player;

/// What a file name tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    /// The table or round.
    pub place: String,
    /// First's name and Second's.
    pub players: [String; 2],
    /// Who won; `Some(None)` for a draw, `None` if it tells neither.
    pub winner: Option<Option<Player>>,
}

impl FileName {
    /// Reads a name, with or without its extension.
    pub fn parse(name: &str) -> Option<FileName> {
        let name = match name.rsplit_once('.') {
            Some((stem, end)) if end.is_ascii() => stem,
            _ => name,
        };
        let (place, rest) = name.split_once(['：', ':'])?;
        let mut parts = rest.split(['，', ',']).map(str::trim);
        let first = parts.next()?.strip_suffix("先手")?.to_owned();
        let second = parts.next()?.strip_suffix("后手")?.to_owned();
        let result = parts.next().unwrap_or_default();
        let winner = match result.strip_suffix('胜') {
            Some("先手") => Some(Some(Player::First)),
            Some("后手") => Some(Some(Player::Second)),
            Some(name) if name == first => Some(Some(Player::First)),
            Some(name) if name == second => Some(Some(Player::Second)),
            _ => (result == "和" || result == "和棋" || result == "平").then_some(None),
        };
        Some(FileName { place: place.trim().to_owned(), players: [first, second], winner })
    }
}

/// The name of a record's file. Signs that some system does not allow in names
/// are left out. Who wins against a namesake is known by the side.
pub fn file_name(name: &FileName, extension: &str) -> String {
    let [first, second] = &name.players;
    let sides = match first == second {
        true => ["先手", "后手"],
        false => [first.as_str(), second.as_str()],
    };
    let result = match name.winner {
        Some(Some(winner)) => format!("，{}胜", sides[winner as usize]),
        Some(None) => "，和棋".to_owned(),
        None => String::new(),
    };
    let text = format!("{}：{first}先手，{second}后手{result}.{extension}", name.place);
    text.chars().filter(|c| !is_invisible(*c) && !"/\\:*?\"<>|".contains(*c)).collect()
}

/// Whether a character of a name is not seen: control characters, line ends, and
/// those that change the direction of the text around them, by which a name
/// could look like another.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_invisible_sign_reaches_a_file_name() {
        let players = ["a\u{202e}txt.exe".to_owned(), "b\n\u{2066}\u{feff}/..".to_owned()];
        let name = FileName { place: "A\u{200f}6".to_owned(), players, winner: None };
        assert_eq!(file_name(&name, "txt"), "A6：atxt.exe先手，b..后手.txt");
        assert!("A6：甲先手 é 𠀀".chars().all(|c| !is_invisible(c)));
    }

    #[test]
    fn a_name_comes_back() {
        for (winner, text) in [
            (Some(Some(Player::First)), "A6：甲先手，乙后手，甲胜.txt"),
            (Some(Some(Player::Second)), "A6：甲先手，乙后手，乙胜.txt"),
            (Some(None), "A6：甲先手，乙后手，和棋.txt"),
            (None, "A6：甲先手，乙后手.txt"),
        ] {
            let players = ["甲".to_owned(), "乙".to_owned()];
            let name = FileName { place: "A6".to_owned(), players, winner };
            assert_eq!(file_name(&name, "txt"), text);
            assert_eq!(FileName::parse(text), Some(name));
        }
        for winner in Player::BOTH {
            let players = ["甲".to_owned(), "甲".to_owned()];
            let name = FileName { place: "A6".to_owned(), players, winner: Some(Some(winner)) };
            assert_eq!(FileName::parse(&file_name(&name, "txt")), Some(name));
        }
        assert_eq!(
            FileName::parse("B1:X先手,Y后手,先手胜").unwrap().winner,
            Some(Some(Player::First))
        );
        assert_eq!(FileName::parse("game.txt"), None);
    }
}
