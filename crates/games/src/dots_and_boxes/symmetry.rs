//! Turning and mirroring the board.

use super::{DotsAndBoxes, Edge, edges_of};
use crate::Symmetric;

impl Symmetric for DotsAndBoxes {
    /// Eight on square boards, four on oblong ones.
    fn symmetries(&self) -> usize {
        self.geometry.symmetries()
    }

    fn transform(&self, s: usize) -> DotsAndBoxes {
        let edges = &self.geometry.edge_images[s];
        let boxes = &self.geometry.box_images[s];
        let drawn = edges_of(self.drawn).fold(0, |set, edge| set | 1 << edges[edge.index()]);
        let owned = self.owned.map(|owned| {
            // A word of boxes is walked like a set of edges.
            edges_of(owned.into()).fold(0, |set, number| set | 1 << boxes[number.index()])
        });
        DotsAndBoxes { drawn, owned, ..*self }
    }

    fn transform_move(&self, s: usize, edge: Edge) -> Edge {
        Edge(self.geometry.edge_images[s][edge.index()])
    }
}
