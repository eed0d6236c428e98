//! TLS: the server's certificate and the handshake of a connection.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use holotape::{Error, ErrorKind, Result};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use super::hosts::ServerHosts;
use super::https_redirect;
use super::state_dir::{StateDir, StateFile};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Headset clocks may be off by a day until they synchronize.
const VALIDITY_BACKDATE: Duration = DAY;

/// Browsers accept up to 398 days.
const VALIDITY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A certificate that expires sooner is replaced.
const MIN_REMAINING: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// First byte of a TLS connection.
const TLS_HANDSHAKE: u8 = 0x16;

const FILE_NAME: &str = "certificate.json";

/// A certificate with its key.
pub(super) struct TlsIdentity {
    acceptor: TlsAcceptor,
    fingerprint: [u8; 32],
}

/// A self-signed certificate, as it is kept in the state directory.
#[derive(Debug, Serialize, Deserialize)]
struct StoredCertificate {
    /// DER in Base64.
    certificate: String,
    /// PKCS #8 in Base64.
    key: String,
    hosts: Vec<String>,
    expires_unix_secs: u64,
}

impl TlsIdentity {
    /// The certificate of the state directory. A new one is made if there is none, if it expires soon, or if it does not cover
    /// all hosts.
    pub(super) fn load_or_generate(hosts: &ServerHosts, state: Option<&StateDir>) -> Result<Self> {
        let Some(state) = state else { return Self::from_stored(&StoredCertificate::generate(hosts)?) };
        if let StateFile::Read(stored) = state.read::<StoredCertificate>(FILE_NAME)?
            && stored.is_usable_for(hosts)
            && let Ok(identity) = Self::from_stored(&stored)
        {
            return Ok(identity);
        }
        let generated = StoredCertificate::generate(hosts)?;
        state.write(FILE_NAME, &generated)?;
        Self::from_stored(&generated)
    }

    fn from_stored(stored: &StoredCertificate) -> Result<Self> {
        let decode = |text: &str| BASE64_STANDARD.decode(text).map_err(io::Error::other);
        let key = PrivateKeyDer::try_from(decode(&stored.key)?).map_err(io::Error::other)?;
        Self::new(vec![decode(&stored.certificate)?.into()], key)
    }

    /// Reads a certificate chain and its key from PEM files.
    pub(super) fn from_files(certificates: &Path, key: &Path) -> Result<Self> {
        let invalid = |path: &Path, error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::InvalidArgument, format!("cannot read a PEM file: {error}")).with_path(path)
        };
        let failed = |path: &Path, error: pem::Error| match error {
            pem::Error::Io(error) => Error::from(error).with_path(path),
            error => invalid(path, &error),
        };
        let chain = CertificateDer::pem_file_iter(certificates).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let chain = chain.map_err(|error| failed(certificates, error))?;
        let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, error))?;
        Self::new(chain, key_der).map_err(|error| invalid(certificates, &error))
    }

    fn new(certificates: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Self> {
        let first = certificates.first().ok_or_else(|| io::Error::other("the file contains no certificate"))?;
        let fingerprint = Sha256::digest(first).into();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|versions| versions.with_no_client_auth().with_single_cert(certificates, key));
        let mut config = config.map_err(io::Error::other)?;
        // HTTP/2 opens WebSockets in another way.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint })
    }

    /// The SHA-256 fingerprint of the certificate, as browsers display it.
    pub(super) fn fingerprint(&self) -> String {
        let pairs: Vec<_> = self.fingerprint.iter().map(|byte| format!("{byte:02X}")).collect();
        pairs.join(":")
    }
}

impl StoredCertificate {
    fn generate(hosts: &ServerHosts) -> io::Result<Self> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(io::Error::other)?;
        let now = SystemTime::now();
        let certificate = params(hosts, now).and_then(|params| params.self_signed(&key)).map_err(io::Error::other)?;
        Ok(Self {
            certificate: BASE64_STANDARD.encode(certificate.der()),
            key: BASE64_STANDARD.encode(key.serialize_der()),
            hosts: hosts.subject_names(),
            expires_unix_secs: unix_secs(now + VALIDITY),
        })
    }

    fn is_usable_for(&self, hosts: &ServerHosts) -> bool {
        let covers_all = hosts.subject_names().iter().all(|host| self.hosts.contains(host));
        covers_all && unix_secs(SystemTime::now() + MIN_REMAINING) < self.expires_unix_secs
    }
}

pub(super) fn unix_secs(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn params(hosts: &ServerHosts, now: SystemTime) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(hosts.subject_names())?;
    params.not_before = (now - VALIDITY_BACKDATE).into();
    params.not_after = (now + VALIDITY).into();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "holotape");
    // A user who trusts the certificate must not trust certificates signed with it.
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

/// Performs TLS handshakes. Redirects clients that do not use TLS.
pub(super) struct TlsHandshaker {
    acceptor: TlsAcceptor,
    hosts: Arc<ServerHosts>,
}

impl TlsHandshaker {
    pub(super) fn new(identity: &TlsIdentity, hosts: Arc<ServerHosts>) -> Self {
        Self { acceptor: identity.acceptor.clone(), hosts }
    }

    /// `None` if the client does not use TLS.
    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: TcpStream,
        limit: impl FnOnce(TcpStream) -> S,
    ) -> io::Result<Option<TlsStream<S>>> {
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != TLS_HANDSHAKE {
            https_redirect::redirect_to_https(stream, &self.hosts).await?;
            return Ok(None);
        }
        self.acceptor.accept(limit(stream)).await.map(Some)
    }
}
