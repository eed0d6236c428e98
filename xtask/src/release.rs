//! Release notes, and the addresses without which nothing is released.

use std::fs;

use crate::Result;
use crate::run::root;

/// The public addresses of the project.
#[derive(Debug, PartialEq, Eq)]
pub struct Addresses {
    pub repository: String,
    pub homepage: String,
    /// The documentation of the Python package.
    pub documentation: String,
}

/// Prints the section of a version in CHANGELOG.md, without its heading.
pub fn print_notes(version: &str) -> Result {
    print!("{}", notes(&read("CHANGELOG.md")?, version)?);
    Ok(())
}

/// Prints the addresses of the project.
pub fn print_addresses() -> Result {
    let Addresses { repository, homepage, documentation } = release_addresses()?;
    println!("repository: {repository}\nhomepage: {homepage}\ndocumentation: {documentation}");
    Ok(())
}

/// The addresses in `[workspace.package]` of Cargo.toml; fails if one is not set.
pub fn release_addresses() -> Result<Addresses> {
    addresses(&read("Cargo.toml")?)
}

fn addresses(manifest: &str) -> Result<Addresses> {
    let (_, table) = manifest.split_once("\n[workspace.package]\n").ok_or("Cargo.toml has no [workspace.package]")?;
    let table = table.split("\n[").next().unwrap_or_default();
    let address = |name: &str| {
        let value = table.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix('=').map(str::trim));
        let value = value.unwrap_or_default().trim_matches('"');
        if value.starts_with("https://") {
            Ok(value.to_owned())
        } else {
            let hint = "set it in [workspace.package] of Cargo.toml";
            Err(format!("cannot release: the address of the {name} is missing or does not start with https://; {hint}"))
        }
    };
    Ok(Addresses {
        repository: address("repository")?,
        homepage: address("homepage")?,
        documentation: address("documentation")?,
    })
}

/// The section of a version: its heading is `## VERSION`, perhaps with a date.
fn notes(changelog: &str, version: &str) -> Result<String> {
    let is_heading =
        |line: &&str| line.strip_prefix("## ").and_then(|heading| heading.split(' ').next()) == Some(version);
    let section: Vec<&str> = changelog
        .lines()
        .skip_while(|line| !is_heading(line))
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .collect();
    let section = section.join("\n");
    match section.trim() {
        "" => Err(format!("CHANGELOG.md has no changes of version {version}; add a section `## {version}`")),
        section => Ok(format!("{section}\n")),
    }
}

fn read(name: &str) -> Result<String> {
    fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str =
        "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2027-01-02\n\n### Core\n\n- Two.\n\n## 0.1.0\n\n- One.\n";

    #[test]
    fn notes_are_the_section_of_the_version() {
        assert_eq!(notes(CHANGELOG, "0.2.0"), Ok("### Core\n\n- Two.\n".to_owned()));
        assert_eq!(notes(CHANGELOG, "0.1.0"), Ok("- One.\n".to_owned()));
    }

    #[test]
    fn version_without_changes_has_no_notes() {
        for version in ["Unreleased", "0.3.0", "0.1"] {
            assert!(notes(CHANGELOG, version).is_err_and(|error| error.contains(version)), "{version}");
        }
    }

    #[test]
    fn release_requires_all_addresses() {
        let manifest = |repository: &str, homepage: &str, documentation: &str| {
            let addresses = format!(
                "repository = \"{repository}\"\nhomepage = \"{homepage}\"\ndocumentation = \"{documentation}\"\n"
            );
            format!("[workspace]\n\n[workspace.package]\n{addresses}\n[workspace.dependencies]\nopen = \"5\"\n")
        };
        let [repository, homepage, documentation] =
            ["https://a.example/r", "https://a.example/", "https://a.example/d"];
        let set = addresses(&manifest(repository, homepage, documentation)).expect("all are set");
        assert_eq!([&*set.repository, &*set.homepage, &*set.documentation], [repository, homepage, documentation]);
        let missing = addresses(&manifest("", homepage, documentation));
        assert!(missing.is_err_and(|error| error.contains("repository")));
        let missing = addresses(&manifest(repository, "soon", documentation));
        assert!(missing.is_err_and(|error| error.contains("homepage")));
        let missing = addresses(&manifest(repository, homepage, ""));
        assert!(missing.is_err_and(|error| error.contains("documentation")));
    }

    #[test]
    fn addresses_are_read_from_the_workspace() {
        // Whether or not they are set, the lines exist.
        let mut manifest = read("Cargo.toml").expect("a manifest");
        for name in ["repository", "homepage", "documentation"] {
            assert!(manifest.contains(&format!("\n{name} = \"")), "{name}");
            manifest = manifest.replace(&format!("\n{name} = \"\""), &format!("\n{name} = \"https://a.example\""));
        }
        assert!(addresses(&manifest).is_ok());
    }
}
