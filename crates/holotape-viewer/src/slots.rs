//! Limits on what clients hold at once: in total, and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::http_error::HttpError;

/// The address that the slots of a client are counted for. `None` for clients on this machine: all of them have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientAddress(Option<IpAddr>);

impl ClientAddress {
    pub(crate) const LOCAL: Self = Self(None);

    pub(crate) fn new(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self((!address.is_loopback()).then_some(address))
    }

    /// How many of `max` this client may hold.
    pub(crate) fn share_of(self, max: usize) -> usize {
        if self.0.is_some() { (max / 2).max(1) } else { max }
    }
}

/// Slots of one kind. One address may hold at most half of them, so that it cannot exclude others.
pub(crate) struct Slots {
    /// What a slot is for, in messages.
    what: &'static str,
    max: usize,
    total: Arc<Semaphore>,
    /// Free slots by address. Slots that are held keep an entry alive.
    shares: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// Slots that are held until this is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    total: OwnedSemaphorePermit,
    share: Option<OwnedSemaphorePermit>,
}

impl Slots {
    pub(crate) fn new(what: &'static str, max: usize) -> Self {
        Self { what, max, total: Arc::new(Semaphore::new(max)), shares: Mutex::default() }
    }

    /// Fails with 429 if the share of the address is in use, and with 503 if all slots are.
    pub(crate) fn try_acquire(&self, client: ClientAddress, count: u32) -> Result<Slot, HttpError> {
        let share = self.share_of(client).map(|share| share.try_acquire_many_owned(count));
        let share = share.transpose().map_err(|_| self.share_in_use())?;
        let total = self.total.clone().try_acquire_many_owned(count).map_err(|_| self.all_in_use())?;
        Ok(Slot { total, share })
    }

    /// Waits for a free slot. After `max_wait`, fails as [`try_acquire`](Self::try_acquire) does.
    pub(crate) async fn acquire(&self, client: ClientAddress, max_wait: Duration) -> Result<Slot, HttpError> {
        let mut has_share = false;
        let acquire = async {
            let share = match self.share_of(client) {
                Some(share) => Some(share.acquire_owned().await?),
                None => None,
            };
            has_share = true;
            Ok::<_, AcquireError>(Slot { total: self.total.clone().acquire_owned().await?, share })
        };
        let acquired = timeout(max_wait, acquire).await;
        match acquired {
            Ok(Ok(slot)) => Ok(slot),
            Err(_) if !has_share => Err(self.share_in_use()),
            _ => Err(self.all_in_use()),
        }
    }

    /// Waits until no slot is in use.
    pub(crate) async fn all_released(&self) {
        let max = u32::try_from(self.max).unwrap_or(u32::MAX);
        self.total.acquire_many(max).await.ok();
    }

    fn share_of(&self, client: ClientAddress) -> Option<Arc<Semaphore>> {
        let address = client.0?;
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| share.strong_count() > 0);
        let known = shares.get(&address).and_then(Weak::upgrade);
        Some(known.unwrap_or_else(|| {
            let share = Arc::new(Semaphore::new(client.share_of(self.max)));
            shares.insert(address, Arc::downgrade(&share));
            share
        }))
    }

    fn share_in_use(&self) -> HttpError {
        let message = format!("too many {} at once from your address: wait for one to end", self.what);
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    fn all_in_use(&self) -> HttpError {
        let message = format!("too many {} at once: try again in a few seconds", self.what);
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl Slot {
    /// Adds slots of the same kind and client.
    pub(crate) fn merge(&mut self, other: Self) {
        self.total.merge(other.total);
        match (&mut self.share, other.share) {
            (Some(share), Some(other)) => share.merge(other),
            (share, other) => *share = share.take().or(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientAddress {
        ClientAddress::new(address.parse().expect("an address"))
    }

    fn refusal(slots: &Slots, address: &str) -> Option<u16> {
        slots.try_acquire(client(address), 1).err().map(|error| error.status().as_u16())
    }

    #[test]
    fn one_address_gets_half_of_the_slots_and_others_the_rest() {
        let slots = Slots::new("jobs", 4);
        let first = [(); 2].map(|()| slots.try_acquire(client("192.168.1.2"), 1).unwrap());
        assert_eq!(refusal(&slots, "192.168.1.2"), Some(429));
        assert_eq!(refusal(&slots, "::ffff:192.168.1.2"), Some(429));
        let second = [(); 2].map(|()| slots.try_acquire(client("192.168.1.3"), 1).unwrap());
        assert_eq!(refusal(&slots, "192.168.1.4"), Some(503));
        drop(first);
        assert_eq!(refusal(&slots, "192.168.1.3"), Some(429));
        assert_eq!(refusal(&slots, "192.168.1.2"), None);
        drop(second);
        assert_eq!(refusal(&slots, "192.168.1.3"), None);
        assert_eq!(slots.shares.lock().unwrap().len(), 1, "unused shares are removed");
    }

    /// All devices of a room are in one IPv6 network. Clients that hold slots have sent a token.
    #[test]
    fn each_ipv6_address_has_a_share() {
        let slots = Slots::new("jobs", 2);
        let _held = slots.try_acquire(client("2001:db8::1"), 1).unwrap();
        assert_eq!(refusal(&slots, "2001:db8::1"), Some(429));
        assert_eq!(refusal(&slots, "2001:db8::2"), None);
    }

    #[test]
    fn clients_on_this_machine_share_all_slots() {
        let slots = Slots::new("jobs", 3);
        let _held = ["127.0.0.1", "127.0.0.1", "::1"].map(|address| slots.try_acquire(client(address), 1).unwrap());
        assert_eq!(refusal(&slots, "127.0.0.1"), Some(503));
    }

    #[test]
    fn single_slot_is_available_to_every_address() {
        assert_eq!(refusal(&Slots::new("jobs", 1), "192.168.1.2"), None);
    }

    #[tokio::test]
    async fn waiting_ends_when_a_slot_of_the_share_is_released() {
        let slots = Arc::new(Slots::new("jobs", 2));
        let held = slots.try_acquire(client("192.168.1.2"), 1).unwrap();
        let refused = slots.acquire(client("192.168.1.2"), Duration::ZERO).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        let waiting = slots.clone();
        let waiting = tokio::spawn(async move { waiting.acquire(client("192.168.1.2"), Duration::MAX).await });
        let other = slots.acquire(client("192.168.1.3"), Duration::MAX).await.unwrap();
        let refused = slots.acquire(client("192.168.1.4"), Duration::ZERO).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop((held, other));
        waiting.await.unwrap().unwrap();
        slots.all_released().await;
    }
}
