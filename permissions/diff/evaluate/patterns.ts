import type { Outcome } from './three-valued.ts';

/** `text like pattern`, backslash escapes. */
export function isLike(text: string, pattern: string, blindToCase: boolean): Outcome {
  if (!blindToCase) return like([...text], [...pattern]);
  if (!foldsAlike(text) || !foldsAlike(pattern)) return undefined;
  return like([...text.toLowerCase()], [...pattern.toLowerCase()]);
}

/** Returns whether every locale turns a text into the same lower-case letters. */
export function foldsAlike(text: string): boolean {
  return [...text].every((letter) => letter <= '\u007f' || letter.toLowerCase() === letter);
}

/** Keeps the last `%` to return to, so that the time is at most the product of both lengths. */
function like(text: readonly string[], pattern: readonly string[]): boolean {
  const parts = likeParts(pattern);
  let [at, part] = [0, 0];
  let back: { readonly at: number; readonly part: number } | undefined;
  while (at < text.length) {
    const sign = parts[part];
    if (sign === 'many') {
      back = { at, part };
      part += 1;
    } else if (sign === 'one' || (typeof sign === 'object' && sign.letter === text[at])) {
      at += 1;
      part += 1;
    } else if (back) {
      back = { at: back.at + 1, part: back.part };
      at = back.at;
      part = back.part + 1;
    } else return false;
  }
  return parts.slice(part).every((sign) => sign === 'many');
}

/** A part of a LIKE pattern: `%`, `_`, or a letter. */
export type LikePart = 'many' | 'one' | { readonly letter: string };

export function likeParts(pattern: readonly string[]): readonly LikePart[] {
  const parts: LikePart[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const sign = pattern[index] ?? '';
    if (sign === '\\') index += 1;
    const letter = pattern[index] ?? '';
    if (sign === '%') parts.push('many');
    else if (sign === '_') parts.push('one');
    else parts.push({ letter });
  }
  return parts;
}

/** Patterns with the same meaning in Postgres and in JavaScript: no escapes, classes or groups with a name. */
const plainPattern =
  /^(?!\*)(?!.*(\(\?|\[[^\]]*\[|\[\]|\[\^\]|[*+?][*+?]))[\w\s%@:;,.<>=!"#&'/~`^$*+?()[\]|-]*$/;

/** `text ~ pattern`. Undefined for patterns whose meaning in JavaScript can differ. */
export function isMatch(text: string, pattern: string, blindToCase: boolean): Outcome {
  if (!plainPattern.test(pattern) || (blindToCase && !foldsAlike(text + pattern))) return undefined;
  try {
    return new RegExp(pattern, blindToCase ? 'isu' : 'su').test(text);
  } catch {
    return undefined;
  }
}

/** `text similar to pattern`. Backslash escapes. The pattern matches the whole text, and `.^$` are plain characters. */
export function isSimilar(text: string, pattern: string, blindToCase: boolean): Outcome {
  if (
    !plainPattern.test(pattern.replace(/\\[%_.]/g, '')) ||
    /[[{]/.test(pattern.replace(/\[\w+\]/g, ''))
  )
    return undefined;
  if (blindToCase && !foldsAlike(text + pattern)) return undefined;
  const translated = pattern.replace(/\\.|[%_.^$]/gsu, (sign) => {
    if (sign === '%') return '[^]*';
    if (sign === '_') return '[^]';
    return `\\${sign.at(-1)}`;
  });
  try {
    return new RegExp(`^(?:${translated})$`, blindToCase ? 'i' : '').test(text);
  } catch {
    return undefined;
  }
}
