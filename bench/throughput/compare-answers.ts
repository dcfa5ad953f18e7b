import { askAll, type Target } from '../load/target.ts';

/**
 * Sends every request of an operation to all contenders. Returns the targets, which from then on require exactly the
 * answers given here.
 * @param targets the endpoints by contender
 * @throws Error when two contenders return different values
 */
export async function compareAnswers(
  operation: string,
  targets: ReadonlyMap<string, Target>,
): Promise<ReadonlyMap<string, Target>> {
  const exact = new Map<string, Target>();
  let reference: readonly string[] | undefined;
  for (const [contender, target] of targets) {
    const answers = await askAll(target).catch((error: unknown) => {
      throw new Error(`${operation}: ${contender} fails`, { cause: error });
    });
    reference ??= answers;
    for (const [turn, answer] of answers.entries()) {
      refuseDifference(`${operation}: ${contender}`, reference[turn] ?? '', answer);
    }
    const exchanges = target.exchanges.map((exchange, turn) => ({
      ...exchange,
      opening: answers[turn] ?? '',
    }));
    exact.set(contender, { ...target, exchanges });
  }
  return exact;
}

/** @throws Error when two JSON texts have different values */
export function refuseDifference(name: string, expected: string, actual: string): void {
  const [one, other] = [expected, actual].map((text) => JSON.stringify(valuesOf(JSON.parse(text))));
  if (one !== other) throw new Error(`${name} answers\n${actual}\ninstead of\n${expected}`);
}

/**
 * Returns all values of an answer in their order, without names. The dialects name fields differently, and write
 * decimal numbers and times in different forms.
 */
export function valuesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer.flatMap(valuesOf);
  if (typeof answer === 'object' && answer !== null) {
    return Object.values(answer).flatMap(valuesOf);
  }
  if (typeof answer !== 'string') return [answer];
  if (/^-?\d+(\.\d+)?$/.test(answer)) return [Number(answer)];
  return [/^\d{4}-\d\d-\d\dT/.test(answer) ? new Date(answer).toISOString() : answer];
}
