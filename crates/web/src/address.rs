//! Addresses by which others reach this machine.
//!
//! A server that listens on every address (`0.0.0.0`) is at none that a browser
//! could open, so the link that it prints names one of the machine's own.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// The addresses at which a server that listens here can be reached from other
/// machines, the most likely one first; loopback if there is no other.
pub fn reachable(bound: SocketAddr) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return vec![bound];
    }
    let mut found: Vec<IpAddr> = default_route().into_iter().collect();
    for ip in interfaces() {
        let family = ip.is_ipv4() || bound.is_ipv6();
        if family && !ip.is_loopback() && !is_link_local(ip) && !found.contains(&ip) {
            found.push(ip);
        }
    }
    if found.is_empty() {
        found.push(Ipv4Addr::LOCALHOST.into());
    }
    found.into_iter().map(|ip| SocketAddr::new(ip, bound.port())).collect()
}

/// An address that means something else on every network it is used in.
fn is_link_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}

/// The address from which packets leave for elsewhere, if there is a route.
/// Connecting a UDP socket sends nothing; the destination is one of those that
/// are reserved for documentation.
fn default_route() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
}

/// The addresses of all interfaces that are up.
#[cfg(unix)]
fn interfaces() -> Vec<IpAddr> {
    let mut first = std::ptr::null_mut();
    // SAFETY: it fills in the pointer, or fails and leaves it null.
    if unsafe { libc::getifaddrs(&mut first) } != 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut next = first;
    // SAFETY: the list from getifaddrs is linked by `ifa_next` and ends with
    // null; it lives until freeifaddrs below.
    while let Some(entry) = unsafe { next.as_ref() } {
        next = entry.ifa_next;
        let up = entry.ifa_flags & libc::IFF_UP as libc::c_uint != 0;
        // SAFETY: `ifa_addr` is null or points to an address of the list.
        let Some(address) = (unsafe { entry.ifa_addr.as_ref() }).filter(|_| up) else { continue };
        match i32::from(address.sa_family) {
            libc::AF_INET => {
                // SAFETY: the family says that it is a `sockaddr_in`.
                let address = unsafe { &*entry.ifa_addr.cast::<libc::sockaddr_in>() };
                found.push(IpAddr::from(address.sin_addr.s_addr.to_ne_bytes()));
            }
            libc::AF_INET6 => {
                // SAFETY: the family says that it is a `sockaddr_in6`.
                let address = unsafe { &*entry.ifa_addr.cast::<libc::sockaddr_in6>() };
                found.push(IpAddr::from(address.sin6_addr.s6_addr));
            }
            _ => {}
        }
    }
    // SAFETY: it came from getifaddrs and is freed once.
    unsafe { libc::freeifaddrs(first) };
    found
}

#[cfg(not(unix))]
fn interfaces() -> Vec<IpAddr> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unspecified_address_is_never_in_a_link() {
        for bound in ["0.0.0.0:8000", "[::]:8000"] {
            let found = reachable(bound.parse().unwrap());
            assert!(!found.is_empty());
            assert!(found.iter().all(|one| !one.ip().is_unspecified() && one.port() == 8000));
        }
        let given: SocketAddr = "192.168.1.5:80".parse().unwrap();
        assert_eq!(reachable(given), [given]);
        if cfg!(unix) {
            assert!(interfaces().contains(&Ipv4Addr::LOCALHOST.into()));
        }
    }
}
