//! The layers on a runtime whose answers the tests choose. Real applications on a real runtime are in `interop-tests`.

#[path = "../fake/mod.rs"]
mod fake;

mod composition;
mod killed;
mod record;
mod record_failures;
mod replay;
mod replay_spaces;
