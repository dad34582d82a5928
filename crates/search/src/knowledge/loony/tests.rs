use super::*;
use games::dots_and_boxes::{Setup, edges_of};
use games::{Game, Rng};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Every multiset of chains (from the given length on) and loops with at most
/// `boxes` boxes, its components in order.
fn endgames(shortest: u32, boxes: u32) -> Vec<Vec<Component>> {
    let kinds: Vec<Component> = (shortest..=boxes)
        .map(Component::Chain)
        .chain((4..=boxes).step_by(2).map(Component::Loop))
        .collect();
    fn extend(
        components: &mut Vec<Component>,
        left: u32,
        kinds: &[Component],
        all: &mut Vec<Vec<Component>>,
    ) {
        all.push(components.clone());
        for (i, &component) in
            kinds.iter().enumerate().filter(|(_, component)| component.size() <= left)
        {
            components.push(component);
            extend(components, left - component.size(), &kinds[i..], all);
            components.pop();
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), boxes, &kinds, &mut all);
    all
}

/// Each kind of component once, with the components that are left without it.
fn openings(components: &[Component]) -> impl Iterator<Item = (Component, Vec<Component>)> {
    (0..components.len()).filter(|&i| i == 0 || components[i] != components[i - 1]).map(|i| {
        let mut rest = components.to_vec();
        (rest.remove(i), rest)
    })
}

type Known = HashMap<Vec<Component>, i32>;

/// v(G) as defined, over every opening.
fn recursion(components: &[Component], known: &mut Known) -> i32 {
    if let Some(&value) = known.get(components) {
        return value;
    }
    let costs = openings(components).map(|(component, rest)| {
        let (size, rest) = (component.size() as i32, recursion(&rest, known));
        if size <= 2 {
            size - rest
        } else {
            size - component.price() + (rest - component.price()).abs()
        }
    });
    let value = costs.min().unwrap_or(0);
    known.insert(components.to_vec(), value);
    value
}

#[test]
fn the_closed_form_is_the_recursion() {
    let mut known = Known::new();
    for (shortest, boxes, count) in [(3, 30, 6_907), (1, 20, 5_475)] {
        let all = endgames(shortest, boxes);
        assert_eq!(all.len(), count);
        for components in all {
            let endgame: Endgame = components.iter().copied().collect();
            assert_eq!(
                endgame.value(Variant::Correct),
                recursion(&components, &mut known),
                "{components:?}"
            );
            assert_eq!(endgame.is_empty(), components.is_empty());
        }
    }
}

#[test]
fn the_shortest_chain_or_the_shortest_loop_is_the_best_to_open() {
    for components in endgames(1, 18).iter().filter(|components| !components.is_empty()) {
        let endgame: Endgame = components.iter().copied().collect();
        let cost = |&component: &Component| endgame.cost(component, Variant::Correct);
        let chain = components.iter().find(|component| matches!(component, Component::Chain(_)));
        let ring = components.iter().find(|component| matches!(component, Component::Loop(_)));
        let best = components.iter().map(cost).min().unwrap();
        assert_eq!(chain.into_iter().chain(ring).map(cost).min(), Some(best), "{components:?}");
        assert_eq!(endgame.value(Variant::Correct), best);
    }
}

#[test]
fn the_printed_value_errs_as_counted() {
    let (mut known, mut by_first_case, mut at_all, mut by_weight) = (Known::new(), 0, 0, 0);
    for components in endgames(3, 30) {
        let endgame: Endgame = components.iter().copied().collect();
        let value = recursion(&components, &mut known);
        let controlled = endgame.controlled(Variant::Printed);
        by_first_case += usize::from(controlled >= 2 && controlled != value);
        at_all += usize::from(endgame.value(Variant::Printed) != value);
        let same = controlled == endgame.controlled(Variant::Correct);
        by_weight += usize::from(same && endgame.value(Variant::Printed) != value);
    }
    assert_eq!((by_first_case, at_all), (3_773, 4_012));
    assert!(by_weight > 0, "the forgotten weight alone does harm");
}

/// A choice is wrong only if it costs boxes: with v(rest) = t both are right.
#[test]
fn the_rules_for_control_err_as_counted() {
    let mut known = Known::new();
    let mut responses = 0;
    // Right; printed; right thresholds with c; exchanged ones with c.
    let mut wrong = [0; 4];
    for components in endgames(3, 25) {
        for (component, rest) in openings(&components) {
            responses += 1;
            let value = recursion(&rest, &mut known);
            let rest: Endgame = rest.into_iter().collect();
            let controlled = rest.controlled(Variant::Correct);
            let choices = [
                component.keeps_control(&rest, Variant::Correct),
                component.keeps_control(&rest, Variant::Printed),
                controlled > component.price(),
                controlled > 6 - component.price(),
            ];
            for (wrong, keeps) in wrong.iter_mut().zip(choices) {
                let best = (value - component.price()).abs();
                let got = if keeps { value - component.price() } else { component.price() - value };
                *wrong += usize::from(got != best);
            }
        }
    }
    assert_eq!(responses, 6_141);
    assert_eq!(wrong, [0, 867, 149, 953]);
}

/// The mover's boxes still to come less the opponent's, by plain minimax.
fn minimax(game: &DotsAndBoxes, known: &mut HashMap<u128, i32>) -> i32 {
    if let Some(&value) = known.get(&game.drawn()) {
        return value;
    }
    let each = edges_of(game.undrawn()).map(|edge| {
        let next = game.after(edge);
        let taken = (next.lead() - game.lead()).abs();
        let rest = minimax(&next, known);
        if next.to_move() == game.to_move() { taken + rest } else { -rest }
    });
    let best = each.max().unwrap_or(0);
    known.insert(game.drawn(), best);
    best
}

#[test]
fn endgames_on_boards_are_worth_what_minimax_says() {
    const OPEN: RangeInclusive<usize> = 1..=17;
    let (mut seen, mut with_loops, mut long) = (0, 0, 0);
    for (index, (rows, columns)) in
        (0..4_000).zip([(3, 3), (2, 6), (3, 4), (4, 4)].into_iter().cycle())
    {
        let mut rng = Rng::stream(21, index);
        let mut game = DotsAndBoxes::start(&Setup { rows, columns }).unwrap();
        loop {
            let safe: Vec<_> = edges_of(game.safe()).collect();
            if safe.is_empty() {
                break;
            }
            game.play(safe[rng.below(safe.len())]);
        }
        let Some(endgame) = Endgame::of(&game).filter(|_| OPEN.contains(&game.count_moves()))
        else {
            continue;
        };
        let value = minimax(&game, &mut HashMap::new());
        assert_eq!(-value, endgame.value(Variant::Correct), "{game:?}");
        seen += 1;
        with_loops += usize::from(endgame.loops > 0);
        long += usize::from(endgame.long > 1);
        if seen == 120 {
            break;
        }
    }
    assert!(seen > 100 && with_loops > 5 && long > 5, "{seen} {with_loops} {long}");
}

#[test]
fn only_finished_strings_make_an_endgame() {
    let start = DotsAndBoxes::start(&Setup::default()).unwrap();
    assert_eq!(Endgame::of(&start), None);
    let mut full = start;
    while let Some(edge) = edges_of(full.undrawn()).next() {
        full.play(edge);
    }
    assert_eq!(Endgame::of(&full), Some(Endgame::default()));
}
