//! The server, asked as the page asks it, and as those would who mean no good.

mod client;
mod corpus;
mod downloads;
mod edits;
mod guard;
mod lan;
mod lan_codes;
mod lan_door;
mod lan_live;
mod lan_tls;
mod listen;
mod live;
mod live_client;
mod live_ends;
mod live_many;
mod previews;
mod saves;
mod sessions;
mod turns;
mod uploads;
