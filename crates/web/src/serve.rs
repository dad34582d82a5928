//! Accepting connections, and how long one may take to say what it wants.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::caller::{Peer, network};
use crate::connections::Connections;

/// A request's headers must be complete after this.
const HEADERS: Duration = Duration::from_secs(5);

/// Serves for ever.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    raise_file_limit();
    let connections = Connections::default();
    loop {
        let Ok((socket, peer)) = listener.accept().await else {
            // Out of file handles, most likely: some connection will close.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(connection) = connections.open(network(peer.ip())) else { continue };
        let connection = Arc::new(connection);
        let _ = socket.set_nodelay(true);
        let speaking = Arc::clone(&connection);
        let service = TowerToHyperService::new(router.clone().map_request(
            move |mut request: hyper::Request<hyper::body::Incoming>| {
                speaking.speaks();
                request.extensions_mut().insert(Peer(peer));
                request.map(axum::body::Body::new)
            },
        ));
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(32 * 1024);
            tokio::select! {
                // A broken connection is the client's affair.
                _ = builder.serve_connection(TokioIo::new(socket), service) => {}
                () = connection.closed() => {}
            }
        });
    }
}

/// Lets this process open more files than the usual 1024, where it may: each
/// connection is one.
fn raise_file_limit() {
    #[cfg(unix)]
    // SAFETY: both calls read or write the one value that they are given.
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) == 0 {
            limit.rlim_cur = limit.rlim_cur.max(limit.rlim_max.min(8192));
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
    }
}
