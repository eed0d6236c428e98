//! The server: recordings for the page, for this machine only or for those who have paired.

mod addresses;
mod dataset;
mod download;
mod guard;
mod hosts;
mod https_redirect;
mod lan;
mod limits;
mod listener;
mod pairing;
mod routes;
mod stream;
mod tls;
mod unauthenticated;
mod upload;
mod work;

use std::env;
use std::future::{Future, IntoFuture};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::FromRef;
use holotape::stream::protocol::RECONNECT_TIMEOUT;
use holotape::{Error, Recording, Result};
use holotape_convert::{ImportedRecording, Losses};
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::time::sleep;

pub use self::lan::{LanOptions, LanServer};
pub use self::pairing::{LanEvent, NewCodeReason};

use self::guard::Guard;
use self::hosts::ServerHosts;
use self::limits::WorkLimits;
use crate::api::{FailureInfo, Origin};
use crate::library::{Document, Library, ServedDataset, Source};
use crate::live::{LiveTakes, SavedRecording};

/// What may be done with a [`Viewer`].
///
/// ```
/// use holotape_viewer::ViewerOptions;
///
/// let options = ViewerOptions::new().with_edit(true).with_upload_limit_bytes(1 << 20);
/// assert_ne!(options, ViewerOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewerOptions {
    edit: bool,
    upload_limit_bytes: u64,
    takes_folder: Option<PathBuf>,
    reconnect_timeout: Duration,
}

impl ViewerOptions {
    /// Recordings are shown, and files up to 256 MiB can be dropped on the page.
    #[must_use]
    pub const fn new() -> Self {
        Self { edit: false, upload_limit_bytes: 256 << 20, takes_folder: None, reconnect_timeout: RECONNECT_TIMEOUT }
    }

    /// Whether recordings may be changed and saved. Without, no file that is there changes; recording makes new ones. The last 32
    /// changes of a recording can be undone; fewer, but always the last, if what that takes is larger than 1 GiB.
    #[must_use]
    pub fn with_edit(self, edit: bool) -> Self {
        Self { edit, ..self }
    }

    /// The largest file that can be dropped on the page, and the largest recording that one may be unpacked to. All together
    /// may be four times as large.
    #[must_use]
    pub fn with_upload_limit_bytes(self, upload_limit_bytes: u64) -> Self {
        Self { upload_limit_bytes, ..self }
    }

    /// Where takes are saved that are recorded in the browser; in the current folder unless given. It is made if it is not there.
    #[must_use]
    pub fn with_record_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self { takes_folder: Some(folder.into()), ..self }
    }

    /// How long a take waits for its recorder, whose connection was lost, before it is saved as it is; two minutes unless given.
    #[must_use]
    pub fn with_reconnect_timeout(self, reconnect_timeout: Duration) -> Self {
        Self { reconnect_timeout, ..self }
    }
}

impl Default for ViewerOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// How many files of the largest size may be open that were dropped on the page.
const MAX_LARGE_UPLOADS: u64 = 4;

/// How long those who are being answered may take when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// What all answers share.
struct AppState {
    options: ViewerOptions,
    library: Arc<Library>,
    live: LiveTakes,
    turns: WorkLimits,
    /// Where takes are saved that come from no file.
    folder: PathBuf,
}

impl FromRef<Arc<AppState>> for LiveTakes {
    fn from_ref(shared: &Arc<AppState>) -> Self {
        shared.live.clone()
    }
}

/// Recordings, and the page that shows them.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.add("demo.bin", holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?)?;
/// let bound = viewer.bind(0)?;
/// println!("open {} in a browser", bound.url());
/// # let enough = std::future::ready(());
/// let unsaved = bound.serve_until(enough)?;
/// # assert!(unsaved.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct Viewer {
    shared: Arc<AppState>,
}

impl Viewer {
    /// Shows nothing yet.
    #[must_use]
    pub fn new(options: ViewerOptions) -> Self {
        let library = Arc::new(Library::new(options.upload_limit_bytes.saturating_mul(MAX_LARGE_UPLOADS)));
        let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let takes_folder = options.takes_folder.clone().map_or_else(|| folder.clone(), |takes| folder.join(takes));
        let live = LiveTakes::new(takes_folder, options.reconnect_timeout, library.clone());
        Self { shared: Arc::new(AppState { options, library, live, turns: WorkLimits::default(), folder }) }
    }

    /// Tells of every take that was recorded in the browser and is saved, or could not be: those too that are saved when the
    /// server ends. Only the first who wants to know is told.
    pub fn on_saved(&self, listener: impl Fn(&SavedRecording) + Send + Sync + 'static) {
        self.shared.live.on_saved(listener);
    }

    /// Shows a file of any kind that can be read, and says what a recording has no place for. What cannot be opened is told on
    /// the page as well.
    ///
    /// # Errors
    /// As with [`holotape_convert::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Losses> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let opened = holotape_convert::open(path).and_then(|opened| {
            let folder = std::path::absolute(path)?.parent().map_or_else(|| self.shared.folder.clone(), Path::to_owned);
            self.add_to_library(Source { name: name.clone(), origin: Origin::File, folder }, opened)
        });
        opened.inspect_err(|error| self.add_failure(name, error))
    }

    /// Tells on the page that something could not be opened.
    pub fn add_failure(&self, name: impl Into<String>, error: &Error) {
        self.shared.library.add_failure(FailureInfo { name: name.into(), error: message_without_path(error) });
    }

    /// Shows what was read from no file, from standard input for example, and says what a recording has no place for. It is
    /// saved in the current folder.
    ///
    /// # Errors
    /// If it has more keys in a curve than its format can count.
    pub fn add_imported(&self, name: impl Into<String>, opened: ImportedRecording) -> Result<Losses> {
        let source = Source { name: name.into(), origin: Origin::File, folder: self.shared.folder.clone() };
        self.add_to_library(source, opened)
    }

    fn add_to_library(&self, source: Source, opened: ImportedRecording) -> Result<Losses> {
        let losses = opened.losses.clone();
        self.shared.library.add(Document::opened(source, opened)?);
        Ok(losses)
    }

    /// Shows a recording that was made for it: a demo. It is saved in the current folder.
    ///
    /// # Errors
    /// If it has more keys in a curve than its format can count.
    pub fn add(&self, name: impl Into<String>, recording: Recording) -> Result<()> {
        let source = Source { name: name.into(), origin: Origin::Demo, folder: self.shared.folder.clone() };
        self.shared.library.add(Document::new(source, recording)?);
        Ok(())
    }

    /// Shows a page about a corpus at `/report`, and any of its takes at `/?take=NAME`. Only the first corpus counts.
    pub fn set_corpus(&self, corpus: ServedDataset) {
        self.shared.library.set_dataset(corpus);
    }

    /// Listens on a port of this machine, which nobody can reach from another one; on any that is free if it is 0.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn bind(self, port: u16) -> Result<LocalServer> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listen = || {
            let listener = TcpListener::bind(wanted)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        let failed = |error: io::Error| Error::from(error).with_path(wanted.to_string());
        let (address, listener) = listen().map_err(failed)?;
        Ok(LocalServer { viewer: self, address, listener })
    }

    /// Everything that is served, for a server of one's own that is reached as `127.0.0.1` or `localhost` on this port.
    /// Whoever calls it something else is refused.
    ///
    /// ```
    /// use holotape_viewer::{Viewer, ViewerOptions};
    ///
    /// let router: axum::Router = Viewer::new(ViewerOptions::new()).router(8000);
    /// # drop(router);
    /// ```
    pub fn router(&self, port: u16) -> Router {
        guard::protect(routes::router(self.shared.clone()), Guard::new(Arc::new(ServerHosts::loopback(port))))
    }
}

/// The words of an error about a file that is named elsewhere.
fn message_without_path(error: &Error) -> String {
    let message = error.to_string();
    let path = error.path().map(|path| format!("{}: ", path.display())).unwrap_or_default();
    message.strip_prefix(&path).unwrap_or(&message).to_owned()
}

/// A [`Viewer`] that has a port.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let bound = Viewer::new(ViewerOptions::new()).bind(0)?;
/// assert!(bound.url().starts_with("http://127.0.0.1:"));
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct LocalServer {
    viewer: Viewer,
    address: SocketAddr,
    listener: TcpListener,
}

impl LocalServer {
    /// The address of the page.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until something happens, on this thread; those who are being answered then have two seconds more, and takes that
    /// are being recorded are saved. Gives the names of recordings with changes that nobody saved.
    ///
    /// # Errors
    /// If the system refuses what a server needs.
    pub fn serve_until(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<Vec<String>> {
        run(self.viewer.shared.clone(), self.serve(shutdown))
    }

    async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let router = self.viewer.router(self.address.port());
        serve_with_shutdown(shutdown, |told| axum::serve(listener, router).with_graceful_shutdown(told)).await
    }
}

/// Serves on this thread; gives the names of recordings with changes that nobody saved.
fn run(shared: Arc<AppState>, serve: impl Future<Output = io::Result<()>>) -> Result<Vec<String>> {
    let mut builder = runtime::Builder::new_current_thread();
    // A thread that ends leaves its memory to the next; those that linger have some each.
    let runtime = builder.thread_keep_alive(Duration::ZERO).enable_all().build()?;
    let served = runtime.block_on(async {
        let served = serve.await;
        shared.live.shut_down().await;
        served
    });
    // Whoever writes for somebody who does not read would wait for ever.
    runtime.shutdown_timeout(Duration::ZERO);
    served?;
    Ok(shared.library.unsaved())
}

/// Lets a server know when it is to end, and waits a little for those who are being answered.
async fn serve_with_shutdown<S: IntoFuture<Output = io::Result<()>>>(
    shutdown: impl Future<Output = ()> + Send + 'static,
    server: impl FnOnce(Pin<Box<dyn Future<Output = ()> + Send>>) -> S,
) -> io::Result<()> {
    let (end, ended) = oneshot::channel();
    let told = async {
        shutdown.await;
        end.send(()).ok();
    };
    let server = server(Box::pin(told));
    let late = async {
        ended.await.ok();
        sleep(SHUTDOWN_TIMEOUT).await;
    };
    tokio::select! {
        served = server.into_future() => served,
        () = late => Ok(()),
    }
}
