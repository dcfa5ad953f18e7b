import { expect } from 'vitest';

/** Returns a matcher for a response of the documentation, in which `…` stands for any characters. */
export function likeness(answer: unknown): unknown {
  if (typeof answer === 'string') {
    return answer.includes('…') ? expect.stringMatching(patternOf(answer)) : answer;
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map(likeness);
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, likeness(value)]));
}

/** Returns a pattern that matches a whole text, in which `…` stands for any characters. */
export function patternOf(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '.+')}$`, 's');
}
