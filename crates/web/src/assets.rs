//! The page's files, inside the program.
//!
//! Their addresses begin with the hash of them all, `/<hash>/page/main.js`: a
//! browser keeps such a file for good, and another version of the program has
//! other addresses. Only `index.html`, which names the hash, is asked for each
//! time. Files are compressed once, not for each request.

use std::collections::BTreeMap;
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

/// Modules that are fetched when their view is opened, by how their paths begin.
const LATER: [&str; 3] = ["lessons/", "views/editor", "views/learn"];

/// Whether a file is a module of the first view.
fn is_first(path: &str) -> bool {
    path.ends_with(".js") && !LATER.iter().any(|later| path.starts_with(later))
}

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
        let asset = |(path, file): (String, EmbeddedFile)| {
            let data = match path == INDEX {
                true => index_with(&hash, &String::from_utf8_lossy(&file.data)),
                false => file.data.into_owned(),
            };
            (path, Asset::new(data, file.metadata.mimetype()))
        };
        let assets = files.into_iter().map(asset).collect();
        Bundle { hash, assets }
    }
}

/// The first page, naming every file by its address.
fn index_with(hash: &str, index: &str) -> Vec<u8> {
    // All modules at once, not each after the one that imports it.
    let modules = Files::iter().filter(|path| is_first(path));
    let links: String = modules
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

/// The page itself.
pub fn index(headers: &HeaderMap) -> Response {
    serve(&bundle(), INDEX, headers, Caching::AskEachTime)
}

/// A file of the page. One that is asked for by the hash of another version is
/// served as it is now, and not kept.
pub fn file(hash: Option<&str>, path: &str, headers: &HeaderMap) -> Response {
    let bundle = bundle();
    let caching = match hash == Some(&bundle.hash) {
        true => Caching::ForGood,
        false => Caching::AskEachTime,
    };
    serve(&bundle, path, headers, caching)
}

fn serve(bundle: &Bundle, path: &str, headers: &HeaderMap, caching: Caching) -> Response {
    let Some(asset) = bundle.assets.get(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
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
                Some("html") => "text/html; charset=utf-8",
                Some("js") => "text/javascript; charset=utf-8",
                Some("css") => "text/css; charset=utf-8",
                Some("svg") => "image/svg+xml",
                other => panic!("{path}: which content type has a file of {other:?}?"),
            };
            assert_eq!(asset.content_type, expected, "{path}");
        }
    }

    #[test]
    fn the_first_view_is_light_and_has_no_inline_script() {
        let bundle = bundle();
        let first =
            bundle.assets.iter().filter(|(path, _)| is_first(path) || !path.ends_with(".js"));
        let travels: usize = first.map(|(_, asset)| asset.gzip.len()).sum();
        assert!(travels < 160_000, "{travels} bytes");
        let index = String::from_utf8(bundle.assets[INDEX].plain.clone()).unwrap();
        assert!(
            !index.contains("<script>")
                && !index.contains("style=\"")
                && !index.contains(" onclick")
        );
    }

    #[test]
    fn the_index_names_every_module_of_the_first_view_by_its_address() {
        let bundle = bundle();
        let index = String::from_utf8(bundle.assets[INDEX].plain.clone()).unwrap();
        for path in bundle.assets.keys().filter(|path| path.ends_with(".js")) {
            let named = index.contains(&format!("\"/{}/page/{path}\"", bundle.hash));
            assert_eq!(named, is_first(path), "{path}");
        }
        assert!(!index.contains("\"/page/"));
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
