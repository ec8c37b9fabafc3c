//! Stands in for crate `web-time`, which the solver of linear programs uses.
//!
//! The original asks JavaScript for the time in WebAssembly, so that its user must also run a generator of JavaScript. The
//! program for pages imports nothing. It needs no time either: its limits are numbers of nodes, so that the same
//! figure has the same proof everywhere. Its clock stands still. On other targets this is the standard library's clock.

#[cfg(not(target_family = "wasm"))]
pub use std::time::*;

#[cfg(target_family = "wasm")]
mod still {
    use std::ops::Add;
    pub use std::time::Duration;

    /// A moment of a clock that stands still: the time since its only moment.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        pub const fn now() -> Self {
            Self(Duration::ZERO)
        }

        pub const fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        pub const fn checked_add(&self, time: Duration) -> Option<Self> {
            match self.0.checked_add(time) {
                Some(time) => Some(Self(time)),
                None => None,
            }
        }

        pub const fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}

#[cfg(target_family = "wasm")]
pub use still::*;
