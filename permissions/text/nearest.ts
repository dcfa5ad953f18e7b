const maxNameLength = 128;

/**
 * Returns the candidate that `name` most likely misspells; undefined if no candidate is near. A candidate is near if it
 * differs in at most a third of the letters, or in one letter. One difference is an inserted, removed or replaced
 * letter, or two swapped neighbours. Case is ignored. Of several equally near candidates, the function returns the
 * first.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const lowerCaseName = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > allowed || candidate.length > maxNameLength)
      continue;
    const distance = editDistance(lowerCaseName, candidate.toLowerCase());
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns `did you mean "total"?`, the hint of a diagnostic, or undefined if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(name, candidates);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}

/**
 * Returns the number of differences between two texts (the optimal string alignment distance). Only three rows of the
 * matrix are in memory.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const plain = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = swapped ? Math.min(plain, at(beforeLast, j - 2) + 1) : plain;
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
