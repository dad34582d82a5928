//! The page's files, inside the program.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

/// Everything under `page/`. In a debug build the files are read from disk, so
/// that whoever works on them need not compile.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// The content type of a file; every text is UTF-8.
fn content_type(file: &EmbeddedFile) -> String {
    match file.metadata.mimetype() {
        kind if kind.starts_with("text/") => format!("{kind}; charset=utf-8"),
        kind => kind.to_owned(),
    }
}

/// Answers with a file. The browser keeps it and asks each time whether it has
/// changed, so that a new version of the program is a new page at once.
pub fn file(path: &str, headers: &HeaderMap) -> Response {
    match Files::get(path) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(file) => answer(&file, headers),
    }
}

fn answer(file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String =
        file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let fresh = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response = match fresh {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => Body::from(file.data.clone().into_owned()).into_response(),
    };
    let headers = response.headers_mut();
    if let Ok(kind) = HeaderValue::from_str(&content_type(file)) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_content_type() {
        for path in Files::iter() {
            let expected = match path.rsplit_once('.').map(|(_, end)| end) {
                Some("html") => "text/html; charset=utf-8",
                Some("js") => "text/javascript; charset=utf-8",
                Some("css") => "text/css; charset=utf-8",
                Some("svg") => "image/svg+xml",
                other => panic!("{path}: which content type has a file of {other:?}?"),
            };
            assert_eq!(content_type(&Files::get(&path).unwrap()), expected, "{path}");
        }
    }

    #[test]
    fn the_first_view_is_light_and_has_no_inline_script() {
        let total: usize = Files::iter().map(|path| Files::get(&path).unwrap().data.len()).sum();
        assert!(total < 200_000, "{total} bytes");
        let index = Files::get("index.html").unwrap();
        let text = String::from_utf8(index.data.into_owned()).unwrap();
        assert!(
            !text.contains("<script>") && !text.contains("style=\"") && !text.contains(" onclick")
        );
    }
}
