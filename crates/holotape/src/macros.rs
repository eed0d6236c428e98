//! Macros for definitions that many modules share.

/// Defines an enum whose values have names, with `ALL`, `Display` and a method that returns the name.
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        pub enum $Enum:ident: $name_method:ident {
            $($(#[$variant_attribute:meta])* $Variant:ident = $name:expr,)*
        }
    ) => {
        $(#[$attribute])*
        pub enum $Enum {
            $($(#[$variant_attribute])* $Variant,)*
        }

        impl $Enum {
            /// All values, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Variant),*];

            /// The name.
            #[must_use]
            pub const fn $name_method(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.$name_method())
            }
        }
    };
}

/// Defines options: a struct with a default for each option, and a method that sets it.
macro_rules! options {
    (
        $(#[$attribute:meta])*
        pub struct $Options:ident {
            $($(#[$option_attribute:meta])* $with_option:ident($option:ident: $Type:ty) = $default:expr,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Options {
            $(pub(crate) $option: $Type,)*
        }

        impl $Options {
            /// The defaults, as documented with each option.
            #[must_use]
            pub const fn new() -> Self {
                Self { $($option: $default,)* }
            }

            $(
                $(#[$option_attribute])*
                #[must_use]
                pub const fn $with_option(mut self, $option: $Type) -> Self {
                    self.$option = $option;
                    self
                }
            )*
        }

        impl Default for $Options {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
