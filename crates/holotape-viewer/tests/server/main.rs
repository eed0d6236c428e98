//! Tests of the server: as used by the page, and under attack.

mod access;
mod client;
mod dataset;
mod downloads;
mod edits;
mod guard;
mod lan;
mod lan_codes;
mod lan_connections;
mod lan_live;
mod lan_tls;
mod limits;
mod listen;
mod live;
mod live_client;
mod live_ends;
mod live_many;
mod previews;
mod saves;
mod slow_clients;
mod state;
mod uploads;
