//! What was measured as training went on: a table of tab-separated values, a line a report, and its curves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::chart::{self, Line, Panel};
use crate::util::write_whole;

/// The column that tells how far training is; lines are in its order.
const ROWS: &str = "rows";

/// The log of a run.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
    columns: Vec<String>,
    lines: Vec<Vec<f64>>,
}

/// Why a log cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum BadLog {
    /// It cannot be read or written.
    #[error("cannot read or write {}: {error}", path.display())]
    File {
        /// The log.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is no log, or one of another version of the program.
    #[error("{} is no log of this version of the program (line {line}): move it away", path.display())]
    Foreign {
        /// The log.
        path: PathBuf,
        /// The line that is to blame, from 1.
        line: usize,
    },
}

impl Log {
    /// The log in a file, made anew where there is none. Lines later than `rows` are dropped: a run that was killed goes on from its last checkpoint,
    /// and reports them again. The first of `columns` must be `rows`.
    ///
    /// # Errors
    /// If the file cannot be read, or has other columns.
    pub fn open(path: &Path, columns: &[String], rows: u64) -> Result<Self, BadLog> {
        debug_assert_eq!(columns[0], ROWS);
        let mut log = Self { path: path.to_owned(), columns: columns.to_vec(), lines: Vec::new() };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(log),
            Err(error) => return Err(BadLog::File { path: path.to_owned(), error }),
        };
        let foreign = |line| BadLog::Foreign { path: path.to_owned(), line };
        let mut lines = text.lines();
        if !lines.next().is_some_and(|head| head.split('\t').eq(columns)) {
            return Err(foreign(1));
        }
        for (number, line) in lines.enumerate() {
            let numbers: Result<Vec<f64>, _> = line.split('\t').map(str::parse).collect();
            let numbers = numbers.ok().filter(|numbers| numbers.len() == columns.len()).ok_or_else(|| foreign(number + 2))?;
            if numbers[0] <= rows as f64 {
                log.lines.push(numbers);
            }
        }
        Ok(log)
    }

    /// Adds a line, a number a column, and writes the file; nothing is there in part.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, numbers: Vec<f64>) -> Result<(), BadLog> {
        debug_assert_eq!(numbers.len(), self.columns.len());
        self.lines.push(numbers);
        let mut text = self.columns.join("\t") + "\n";
        for line in &self.lines {
            text += &(line.iter().map(|&number| rounded(number)).collect::<Vec<_>>().join("\t") + "\n");
        }
        write_whole(&self.path, text.as_bytes()).map_err(|error| BadLog::File { path: self.path.clone(), error })
    }

    /// The curves of some columns, against the rows: each panel has a title, and columns with what to call them.
    pub fn curves(&self, panels: &[(&str, &[(&str, &str)])]) -> String {
        let line = |&(column, name): &(&str, &str)| {
            let place = self.columns.iter().position(|other| other == column)?;
            Some(Line { name: name.to_owned(), points: self.lines.iter().map(|line| (line[0], line[place])).collect() })
        };
        let panels: Vec<Panel> = panels
            .iter()
            .map(|(title, lines)| Panel { title: (*title).to_owned(), lines: lines.iter().filter_map(line).collect() })
            .collect();
        chart::draw(&panels, ROWS)
    }
}

/// Six digits, as no one reads more.
fn rounded(number: f64) -> String {
    if number.fract() == 0.0 {
        return number.to_string();
    }
    let decimals = (5 - number.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::Log;

    #[test]
    fn a_resumed_run_forgets_what_it_will_report_again() {
        let path = std::env::temp_dir().join(format!("tengen-log-{}.tsv", std::process::id()));
        _ = std::fs::remove_file(&path);
        let columns = ["rows", "loss"].map(str::to_owned);
        let mut log = Log::open(&path, &columns, 0).unwrap();
        log.add(vec![100.0, 4.567_891_2]).unwrap();
        log.add(vec![200.0, f64::NAN]).unwrap();
        let mut log = Log::open(&path, &columns, 150).unwrap();
        log.add(vec![180.0, 0.001_234_567]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "rows\tloss\n100\t4.56789\n180\t0.00123457\n");
        assert!(log.curves(&[("losses", &[("loss", "training"), ("absent", "x")])]).contains("training"));
        let other = ["rows", "other"].map(str::to_owned);
        assert!(Log::open(&path, &other, 0).unwrap_err().to_string().contains("line 1"));
        std::fs::write(&path, "rows\tloss\n1\tx\n").unwrap();
        assert!(Log::open(&path, &columns, 0).unwrap_err().to_string().contains("line 2"));
        std::fs::remove_file(&path).unwrap();
    }
}
