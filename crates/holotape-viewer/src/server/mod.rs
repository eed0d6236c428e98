//! The HTTP server: for this machine, or for paired devices in the local network.

mod addresses;
mod connection;
mod cookie;
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
mod state_dir;
mod stream;
mod tls;
mod token;
mod upload;
mod work;

use std::env;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::FromRef;
use holotape::stream::protocol::{PROBE_TIMEOUT, RECONNECT_TIMEOUT};
use holotape::{Error, Recording, Result};
use holotape_convert::{ImportedRecording, Losses};
use tokio::runtime;

#[cfg(test)]
pub(crate) use self::download::DownloadFormat;
pub use self::lan::{LanOptions, LanServer};
pub use self::pairing::{LanEvent, NewCodeReason, PairedDevice, PairedDevices};
pub use self::state_dir::DamagedFile;
pub use self::token::AccessToken;

use self::connection::HttpServer;
use self::guard::Guard;
use self::hosts::ServerHosts;
use self::limits::WorkLimits;
use self::listener::listen_locally;
use crate::api::{FailureInfo, Origin};
use crate::library::{Document, Library, ServedDataset, Source};
use crate::live::{LiveTakes, SavedRecording, TakeTimeouts};

/// Options of a [`Viewer`].
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
    record_dir: Option<PathBuf>,
    take_timeouts: TakeTimeouts,
    client_timeout: Duration,
    token: TokenOption,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TokenOption {
    Random,
    Chosen(AccessToken),
    NotRequired,
}

impl ViewerOptions {
    /// No editing, uploads up to 256 MiB, a random access token.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            edit: false,
            upload_limit_bytes: 256 << 20,
            record_dir: None,
            take_timeouts: TakeTimeouts { reconnect: RECONNECT_TIMEOUT, probe: PROBE_TIMEOUT },
            client_timeout: Duration::from_secs(20),
            token: TokenOption::Random,
        }
    }

    /// Sets whether recordings may be edited and saved. Otherwise the server changes no existing file; live takes are saved as
    /// new files. Up to 32 changes per recording can be undone, fewer if they take more than 1 GiB, but at least one.
    #[must_use]
    pub fn with_edit(self, edit: bool) -> Self {
        Self { edit, ..self }
    }

    /// Sets the maximum size of an upload, before and after decompression. All uploads together may be four times as large.
    #[must_use]
    pub fn with_upload_limit_bytes(self, upload_limit_bytes: u64) -> Self {
        Self { upload_limit_bytes, ..self }
    }

    /// Sets the directory in which live takes are saved; by default the current directory. It is created if it is missing.
    #[must_use]
    pub fn with_record_dir(self, dir: impl Into<PathBuf>) -> Self {
        Self { record_dir: Some(dir.into()), ..self }
    }

    /// Sets how long a take waits for its recorder to reconnect before it is saved; by default 2 minutes.
    #[must_use]
    pub fn with_reconnect_timeout(self, reconnect: Duration) -> Self {
        Self { take_timeouts: TakeTimeouts { reconnect, ..self.take_timeouts }, ..self }
    }

    /// Sets how long the connection of a recorder may take to answer a ping before another one replaces it; by default 1 s.
    #[must_use]
    pub fn with_probe_timeout(self, probe: Duration) -> Self {
        Self { take_timeouts: TakeTimeouts { probe, ..self.take_timeouts }, ..self }
    }

    /// Sets how long the server waits for a client: to finish a TLS handshake, to send a request with a token and its body, or to
    /// read what it was sent. Uploads and responses may take longer at 32 KiB per second. By default 20 s.
    #[must_use]
    pub fn with_client_timeout(self, client_timeout: Duration) -> Self {
        Self { client_timeout, ..self }
    }

    /// Sets the token that clients must send. By default, each server has a random one.
    #[must_use]
    pub fn with_token(self, token: AccessToken) -> Self {
        Self { token: TokenOption::Chosen(token), ..self }
    }

    /// Accepts clients without a token: every user of this machine can read all recordings and record. Has no effect on a
    /// [`LanServer`].
    #[must_use]
    pub fn without_token(self) -> Self {
        Self { token: TokenOption::NotRequired, ..self }
    }
}

impl Default for ViewerOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// All open uploads together may be this many times the size of the largest allowed one.
const MAX_LARGE_UPLOADS_OPEN: u64 = 4;

struct AppState {
    options: ViewerOptions,
    library: Arc<Library>,
    live: LiveTakes,
    limits: WorkLimits,
    /// Directory in which recordings that did not come from a file are saved.
    folder: PathBuf,
}

impl FromRef<Arc<AppState>> for LiveTakes {
    fn from_ref(app: &Arc<AppState>) -> Self {
        app.live.clone()
    }
}

/// A server of recordings and of the page that displays them.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.add("demo.bin", holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?)?;
/// let server = viewer.bind(0)?;
/// println!("open {} in a browser", server.url());
/// # let shutdown = std::future::ready(());
/// let unsaved = server.serve_until(shutdown)?;
/// # assert!(unsaved.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct Viewer {
    app: Arc<AppState>,
}

impl Viewer {
    /// Creates a viewer without recordings.
    #[must_use]
    pub fn new(options: ViewerOptions) -> Self {
        let library = Arc::new(Library::new(options.upload_limit_bytes.saturating_mul(MAX_LARGE_UPLOADS_OPEN)));
        let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let record_dir = options.record_dir.as_ref().map_or_else(|| folder.clone(), |dir| folder.join(dir));
        // With the separators of the system: the page shows commands with this path.
        let record_dir = path::absolute(&record_dir).unwrap_or(record_dir);
        let live = LiveTakes::new(record_dir, options.take_timeouts, library.clone());
        let limits = WorkLimits::new(options.upload_limit_bytes, options.client_timeout);
        Self { app: Arc::new(AppState { options, library, live, limits, folder }) }
    }

    /// Sets a callback for every live take that was saved or could not be saved, including those saved during shutdown. Has no
    /// effect after the first call.
    pub fn on_saved(&self, listener: impl Fn(&SavedRecording) + Send + Sync + 'static) {
        self.app.live.on_saved(listener);
    }

    /// Opens a file of any supported format and returns its losses. The page lists files that could not be opened.
    ///
    /// # Errors
    /// Same as [`holotape_convert::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Losses> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let added = holotape_convert::open(path).and_then(|imported| {
            let folder = std::path::absolute(path)?.parent().map_or_else(|| self.app.folder.clone(), Path::to_owned);
            self.add_to_library(Source { name: name.clone(), origin: Origin::File, folder }, imported)
        });
        added.inspect_err(|error| self.add_failure(name, error))
    }

    /// Lists a file on the page as one that could not be opened.
    pub fn add_failure(&self, name: impl Into<String>, error: &Error) {
        self.app.library.add_failure(FailureInfo { name: name.into(), message: message_without_path(error) });
    }

    /// Adds a recording that was not read from a file, for example from standard input, and returns its losses. It is saved in
    /// the current directory.
    ///
    /// # Errors
    /// Fails if a curve has more keys than its format can count.
    pub fn add_imported(&self, name: impl Into<String>, imported: ImportedRecording) -> Result<Losses> {
        let source = Source { name: name.into(), origin: Origin::File, folder: self.app.folder.clone() };
        self.add_to_library(source, imported)
    }

    fn add_to_library(&self, source: Source, imported: ImportedRecording) -> Result<Losses> {
        let losses = imported.losses.clone();
        self.app.library.add(Document::from_import(source, imported)?);
        Ok(losses)
    }

    /// Adds a generated recording, such as a demo. It is saved in the current directory.
    ///
    /// # Errors
    /// Fails if a curve has more keys than its format can count.
    pub fn add(&self, name: impl Into<String>, recording: Recording) -> Result<()> {
        let source = Source { name: name.into(), origin: Origin::Demo, folder: self.app.folder.clone() };
        self.app.library.add(Document::new(source, recording)?);
        Ok(())
    }

    /// Serves a dataset's report at `/report`, and its recordings at `/?recording=NAME`. Has no effect after the first call.
    pub fn set_dataset(&self, dataset: ServedDataset) {
        self.app.library.set_dataset(dataset);
    }

    /// Listens on a port of the loopback interface; 0 selects a free port.
    ///
    /// # Errors
    /// Fails if the port is in use.
    pub fn bind(self, port: u16) -> Result<LocalServer> {
        let failed = |error: io::Error| Error::from(error).with_path(format!("{}:{port}", Ipv4Addr::LOCALHOST));
        let listener = listen_locally(port).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = self.resolve_token()?;
        Ok(LocalServer { viewer: self, address, listener, token })
    }

    fn resolve_token(&self) -> Result<Option<AccessToken>> {
        match &self.app.options.token {
            TokenOption::Random => AccessToken::random().map(Some),
            TokenOption::Chosen(token) => Ok(Some(token.clone())),
            TokenOption::NotRequired => Ok(None),
        }
    }

    /// The routes, for your own server at `127.0.0.1` or `localhost`. Requests for other hosts are rejected, and requests without
    /// the token if there is one; the token of the options is not used.
    ///
    /// ```
    /// use holotape_viewer::{AccessToken, Viewer, ViewerOptions};
    ///
    /// let token = AccessToken::random()?;
    /// let router: axum::Router = Viewer::new(ViewerOptions::new()).router(8000, Some(token));
    /// # drop(router);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn router(&self, port: u16, token: Option<AccessToken>) -> Router {
        let guard = Guard::new(Arc::new(ServerHosts::loopback(port)), token);
        guard::protect(routes::router(self.app.clone()), guard)
    }
}

/// The message of an error, without the path that it starts with.
fn message_without_path(error: &Error) -> String {
    let message = error.to_string();
    let path = error.path().map(|path| format!("{}: ", path.display())).unwrap_or_default();
    message.strip_prefix(&path).unwrap_or(&message).to_owned()
}

/// A [`Viewer`] that listens on a port.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let server = Viewer::new(ViewerOptions::new()).bind(0)?;
/// assert!(server.url().starts_with("http://127.0.0.1:"));
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct LocalServer {
    viewer: Viewer,
    address: SocketAddr,
    listener: TcpListener,
    token: Option<AccessToken>,
}

impl LocalServer {
    /// The address of the page, with the access token.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of("/")
    }

    /// The address of a path such as `/report`, with the access token.
    #[must_use]
    pub fn url_of(&self, path: &str) -> String {
        let token = self.token.as_ref().map(|token| format!("?token={}", token.as_str())).unwrap_or_default();
        format!("http://{}{path}{token}", self.address)
    }

    /// The port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Serves on this thread until `shutdown` resolves. Open requests then have 2 s to finish, and live takes are saved. Returns
    /// the names of recordings with unsaved changes.
    ///
    /// # Errors
    /// Fails if the runtime or the listener fails.
    pub fn serve_until(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<Vec<String>> {
        run(self.viewer.app.clone(), self.serve(shutdown))
    }

    async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let router = self.viewer.router(self.address.port(), self.token);
        let server = HttpServer::new(router, None, self.viewer.app.options.client_timeout);
        server.serve_until(vec![self.listener], shutdown).await
    }
}

/// Serves on this thread and returns the names of recordings with unsaved changes.
fn run(app: Arc<AppState>, serve: impl Future<Output = io::Result<()>>) -> Result<Vec<String>> {
    let mut builder = runtime::Builder::new_current_thread();
    // Idle threads would each keep their memory.
    let runtime = builder.thread_keep_alive(Duration::ZERO).enable_all().build()?;
    let served = runtime.block_on(async {
        let served = serve.await;
        app.live.shut_down().await;
        served
    });
    // A download that the client does not read would block forever.
    runtime.shutdown_timeout(Duration::ZERO);
    served?;
    Ok(app.library.unsaved())
}
