//! The tree as plain data, and as JSON or DOT for students.

use std::fmt::Write;

use games::{Game, Text};

use super::pool::{Node, Pool};

/// A node of the tree and what is below it.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode<M> {
    /// The move that leads here; none at the root.
    pub mv: Option<M>,
    /// Playouts that went through here.
    pub visits: u32,
    /// First's mean result, from -1 to 1.
    pub mean: f64,
    /// First's certain result: 1, 0 or -1.
    pub proven: Option<i32>,
    /// The children, most visited first; cut at the depth asked for.
    pub children: Vec<TreeNode<M>>,
}

impl Pool {
    /// The tree below a node to `depth` plies, visited children only.
    pub fn export<G: Game>(&self, node: Node, depth: u32) -> TreeNode<G::Move> {
        let proof = self.proof(node);
        let mut children: Vec<TreeNode<G::Move>> = if depth == 0 {
            Vec::new()
        } else {
            self.children(node)
                .filter(|&child| self.visits(child) > 0 || self.proof(child).is_known())
                .map(|child| self.export::<G>(child, depth - 1))
                .collect()
        };
        children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        TreeNode {
            mv: (node != Node::ROOT).then(|| G::Move::from(self.mv(node))),
            visits: self.visits(node),
            mean: self.mean(node),
            proven: proof.is_known().then(|| proof.for_first()),
            children,
        }
    }
}

impl<M: Copy> TreeNode<M> {
    /// The branch as one JSON object with the fields of this struct, moves in
    /// their short form. `game` is the position at this branch's parent, or at
    /// the root for the root.
    pub fn json<G: Text<Move = M>>(&self, game: &G) -> String {
        let mut out = String::new();
        self.write_json(game, &mut out);
        out
    }

    fn write_json<G: Text<Move = M>>(&self, game: &G, out: &mut String) {
        let (name, here) = self.enter(game);
        let name = name.map_or("null".to_string(), |name| format!("\"{name}\""));
        let proven = self.proven.map_or("null".to_string(), |result| result.to_string());
        let _ = write!(
            out,
            "{{\"move\":{name},\"visits\":{},\"mean\":{:.4},\"proven\":{proven},\"children\":[",
            self.visits, self.mean
        );
        for (i, child) in self.children.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            child.write_json(&here, out);
        }
        out.push_str("]}");
    }

    /// The branch as a DOT graph, as [`TreeNode::json`].
    pub fn dot<G: Text<Move = M>>(&self, game: &G) -> String {
        let mut out = String::from("digraph tree {\n  node [shape=box];\n");
        self.write_dot(game, &mut 0, &mut out);
        out.push_str("}\n");
        out
    }

    fn write_dot<G: Text<Move = M>>(&self, game: &G, next: &mut usize, out: &mut String) {
        let (name, here) = self.enter(game);
        let own = *next;
        let name = name.unwrap_or_else(|| "root".to_string());
        let proven = match self.proven {
            Some(1) => "\\nfirst wins",
            Some(-1) => "\\nsecond wins",
            Some(_) => "\\ndraw",
            None => "",
        };
        let (visits, mean) = (self.visits, self.mean);
        let _ = writeln!(out, "  n{own} [label=\"{name}\\n{visits} x {mean:.3}{proven}\"];");
        for child in &self.children {
            *next += 1;
            let _ = writeln!(out, "  n{own} -> n{next};");
            child.write_dot(&here, next, out);
        }
    }

    /// The move's text, and the position after it.
    fn enter<G: Text<Move = M>>(&self, game: &G) -> (Option<String>, G) {
        match self.mv {
            Some(mv) => (Some(game.move_text(mv)), game.after(mv)),
            None => (None, game.clone()),
        }
    }
}
