//! The page's files, inside the program.
//!
//! Their addresses begin with the hash of them all, `/<hash>/page/main.js`: a
//! browser keeps such a file for good, and another version of the program has
//! other addresses. Only `index.html`, which names the hash, is asked for each
//! time. Files are compressed once, not for each request.
//!
//! A first visit is a matter of few requests: all styles are served as one file,
//! and the modules that a view needs are named in its `index.html`, so that they
//! are fetched at once and not each after the one that imports it.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};

/// Everything under `page/`. In a debug build the files are read from disk, so
/// that a change needs no compiler.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

const INDEX: &str = "index.html";

/// All styles in one file.
const STYLES: &str = "all.css";

/// The modules with which a visit begins, and the addresses of the two views with
/// which most do, by how they begin.
const MAIN: &str = "main.js";
const VIEWS: [(&str, &str); 2] = [("/g/", "views/game.js"), ("/", "views/home.js")];

/// One file in both forms.
struct Asset {
    plain: Vec<u8>,
    gzip: Vec<u8>,
    /// The hash of its content, in quotes.
    tag: String,
    content_type: String,
}

/// All files of one version of the page.
struct Bundle {
    hash: String,
    assets: BTreeMap<String, Asset>,
    /// The first page of each of [`VIEWS`].
    index: [Asset; 2],
}

/// How long a browser may use a file without asking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caching {
    ForGood,
    AskEachTime,
}

fn hash(of: impl Hash) -> String {
    // Stable between runs; a newer standard library may give other hashes, and
    // then browsers fetch the files once more.
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl Asset {
    fn new(plain: Vec<u8>, mimetype: &str) -> Asset {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
        let gzip = written.expect("a vector takes every byte");
        // Every text is UTF-8.
        let content_type = match mimetype.starts_with("text/") {
            true => format!("{mimetype}; charset=utf-8"),
            false => mimetype.to_owned(),
        };
        Asset { tag: format!("\"{}\"", hash(&plain)), plain, gzip, content_type }
    }
}

impl Bundle {
    fn build() -> Bundle {
        let files: BTreeMap<_, EmbeddedFile> =
            Files::iter().filter_map(|path| Some((path.to_string(), Files::get(&path)?))).collect();
        let contents: Vec<_> = files.iter().map(|(path, file)| (path, &file.data)).collect();
        let hash = hash(contents);
        let mut assets: BTreeMap<String, Asset> = files
            .into_iter()
            .map(|(path, file)| {
                (path, Asset::new(file.data.into_owned(), file.metadata.mimetype()))
            })
            .collect();
        let index = assets.remove(INDEX).expect("the page has an index").plain;
        let index = String::from_utf8(index).expect("the index is UTF-8");
        let styles = Asset::new(all_styles(&assets), "text/css");
        assets.retain(|path, _| !path.ends_with(".css"));
        assets.insert(STYLES.to_owned(), styles);
        let index = VIEWS.map(|(_, view)| {
            Asset::new(index_with(&hash, &index, &modules_of(&assets, view)), "text/html")
        });
        Bundle { hash, assets, index }
    }
}

/// Every style, the general one first: the others refine it.
fn all_styles(assets: &BTreeMap<String, Asset>) -> Vec<u8> {
    let mut styles: Vec<_> = assets.iter().filter(|(path, _)| path.ends_with(".css")).collect();
    styles.sort_by_key(|(path, _)| (*path != "style.css", path.contains('/'), *path));
    styles.into_iter().flat_map(|(_, asset)| asset.plain.iter().copied()).collect()
}

/// The modules that a view needs before anything is done in it: what it and the
/// entry import, and the games' board scripts, which the catalogue imports by name.
fn modules_of(assets: &BTreeMap<String, Asset>, view: &str) -> BTreeSet<String> {
    let boards =
        session::GameSpec::all().into_iter().map(|game| format!("board/{}.js", game.name()));
    let mut open: Vec<String> = boards.chain([MAIN.to_owned(), view.to_owned()]).collect();
    let mut modules = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Some(asset) = assets.get(&path) else { continue };
        let text = String::from_utf8_lossy(&asset.plain);
        open.extend(imports(&path, &text).filter(|import| !modules.contains(import)));
        modules.insert(path);
    }
    modules
}

/// What a module imports statically: lines that end with `from "../that.js";`.
fn imports<'a>(path: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let import = move |line: &str| {
        let from = line.strip_suffix("\";")?.rsplit_once(" from \"")?.1;
        let inside = |file: &str| match folder {
            "" => file.to_owned(),
            folder => format!("{folder}/{file}"),
        };
        from.strip_prefix("../").map(str::to_owned).or(from.strip_prefix("./").map(inside))
    };
    text.lines().filter_map(import)
}

/// The first page, naming every file by its address.
fn index_with(hash: &str, index: &str, modules: &BTreeSet<String>) -> Vec<u8> {
    let links: String = modules
        .iter()
        .map(|path| format!("<link rel=\"modulepreload\" href=\"/page/{path}\" />\n"))
        .collect();
    index
        .replace("</head>", &format!("{links}</head>"))
        .replace("/page/", &format!("/{hash}/page/"))
        .into_bytes()
}

/// The files of this program; in a debug build, those on disk now.
fn bundle() -> Arc<Bundle> {
    static BUILT: Mutex<Option<(SystemTime, Arc<Bundle>)>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let newest = newest_change();
    match &*built {
        Some((time, bundle)) if *time == newest => Arc::clone(bundle),
        _ => {
            let bundle = Arc::new(Bundle::build());
            *built = Some((newest, Arc::clone(&bundle)));
            bundle
        }
    }
}

/// When a file was last changed on disk; always the same once they are embedded.
fn newest_change() -> SystemTime {
    if !cfg!(debug_assertions) {
        return SystemTime::UNIX_EPOCH;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/");
    let changed = |path: &str| std::fs::metadata(format!("{folder}{path}"))?.modified();
    let times = Files::iter().filter_map(|path| changed(&path).ok());
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The page itself, for the view at an address.
pub fn index(address: &str, headers: &HeaderMap) -> Response {
    let view = VIEWS.iter().position(|(begin, _)| address.starts_with(begin)).unwrap_or(0);
    serve(&bundle().index[view], headers, Caching::AskEachTime)
}

/// A file of the page. One that is asked for by the hash of another version is
/// served as it is now, and not kept.
pub fn file(hash: Option<&str>, path: &str, headers: &HeaderMap) -> Response {
    let bundle = bundle();
    let caching = match hash == Some(&bundle.hash) {
        true => Caching::ForGood,
        false => Caching::AskEachTime,
    };
    match bundle.assets.get(path) {
        Some(asset) => serve(asset, headers, caching),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn serve(asset: &Asset, headers: &HeaderMap, caching: Caching) -> Response {
    let says = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let known = says(header::IF_NONE_MATCH) == Some(&asset.tag);
    let zipped = says(header::ACCEPT_ENCODING).is_some_and(|list| list.contains("gzip"));
    let mut response = match (known, zipped) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => Body::from(asset.gzip.clone()).into_response(),
        (false, false) => Body::from(asset.plain.clone()).into_response(),
    };
    let kept = match caching {
        Caching::ForGood => "public, max-age=31536000, immutable",
        Caching::AskEachTime => "no-cache",
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !known && zipped {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    for (name, value) in [(header::ETAG, &asset.tag), (header::CONTENT_TYPE, &asset.content_type)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_content_type() {
        for (path, asset) in &bundle().assets {
            let expected = match path.rsplit_once('.').map(|(_, end)| end) {
                Some("js") => "text/javascript; charset=utf-8",
                Some("css") => "text/css; charset=utf-8",
                Some("svg") => "image/svg+xml",
                other => panic!("{path}: which content type has a file of {other:?}?"),
            };
            assert_eq!(asset.content_type, expected, "{path}");
        }
    }

    #[test]
    fn a_first_visit_is_light_and_has_no_inline_script() {
        let bundle = bundle();
        for (index, (_, view)) in bundle.index.iter().zip(VIEWS) {
            let modules = modules_of(&bundle.assets, view);
            let files = modules.iter().map(String::as_str).chain([STYLES]);
            let travels: usize = files.map(|path| bundle.assets[path].gzip.len()).sum();
            assert!(
                modules.len() <= 45 && travels < 90_000,
                "{view}: {} modules, {travels} bytes",
                modules.len()
            );
            let index = String::from_utf8(index.plain.clone()).unwrap();
            for inline in ["<script>", "style=\"", " onclick", "\"/page/"] {
                assert!(!index.contains(inline), "{view}: {inline}");
            }
        }
    }

    #[test]
    fn the_index_names_the_modules_of_its_view_by_their_addresses() {
        let bundle = bundle();
        let index = String::from_utf8(bundle.index[0].plain.clone()).unwrap();
        let named = |path: &str| index.contains(&format!("\"/{}/page/{path}\"", bundle.hash));
        for path in ["main.js", "views/game.js", "words/english.js", "board/state.js"] {
            assert!(named(path), "{path}");
        }
        for path in
            ["views/editor.js", "panels/contest.js", "arena/list.js", "board/surakarta-why.js"]
        {
            assert!(bundle.assets.contains_key(path) && !named(path), "{path}");
        }
    }

    #[test]
    fn only_the_present_version_is_kept_for_good() {
        let (hash, headers) = (bundle().hash.clone(), HeaderMap::new());
        let kept = |hash: Option<&str>| {
            let response = file(hash, "main.js", &headers);
            assert_eq!(response.status(), StatusCode::OK);
            response.headers()[header::CACHE_CONTROL].to_str().unwrap().to_owned()
        };
        assert!(kept(Some(&hash)).contains("immutable"));
        assert_eq!(kept(Some("0123456789abcdef")), "no-cache");
        assert_eq!(kept(None), "no-cache");
        assert_eq!(file(Some(&hash), "../Cargo.toml", &headers).status(), StatusCode::NOT_FOUND);
    }
}
