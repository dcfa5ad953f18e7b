const longest = 100;

/**
 * A person's name as a letter may say it; undefined for what is more than a name: people enter others, whom the
 * platform then writes to, and lines or addresses of theirs would be read as the platform's own words.
 */
export function nameToGreet(name: string | null | undefined): string | undefined {
  const plain = name?.trim();
  if (!plain || plain.length > longest) return undefined;
  return /[\p{Cc}\u2028\u2029/:@<>]|\.\p{L}{2}/u.test(plain) ? undefined : plain;
}
