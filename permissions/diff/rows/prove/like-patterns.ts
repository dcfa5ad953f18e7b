import { type LikePart, likeParts } from '../../evaluate/patterns.ts';

/** The limit of pairs of states. A comparison of longer patterns answers `false`, which proves nothing. */
const maxStates = 2_000;

/** Stands for all letters that neither pattern names. */
const otherLetter = '\u{10ffff}';

/**
 * Returns whether every text that matches one LIKE pattern matches the other. Both patterns are walked at once, with
 * each letter that they name and one other letter.
 */
export function likeWithin(inner: string, outer: string): boolean {
  const [a, b] = [likeParts([...inner]), likeParts([...outer])];
  const letters = [...a, ...b].flatMap((part) => (typeof part === 'object' ? [part.letter] : []));
  const alphabet = new Set([...letters, otherLetter]);
  const queue: (readonly [States, States])[] = [[closed([0], a), closed([0], b)]];
  const seen = new Set<string>();
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [inA, inB] = next;
    const name = `${inA}|${inB}`;
    if (inA.length === 0 || seen.has(name)) continue;
    if (seen.size >= maxStates) return false;
    seen.add(name);
    if (inA.includes(a.length) && !inB.includes(b.length)) return false;
    for (const letter of alphabet) queue.push([step(inA, letter, a), step(inB, letter, b)]);
  }
  return true;
}

/** Positions in a pattern that the text so far can have reached. */
type States = readonly number[];

/** Adds the positions after a `%`, which may match nothing. */
function closed(states: Iterable<number>, pattern: readonly LikePart[]): States {
  const found = new Set(states);
  for (const state of found) if (pattern[state] === 'many') found.add(state + 1);
  return [...found].sort((a, b) => a - b);
}

function step(states: States, letter: string, pattern: readonly LikePart[]): States {
  const next = states.flatMap((state) => {
    const part = pattern[state];
    if (part === undefined) return [];
    if (part === 'many') return [state];
    return part === 'one' || part.letter === letter ? [state + 1] : [];
  });
  return closed(next, pattern);
}
