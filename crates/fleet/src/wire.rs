//! A batch of positions and its evaluations as bytes.
//!
//! A request has the planes and each position's legal move codes; a reply has
//! each position's value and the probabilities of its codes. Numbers are
//! little-endian; both sides check everything.

use learn::Shape;
use learn::net::{InferenceNet, Output, softmax};
use search::Evaluation;

/// The largest batch.
const MAX_BATCH: usize = 1 << 16;

/// A batch to evaluate.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Request {
    /// Each position's legal move codes.
    pub codes: Vec<Vec<u16>>,
    /// All planes, one position after another.
    pub planes: Vec<f32>,
}

impl Request {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend((self.codes.len() as u32).to_le_bytes());
        for codes in &self.codes {
            out.extend((codes.len() as u16).to_le_bytes());
            out.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
        }
        out.extend(self.planes.iter().flat_map(|number| number.to_le_bytes()));
        out
    }

    /// None if these bytes are no batch for a network of this shape.
    pub fn read(mut bytes: &[u8], shape: &Shape) -> Option<Request> {
        let count = u32::from_le_bytes(take(&mut bytes)?) as usize;
        if count > MAX_BATCH {
            return None;
        }
        let mut codes = Vec::new();
        for _ in 0..count {
            let length = u16::from_le_bytes(take(&mut bytes)?);
            let mut one = Vec::new();
            for _ in 0..length {
                let code = u16::from_le_bytes(take(&mut bytes)?);
                one.push(Some(code).filter(|&code| usize::from(code) < shape.moves)?);
            }
            codes.push(one);
        }
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || numbers.len() != count * shape.inputs() {
            return None;
        }
        let planes: Vec<f32> = numbers.iter().map(|four| f32::from_le_bytes(*four)).collect();
        planes.iter().all(|number| number.is_finite()).then_some(Request { codes, planes })
    }

    /// The reply: the evaluations by a network, as bytes.
    pub fn evaluate(
        &self,
        shape: &Shape,
        network: &mut InferenceNet<f32>,
        output: &mut Output<f32>,
    ) -> Vec<u8> {
        network.forward_on(shape.grid, &self.planes, output);
        let logits = output.logits.chunks_exact(shape.moves);
        let mut out = Vec::new();
        for ((codes, logits), value) in self.codes.iter().zip(logits).zip(&output.values) {
            out.extend(value.to_le_bytes());
            let policy = softmax(codes.iter().map(|&code| logits[usize::from(code)]));
            out.extend(policy.iter().flat_map(|p| p.to_le_bytes()));
        }
        out
    }

    /// Reads a reply to this batch; values are the movers'. None if it is no reply.
    pub fn read_reply(&self, mut bytes: &[u8]) -> Option<Vec<Evaluation>> {
        let mut number = || Some(f32::from_le_bytes(take(&mut bytes)?)).filter(|n| n.is_finite());
        let mut all = Vec::with_capacity(self.codes.len());
        for codes in &self.codes {
            let value = number()?;
            let policy = codes.iter().map(|_| number()).collect::<Option<_>>()?;
            all.push(Evaluation { value, policy });
        }
        bytes.is_empty().then_some(all)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (front, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*front)
}

#[cfg(test)]
mod tests {
    use games::Rng;
    use learn::net::{Architecture, Grid, Network};

    use super::*;

    fn shape() -> Shape {
        Shape { grid: Grid { height: 3, width: 4 }, planes: 2, moves: 7, largest: None }
    }

    fn request() -> Request {
        let planes = (0..2 * shape().inputs()).map(|i| (i % 3) as f32).collect();
        Request { codes: vec![vec![0, 6, 3], vec![2]], planes }
    }

    #[test]
    fn a_batch_survives_and_its_reply_is_the_networks() {
        let bytes = request().to_bytes();
        let read = Request::read(&bytes, &shape()).expect("a batch");
        assert_eq!(read, request());

        let mut rng = Rng::seeded(1);
        let architecture = Architecture { channels: 8, blocks: 1, ..shape().architecture() };
        let network = Network::new(architecture, || rng.unit());
        let (mut inference, mut output) = (InferenceNet::new(&network), Output::default());
        let reply = read.evaluate(&shape(), &mut inference, &mut output);
        let evaluations = request().read_reply(&reply).expect("a reply");
        assert_eq!(evaluations.len(), 2);
        for (one, value) in evaluations.iter().zip(&output.values) {
            assert_eq!(one.value, *value);
            assert!((one.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let logits = [0, 6, 3].into_iter().map(|code| output.logits[code]);
        assert_eq!(evaluations[0].policy, softmax(logits));
    }

    #[test]
    fn bytes_that_are_no_batch_are_refused() {
        let bytes = request().to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(Request::read(&bytes[..length], &shape()), None, "{length}");
        }
        let mut longer = bytes.clone();
        longer.extend([0; 4]);
        assert_eq!(Request::read(&longer, &shape()), None);
        let mut wild = bytes.clone();
        wild[6] = 7;
        assert_eq!(Request::read(&wild, &shape()), None, "a code that is no move's");
        let mut endless = bytes;
        endless[..4].fill(255);
        assert_eq!(Request::read(&endless, &shape()), None);
    }

    #[test]
    fn bytes_that_are_no_reply_are_refused() {
        let reply = vec![0; 4 * 6];
        assert!(request().read_reply(&reply).is_some());
        assert!(request().read_reply(&reply[..23]).is_none());
        assert!(request().read_reply(&[0; 4 * 7]).is_none());
        let mut none = reply;
        none[..4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(request().read_reply(&none).is_none());
    }
}
