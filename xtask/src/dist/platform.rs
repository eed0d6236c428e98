//! The platforms for which programs are built.

/// A platform with its names of files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    Windows,
}

impl Platform {
    pub fn name(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::Windows => "Windows",
        }
    }

    /// Rust's name of the platform.
    pub fn triple(self) -> &'static str {
        match self {
            Self::Linux => "x86_64-unknown-linux-gnu",
            Self::Windows => "x86_64-pc-windows-gnu",
        }
    }

    /// The file name of the command.
    pub fn command(self) -> &'static str {
        match self {
            Self::Linux => "holotape",
            Self::Windows => "holotape.exe",
        }
    }

    /// The file name of the library with the OpenXR layers.
    pub fn layers(self) -> &'static str {
        match self {
            Self::Linux => "libholotape_openxr.so",
            Self::Windows => "holotape_openxr.dll",
        }
    }

    /// The file name of the Python extension module, as cargo writes it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Linux => "lib_holotape.so",
            Self::Windows => "_holotape.dll",
        }
    }

    /// The file name of the Python extension module in a wheel.
    pub fn module(self) -> &'static str {
        match self {
            Self::Linux => "_holotape.abi3.so",
            Self::Windows => "_holotape.pyd",
        }
    }

    /// The platform tags of a wheel. `manylinux2014` is the name of `manylinux_2_17` that old versions of pip know.
    pub fn wheel_tags(self) -> &'static [&'static str] {
        match self {
            Self::Linux => &["manylinux_2_17_x86_64", "manylinux2014_x86_64"],
            Self::Windows => &["win_amd64"],
        }
    }
}
