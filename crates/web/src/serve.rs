//! Connections: how many, and how long one may take to say what it wants.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// Connections at a time; others wait in the system's queue.
const MOST: usize = 1000;
/// A request's headers must be complete after this.
const HEADERS: Duration = Duration::from_secs(5);

/// Serves for ever.
pub async fn serve(listener: TcpListener, router: Router) -> Infallible {
    let seats = Arc::new(Semaphore::new(MOST));
    loop {
        let seat = Arc::clone(&seats).acquire_owned().await.expect("never closed");
        let Ok((socket, _)) = listener.accept().await else {
            // Out of file handles, most likely: some connection will close.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = socket.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().map_request(
            |request: hyper::Request<hyper::body::Incoming>| request.map(axum::body::Body::new),
        ));
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS)
                .max_buf_size(32 * 1024);
            // A broken connection is the client's affair.
            let _ = connection.serve_connection(TokioIo::new(socket), service).await;
            drop(seat);
        });
    }
}
