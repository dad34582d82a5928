//! English and Chinese, for what a player at the terminal reads.

/// The language of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
}

impl Language {
    /// The user's: `BOYI_LANG` if it is set, else what the locale says.
    pub fn of_user() -> Language {
        let chosen = ["BOYI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        match chosen {
            Some(value) if value.to_lowercase().starts_with("zh") => Language::Chinese,
            _ => Language::English,
        }
    }

    /// One of two texts.
    pub fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}
