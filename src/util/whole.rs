//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that, whenever the process or the machine dies, `path` has either what it had or all of `bytes`.
///
/// # Errors
/// If it cannot be written; `path` is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // The process's number, so that two that write the same file do not write into each other's.
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&part))
}

#[cfg(test)]
mod tests {
    use super::write_whole;

    #[test]
    fn what_was_there_is_replaced_and_nothing_else_stays() {
        let folder = std::env::temp_dir().join(format!("tengen-whole-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a file.txt");
        for text in ["first", "second"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), text.as_bytes());
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        assert!(write_whole(&folder.join("no").join("file"), b"").is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
