//! The file of a proof.
//!
//! ```text
//! boyi-proof 1
//! board 4x5
//! ply 8
//! 1c00c30000801 -2 20 48211
//! ```
//!
//! A line has the drawn edges as a hexadecimal mask, the least and the greatest
//! value for the mover, and the nodes it took.

use super::Proof;
use crate::dots_and_boxes::board::Board;
use crate::dots_and_boxes::bounds::Bounds;

impl Proof {
    /// The first lines of its file.
    pub fn head(&self) -> String {
        format!(
            "boyi-proof 1\nboard {}x{}\nply {}\n",
            self.board.rows(),
            self.board.cols(),
            self.ply
        )
    }

    /// Reads a proof. Every line is checked to be one of this proof; whether its
    /// bounds are right is not.
    pub fn read(text: &str) -> Result<Proof, String> {
        let mut lines = text.lines().map(str::trim).zip(1..);
        let mut head = |name: &str| {
            let (line, number) = lines.next().unwrap_or(("", 0));
            line.strip_prefix(name)
                .map(|rest| rest.trim().to_owned())
                .ok_or_else(|| format!("line {number} of a proof begins with '{}'", name.trim()))
        };
        if head("boyi-proof ")? != "1" {
            return Err("only proofs of version 1 can be read".into());
        }
        let board = head("board ")?;
        let size = board.split_once('x').and_then(|(rows, cols)| {
            Some((rows.parse::<usize>().ok()?, cols.parse::<usize>().ok()?))
        });
        let (rows, cols) = size.ok_or_else(|| format!("'{board}' is no board such as 4x5"))?;
        let ply = head("ply ")?;
        let ply = ply.parse().map_err(|_| format!("'{ply}' is no number of plies"))?;
        let mut proof = Proof::new(rows, cols, ply)?;
        for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
            proof.read_line(line).map_err(|why| format!("line {number}: {why}"))?;
        }
        Ok(proof)
    }

    /// Reads a proof of this board.
    pub fn read_for(board: &Board, text: &str) -> Result<Proof, String> {
        let proof = Proof::read(text)?;
        let (rows, cols) = (proof.board.rows(), proof.board.cols());
        if (rows, cols) != (board.rows(), board.cols()) {
            return Err(format!("the file has a proof of {rows}x{cols} boxes"));
        }
        Ok(proof)
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [drawn, low, high, nodes] = fields[..] else {
            return Err(format!("'{line}' is not DRAWN LOW HIGH NODES"));
        };
        let mask = u128::from_str_radix(drawn, 16).map_err(|_| format!("'{drawn}' is no mask"))?;
        let number = |text: &str| text.parse::<i32>().map_err(|_| format!("'{text}' is no value"));
        let bounds = Bounds { low: number(low)?, high: number(high)? };
        let nodes: u64 = nodes.parse().map_err(|_| format!("'{nodes}' is no number of nodes"))?;
        let position = self.board.position(mask).map_err(|error| error.to_string())?;
        let node = (self.board.degrees(position).one == 0).then(|| self.node(position));
        if node.is_none_or(|node| node.position != position || !self.has_line(position)) {
            return Err(format!("{drawn} is no position of this proof"));
        }
        let boxes = self.board.degrees(position).open();
        let possible = |value: i32| value.abs() <= boxes && (value + boxes) % 2 == 0;
        if !possible(bounds.low) || !possible(bounds.high) || bounds.low > bounds.high {
            return Err(format!("{low} to {high} can't be the values of {boxes} boxes"));
        }
        match self.lines.add(position, bounds, nodes) {
            true => Ok(()),
            false => Err(format!("the bounds of {drawn} contradict those of another line")),
        }
    }
}
