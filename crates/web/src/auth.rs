//! Which requests are answered.
//!
//! A board on a loopback address still has neighbours: every page in the same
//! browser can send it requests. So the Host must be ours (against DNS
//! rebinding), an Origin must be ours (against other pages), and an address
//! other than loopback needs a token, which becomes a cookie. There are two: the
//! one for everybody, and the operator's, with which all games can be changed. On
//! a loopback address every request is the operator's.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::caller::{Caller, Peer, cookies};
use crate::error::ApiError;

/// What is asked of a request.
#[derive(Clone, Debug)]
pub struct Auth {
    /// Where the server listens.
    pub address: SocketAddr,
    /// What must be shown; none on a loopback address.
    pub tokens: Option<Tokens>,
}

/// What a request must bring where others than the operator can connect.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// For those who play and watch.
    pub guest: String,
    /// For the operator.
    pub operator: String,
}

/// What a request may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Admission {
    Guest,
    Operator,
}

/// The name of the cookie with the token.
const COOKIE: &str = "boyi";

/// Everything comes from here, scripts are files, and no other page frames this one.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

impl Auth {
    fn is_our_host(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            // A number can't be rebound to another server; a name can.
            Ok(ip) => ip.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => name == "localhost",
        }
    }

    fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let forbid = |sentence| Err(ApiError::new(StatusCode::FORBIDDEN, sentence));
        let Some(host) = text(header::HOST).filter(|host| self.is_our_host(host)) else {
            return forbid("this server does not answer to that name");
        };
        if let Some(origin) = headers.get(header::ORIGIN)
            && origin.to_str().ok() != Some(&format!("http://{host}"))
        {
            return forbid("this request comes from another page");
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let inside = matches!(site, None | Some(b"same-origin" | b"none"));
        if method != Method::GET && !inside {
            return forbid("this request comes from another page");
        }
        Ok(())
    }

    /// What a token admits to.
    fn admission(&self, given: &str) -> Option<Admission> {
        let Some(Tokens { guest, operator }) = &self.tokens else {
            return Some(Admission::Operator);
        };
        // Both are compared in any case, in constant time.
        match (is_same(operator, given), is_same(guest, given)) {
            (true, _) => Some(Admission::Operator),
            (false, true) => Some(Admission::Guest),
            (false, false) => None,
        }
    }

    /// What a request's cookies admit to.
    fn admitted(&self, headers: &HeaderMap) -> Option<Admission> {
        match &self.tokens {
            None => Some(Admission::Operator),
            Some(_) => {
                let admissions = cookies(headers, COOKIE).filter_map(|text| self.admission(text));
                admissions.max_by_key(|admission| *admission == Admission::Operator)
            }
        }
    }

    /// A link with the token in it: keep the token as a cookie and go on without
    /// it, so that it stays in no history.
    fn welcome(&self, request: &Request) -> Option<Response> {
        self.tokens.as_ref()?;
        let pairs = || request.uri().query().unwrap_or_default().split('&');
        let given = pairs().find_map(|pair| pair.strip_prefix("token="))?;
        let admission = self.admission(given)?;
        // The operator may open a link that was made for others.
        let keep = match self.admitted(request.headers()) {
            Some(Admission::Operator) => admission == Admission::Operator,
            _ => true,
        };
        let rest: Vec<&str> = pairs().filter(|pair| !pair.starts_with("token=")).collect();
        let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        // Without a second slash at its beginning it can't name another server.
        let path = request.uri().path().trim_start_matches('/');
        let mut response = StatusCode::SEE_OTHER.into_response();
        let headers = response.headers_mut();
        headers.insert(header::LOCATION, format!("/{path}{query}").parse().ok()?);
        if keep {
            let cookie = format!("{COOKIE}={given}; HttpOnly; SameSite=Strict; Path=/");
            headers.insert(header::SET_COOKIE, cookie.parse().ok()?);
        }
        Some(response)
    }
}

/// Compares in constant time, so that a stranger can't learn it letter by letter.
fn is_same(token: &str, given: &str) -> bool {
    let differences = token.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    token.len() == given.len() && differences == 0
}

/// Answers a request or refuses it, and sets the answer's headers.
pub async fn guard(State(auth): State<Arc<Auth>>, mut request: Request, next: Next) -> Response {
    if let Err(error) = auth.check(request.method(), request.headers()) {
        return security_headers(error.into_response());
    }
    if let Some(response) = auth.welcome(&request) {
        return security_headers(response);
    }
    let Some(admission) = auth.admitted(request.headers()) else {
        let sentence = "open the link with the token that the server printed";
        return security_headers(ApiError::new(StatusCode::UNAUTHORIZED, sentence).into_response());
    };
    let peer = request.extensions().get::<Peer>().copied();
    let caller = Caller::new(peer, request.headers(), admission == Admission::Operator);
    let is_post = request.method() == Method::POST;
    request.extensions_mut().insert(caller.clone());
    let mut response = next.run(request).await;
    // A browser keeps the key from its first page on, a program from its first
    // game.
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let is_page = response.headers().get(header::CONTENT_TYPE) == Some(&html);
    if !caller.is_known && (is_post || is_page) {
        response.headers_mut().append(header::SET_COOKIE, caller.cookie());
    }
    security_headers(response)
}

fn security_headers(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        // A page that is not ours has brought a stricter policy.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(address: &str) -> Auth {
        let [guest, operator] = ["secret", "master"].map(str::to_owned);
        Auth { address: address.parse().unwrap(), tokens: Some(Tokens { guest, operator }) }
    }

    #[test]
    fn only_our_names_are_ours() {
        let home = auth("127.0.0.1:8000");
        for good in ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"] {
            assert!(home.is_our_host(good), "{good}");
        }
        for bad in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:8000", "10.0.0.1:8000", "", ":", "[:8000"]
        {
            assert!(!home.is_our_host(bad), "{bad}");
        }
        let open = auth("0.0.0.0:80");
        assert!(open.is_our_host("192.168.1.5") && open.is_our_host("[fe80::1]"));
        assert!(!open.is_our_host("evil.example"));
    }

    #[test]
    fn a_token_is_all_or_nothing() {
        let auth = auth("0.0.0.0:80");
        assert_eq!(auth.admission("secret"), Some(Admission::Guest));
        assert_eq!(auth.admission("master"), Some(Admission::Operator));
        for bad in ["", "secre", "secrets", "Secret", "masters"] {
            assert_eq!(auth.admission(bad), None, "{bad}");
        }
        let home = Auth { tokens: None, ..auth };
        assert_eq!(home.admitted(&HeaderMap::new()), Some(Admission::Operator));
    }
}
