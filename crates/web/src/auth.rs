//! Which requests are answered.
//!
//! A board on a loopback address still has neighbours: every page in the same
//! browser can send it requests. So the Host must be ours (against DNS
//! rebinding), an Origin must be ours (against other pages), and an
//! address other than loopback needs a token, which becomes a cookie.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// What is asked of a request.
#[derive(Clone, Debug)]
pub struct Auth {
    /// Where the server listens.
    pub address: SocketAddr,
    /// What must be shown, if anything.
    pub token: Option<String>,
}

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

    fn is_token(&self, given: &str) -> bool {
        let Some(token) = &self.token else { return true };
        // In constant time, so that a stranger can't learn it letter by letter.
        let differences = token.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        token.len() == given.len() && differences == 0
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        if self.token.is_none() {
            return true;
        }
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|cookie| cookie.trim().strip_prefix("boyi="))
            .any(|given| self.is_token(given))
    }

    /// A link with the token in it: keep the token as a cookie and go on without
    /// it, so that it stays in no history.
    fn welcome(&self, request: &Request) -> Option<Response> {
        self.token.as_ref()?;
        let given =
            request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        self.is_token(given).then(|| {
            let cookie = format!("boyi={given}; HttpOnly; SameSite=Strict; Path=/");
            let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
            (StatusCode::SEE_OTHER, headers).into_response()
        })
    }
}

/// Lets a request pass or refuses it, and dresses the answer.
pub async fn guard(State(auth): State<Arc<Auth>>, request: Request, next: Next) -> Response {
    let response = match auth.check(request.method(), request.headers()) {
        Err(error) => error.into_response(),
        Ok(()) => match auth.welcome(&request) {
            Some(response) => response,
            None if auth.has_token(request.headers()) => next.run(request).await,
            None => {
                let sentence = "open the link with the token that the server printed";
                ApiError::new(StatusCode::UNAUTHORIZED, sentence).into_response()
            }
        },
    };
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
        Auth { address: address.parse().unwrap(), token: Some("secret".to_owned()) }
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
        assert!(auth.is_token("secret"));
        for bad in ["", "secre", "secrets", "Secret"] {
            assert!(!auth.is_token(bad));
        }
    }
}
