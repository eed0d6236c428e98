//! The server's TLS identity: a key and a self-signed certificate, generated at every start.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256,
};
use sha2::{Digest, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::hosts::ServerHosts;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Headset clocks may be off by a day until they synchronize.
const VALIDITY_BACKDATE: Duration = DAY;

/// Browsers accept up to 398 days.
const VALIDITY: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The key exists only in the memory of this process.
pub(super) struct TlsIdentity {
    pub(super) acceptor: TlsAcceptor,
    fingerprint: [u8; 32],
}

impl TlsIdentity {
    pub(super) fn generate(hosts: &ServerHosts) -> io::Result<Self> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(io::Error::other)?;
        let certificate = params(hosts).and_then(|params| params.self_signed(&key)).map_err(io::Error::other)?;
        let certificate = certificate.der().clone();
        let fingerprint = Sha256::digest(&certificate).into();
        let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(io::Error::other)?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|versions| versions.with_no_client_auth().with_single_cert(vec![certificate], key));
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

fn params(hosts: &ServerHosts) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(hosts.subject_names())?;
    let now = SystemTime::now();
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
