const longest = 100;

/**
 * A person's name as a letter may say it; undefined for what is more than a name: people enter others, whom the
 * platform then writes to, and lines or addresses of theirs would be read as the platform's own words.
 */
export function nameToGreet(name: string | null | undefined): string | undefined {
  const plain = name?.trim();
  if (!plain || plain.length > longest) return undefined;
  // As readers and mail programs take it: letters of another width are letters, and joiners are not seen.
  const seen = plain.normalize('NFKC').replaceAll(/[\u200c\u200d]/g, '');
  return moreThanName.test(seen) ? undefined : plain;
}

/** Line ends, what changes the order in which letters are shown, and what addresses are made of. */
const moreThanName = /[\p{Cc}\p{Cf}\u2028\u2029/:@<>]|[.\u3002][\p{L}\p{N}]{2}/u;
