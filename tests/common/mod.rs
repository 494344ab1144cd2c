//! What several tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod finished;
pub mod gtp;
pub mod json;
pub mod pipes;
pub mod setup;
pub mod shape;
pub mod shell;
pub mod tictactoe;

use std::path::PathBuf;

/// A file of the shared reference material: below the folder of the environment's TENGEN_SHARED, or `../shared` beside the package.
/// Prints a line and returns nothing where it is missing, so that its tests can be skipped.
pub fn shared(path: &str) -> Option<PathBuf> {
    existing(folder("TENGEN_SHARED", "../shared").join(path))
}

/// The network that KataGo's answers in a file of this name were made with. The large ones are in the folder of the environment's
/// TENGEN_NETS, or `../nets` beside the package. Prints a line and returns nothing where it is missing.
pub fn network_file(name: &str) -> Option<PathBuf> {
    let (shared, large) = (folder("TENGEN_SHARED", "../shared").join("nets"), folder("TENGEN_NETS", "../nets"));
    let folders = [shared.join("tiny"), shared, large.clone()];
    let files = folders.iter().flat_map(|folder| ["bin.gz", "txt.gz"].map(|end| folder.join(format!("{name}.{end}"))));
    files.into_iter().find(|file| file.exists()).or_else(|| existing(large.join(format!("{name}.bin.gz"))))
}

fn folder(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(default), PathBuf::from)
}

fn existing(file: PathBuf) -> Option<PathBuf> {
    if file.exists() {
        return Some(file);
    }
    println!("skipped: no {}", file.display());
    None
}

/// A folder of files for one test, gone when dropped. Its name has a blank, and those of the tests letters of all kinds.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file, and gives its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
