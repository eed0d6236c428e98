//! Ctrl-C, termination, and the end of the console or session.

/// Calls `handler` on another thread for each signal. On Windows also when the console window is closed, the user logs off or
/// the system shuts down: the process then has a few seconds to end by itself.
///
/// # Errors
/// If there is a handler already, or the system does not allow one.
#[cfg(not(windows))]
pub fn set_handler(handler: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    ctrlc::set_handler(handler).map_err(std::io::Error::other)
}

#[cfg(windows)]
pub use self::windows::set_handler;

#[cfg(windows)]
mod windows {
    use std::future::poll_fn;
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::Poll;
    use std::thread;

    use tokio::runtime::Builder;
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};

    static HAS_HANDLER: AtomicBool = AtomicBool::new(false);

    /// As on other systems. The crate `ctrlc` would let Windows end the process as soon as the window is closed, before a take
    /// is saved.
    pub fn set_handler(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
        if HAS_HANDLER.swap(true, Ordering::SeqCst) {
            return Err(io::Error::other("signals are handled already"));
        }
        let runtime = Builder::new_current_thread().build()?;
        let (mut interrupt, mut end) = (ctrl_c()?, ctrl_break()?);
        let (mut close, mut log_off, mut shut_down) = (ctrl_close()?, ctrl_logoff()?, ctrl_shutdown()?);
        let next_signal = move || {
            runtime.block_on(poll_fn(|context| {
                let polled = [
                    interrupt.poll_recv(context),
                    end.poll_recv(context),
                    close.poll_recv(context),
                    log_off.poll_recv(context),
                    shut_down.poll_recv(context),
                ];
                if polled.iter().any(Poll::is_ready) { Poll::Ready(()) } else { Poll::Pending }
            }))
        };
        thread::Builder::new().name("signals".to_owned()).spawn(move || handle_all(next_signal, &mut handler))?;
        Ok(())
    }

    fn handle_all(mut next_signal: impl FnMut(), handler: &mut impl FnMut()) {
        loop {
            next_signal();
            handler();
        }
    }
}
