//! What happens to the side lines when the game changes, or a line is removed or
//! raised. Nothing that was played is lost but by removing it.

use std::collections::HashSet;

use super::{Node, Parent, Tree};
use crate::store::{Ended, StoredPly};

/// A change of the game itself: its moves from a ply on are replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTail {
    /// The moves before it stay.
    pub ply: usize,
    /// The moves from there on.
    pub plies: Vec<StoredPly>,
    /// How the game ended there from outside its rules.
    pub ended: Option<Ended>,
}

impl Tree {
    /// Removes a node and everything after it.
    pub fn remove(&mut self, id: u32) {
        let mut gone = HashSet::from([id]);
        // Each node comes after the one that it follows.
        self.nodes.retain(|node| {
            let is_gone = gone.contains(&node.id)
                || matches!(node.parent, Parent::Node(parent) if gone.contains(&parent));
            if is_gone {
                gone.insert(node.id);
            }
            !is_gone
        });
    }

    /// Removes everything that hangs on the game after a ply.
    pub fn drop_after(&mut self, ply: usize) {
        self.notes.retain(|&at, _| at <= ply);
        let from =
            self.nodes.iter().filter(|node| matches!(node.parent, Parent::Ply(at) if at > ply));
        for id in from.map(|node| node.id).collect::<Vec<_>>() {
            self.remove(id);
        }
    }

    /// The moves of the game after a ply become the first side line there, and
    /// what hangs on them goes with them.
    pub fn set_aside(&mut self, ply: usize, tail: Vec<StoredPly>, ended: Option<Ended>) {
        let mut parent = Parent::Ply(ply);
        let mut ids = Vec::new();
        let held = std::mem::take(&mut self.nodes);
        for (n, played) in tail.into_iter().enumerate() {
            let note = self.notes.remove(&(ply + 1 + n)).unwrap_or_default();
            let id = self.push(parent, played, note);
            parent = Parent::Node(id);
            ids.push(id);
        }
        if let Some(last) = self.nodes.last_mut() {
            last.ended = ended;
        }
        self.nodes.extend(held.into_iter().map(|mut node| {
            if let Parent::Ply(at) = node.parent
                && at > ply
            {
                node.parent = Parent::Node(ids[at - ply - 1]);
            }
            node
        }));
    }

    /// The game goes on with a move at a ply: if it was a side move, what hangs on
    /// it hangs on the game now.
    pub fn absorb(&mut self, ply: usize, mv: &str) {
        let Some(id) = self.child(Parent::Ply(ply), mv) else { return };
        let Some(at) = self.nodes.iter().position(|node| node.id == id) else { return };
        let Node { note, .. } = self.nodes.remove(at);
        if !note.is_empty() {
            self.notes.insert(ply + 1, note);
        }
        for node in &mut self.nodes {
            if node.parent == Parent::Node(id) {
                node.parent = Parent::Ply(ply + 1);
            }
        }
    }

    /// Raises the line of a node by one level: before the lines beside it, or, if
    /// it begins at the game, into the game. In that case `tail`, the moves of the
    /// game from there on, becomes a side line.
    pub fn promote(
        &mut self,
        id: u32,
        tail: impl FnOnce(usize) -> (Vec<StoredPly>, Option<Ended>),
    ) -> Option<NewTail> {
        let (ply, path) = self.path(id)?;
        // The last place before the node where another line leads.
        let branch = path.iter().rev().find(|node| {
            matches!(node.parent, Parent::Node(_))
                && self.children(node.parent).next().is_some_and(|first| first.id != node.id)
        });
        if let Some(branch) = branch {
            let (id, parent) = (branch.id, branch.parent);
            let first = self.nodes.iter().position(|node| node.parent == parent)?;
            let at = self.nodes.iter().position(|node| node.id == id)?;
            let node = self.nodes.remove(at);
            self.nodes.insert(first, node);
            return None;
        }
        let first = path[0].id;
        let mut line = vec![self.find(first)?.clone()];
        line.extend(self.continuation(first).into_iter().cloned());
        let (old, old_end) = tail(ply);
        self.set_aside(ply, old, old_end);
        for (n, node) in line.iter().enumerate() {
            self.absorb(ply + n, &node.mv);
        }
        let ended = line.last().and_then(|node| node.ended.clone());
        let plies =
            line.into_iter().map(|Node { mv, eval, left, .. }| StoredPly { mv, eval, left });
        Some(NewTail { ply, plies: plies.collect(), ended })
    }
}

#[cfg(test)]
mod tests {
    use games::Rng;

    use super::*;

    fn ply(mv: &str) -> StoredPly {
        StoredPly { mv: mv.to_owned(), eval: Some(0.5), left: Some([1, 2]) }
    }

    /// A game with its tree, and every line of it as text.
    struct Game {
        plies: Vec<StoredPly>,
        tree: Tree,
    }

    impl Game {
        fn play(&mut self, at: usize, mv: &str) {
            let tail = self.plies.split_off(at);
            if !tail.is_empty() {
                self.tree.set_aside(at, tail, None);
            }
            self.tree.absorb(at, mv);
            self.plies.push(ply(mv));
        }

        fn promote(&mut self, id: u32) {
            let plies = self.plies.clone();
            let new = self.tree.promote(id, |ply| (plies[ply..].to_vec(), None));
            if let Some(NewTail { ply, plies, .. }) = new {
                self.plies.truncate(ply);
                self.plies.extend(plies);
            }
        }

        fn lines(&self) -> std::collections::BTreeSet<String> {
            let game: Vec<&str> = self.plies.iter().map(|ply| ply.mv.as_str()).collect();
            let mut lines = std::collections::BTreeSet::from([game.concat()]);
            for node in self.tree.nodes() {
                let (ply, path) = self.tree.path(node.id).unwrap();
                let side: Vec<&str> = path.iter().map(|node| node.mv.as_str()).collect();
                lines.insert(game[..ply].concat() + &side.concat());
            }
            lines
        }
    }

    #[test]
    fn what_is_replaced_becomes_a_side_line_and_can_come_back() {
        let mut game = Game { plies: Vec::new(), tree: Tree::default() };
        for (at, mv) in ["a", "b", "c", "d"].into_iter().enumerate() {
            game.play(at, mv);
        }
        game.tree.set_note(3.into(), "good".to_owned());
        let side = game.tree.add(Parent::Ply(3), "e".to_owned());
        game.play(1, "x");
        assert_eq!(game.plies.len(), 2);
        let (ply, path) = game.tree.path(side).unwrap();
        let names: Vec<&str> = path.iter().map(|node| node.mv.as_str()).collect();
        assert_eq!((ply, names), (1, vec!["b", "c", "e"]));
        assert_eq!(path[1].note, "good");
        assert_eq!(path[1].left, Some([1, 2]), "what was known of it stays");
        let first = path[0].id;
        // The side line's own side line first, then the whole into the game.
        game.promote(side);
        game.promote(side);
        let moves: Vec<&str> = game.plies.iter().map(|ply| ply.mv.as_str()).collect();
        assert_eq!(moves, ["a", "b", "c", "e"]);
        assert!(game.tree.find(first).is_none(), "it is the game now");
        assert_eq!(game.tree.notes()[&3], "good");
        assert_eq!(game.lines(), ["abce", "abcd", "ax"].map(str::to_owned).into());
    }

    #[test]
    fn no_line_is_ever_lost_but_by_removing_it() {
        for seed in 0..200 {
            let mut rng = Rng::seeded(seed);
            let mut game = Game { plies: Vec::new(), tree: Tree::default() };
            let mut known = std::collections::BTreeSet::new();
            for _ in 0..60 {
                let ids: Vec<u32> = game.tree.nodes().iter().map(|node| node.id).collect();
                let mv = ["a", "b", "c"][rng.below(3)];
                match rng.below(6) {
                    0 if !ids.is_empty() => game.promote(ids[rng.below(ids.len())]),
                    1 if !ids.is_empty() => {
                        let parent = Parent::Node(ids[rng.below(ids.len())]);
                        if game.tree.child(parent, mv).is_none() {
                            game.tree.add(parent, mv.to_owned());
                        }
                    }
                    2 => {
                        let at = rng.below(game.plies.len() + 1);
                        let next = game.plies.get(at).is_some_and(|ply| ply.mv == mv);
                        let parent = Parent::Ply(at);
                        if !next && game.tree.child(parent, mv).is_none() {
                            game.tree.add(parent, mv.to_owned());
                        }
                    }
                    _ => {
                        let at = game.plies.len() - rng.below(3).min(game.plies.len());
                        if game.plies.get(at).is_none_or(|ply| ply.mv != mv) {
                            game.play(at, mv);
                        }
                    }
                }
                assert!(game.tree.is_sound(game.plies.len()), "seed {seed}");
                let lines = game.lines();
                let starts = |line: &String| lines.iter().any(|other| other.starts_with(line));
                assert!(known.iter().all(starts), "seed {seed}: {known:?} in {lines:?}");
                assert_eq!(lines.len(), lines.iter().collect::<HashSet<_>>().len());
                known = lines;
                let text = serde_json::to_string(&game.tree).unwrap();
                assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), game.tree);
            }
            if let Some(node) = game.tree.nodes().first() {
                game.tree.remove(node.id);
                assert!(game.tree.is_sound(game.plies.len()), "seed {seed}");
            }
            game.tree.drop_after(0);
            assert!(game.tree.nodes().iter().all(|node| match node.parent {
                Parent::Ply(ply) => ply == 0,
                Parent::Node(_) => true,
            }));
        }
    }
}
