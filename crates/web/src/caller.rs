//! Where a request comes from: its address, its browser's key, and whether it is
//! the operator's. Limits are counted by address and key; games belong to keys.
//!
//! A key is a cookie that can't be guessed. A request without one gets a new key,
//! which the answer sets where a browser will keep it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::error::ApiError;

/// The name of the cookie with the key.
const COOKIE: &str = "boyi-key";
/// How long a browser keeps it, in seconds: a year.
const LIFETIME: u32 = 365 * 24 * 3600;

/// The address at the other end of a connection, as a request's extension.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Its network address; an IPv6 network counts as one address.
    pub address: IpAddr,
    /// The key that its games belong to.
    pub key: String,
    /// Whether the key came with the request.
    pub is_known: bool,
    /// Whether it may do everything: on a loopback address, or with the
    /// operator's token.
    pub is_operator: bool,
}

impl Caller {
    /// The sender of a request with these headers.
    pub fn new(peer: Option<Peer>, headers: &HeaderMap, is_operator: bool) -> Caller {
        let address = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |Peer(peer)| peer.ip());
        let given = cookies(headers, COOKIE).find(|key| crate::id::is_one(key));
        Caller {
            address: network(address),
            is_known: given.is_some(),
            key: given.map_or_else(crate::id::fresh, str::to_owned),
            is_operator,
        }
    }

    /// The header that makes a browser keep the key. It goes with links from other
    /// pages too, or such a visit would look like one of a new browser.
    pub fn cookie(&self) -> HeaderValue {
        let text =
            format!("{COOKIE}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age={LIFETIME}", self.key);
        HeaderValue::from_str(&text).expect("letters and digits")
    }
}

/// One machine has a whole IPv6 network of 64 bits to choose its address from.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        other => other,
    }
}

/// The values of the cookies with this name.
pub fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .filter(move |(given, _)| *given == name)
        .map(|(_, value)| value)
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(|| {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the request was not checked")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(address: &str, cookie: &str) -> Caller {
        let headers = HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())]);
        Caller::new(Some(Peer(address.parse().unwrap())), &headers, false)
    }

    #[test]
    fn a_key_is_read_from_its_cookie() {
        let key = crate::id::fresh();
        let known = caller("10.0.0.7:9", &format!("boyi=x; boyi-key={key}"));
        assert_eq!((known.key.as_str(), known.is_known), (key.as_str(), true));
        for bad in ["", "boyi-key=", "boyi-key=short", "xboyi-key=aaaaaaaaaaaaaaaaaaaaaaaaaa"] {
            assert!(!caller("10.0.0.7:9", bad).is_known, "{bad}");
        }
        assert_ne!(caller("10.0.0.7:9", "").key, caller("10.0.0.7:9", "").key);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let [a, b, other] = ["[2001:db8:0:1::5]:1", "[2001:db8:0:1::6]:2", "[2001:db8:0:2::5]:1"]
            .map(|text| caller(text, "").address);
        assert_eq!(a, b);
        assert_ne!(a, other);
        assert_eq!(caller("[::ffff:10.0.0.7]:1", "").address, caller("10.0.0.7:2", "").address);
    }
}
