const maxLength = 100;

/**
 * Returns a person's name for the greeting of a mail; undefined when the text may contain more than a name. Users enter
 * the names of other people, and the platform sends mail to these people. A name with a line break or an address would
 * look like text written by the platform.
 */
export function nameToGreet(name: string | null | undefined): string | undefined {
  const plain = name?.trim();
  if (!plain || plain.length > maxLength) return undefined;
  // Checks the text in the form that readers see. Wide letters look like ordinary letters and joiners are invisible, so
  // both could hide an address from the check.
  const seen = plain.normalize('NFKC').replaceAll(/[\u200c\u200d]/g, '');
  return moreThanName.test(seen) ? undefined : plain;
}

/** Matches line ends, characters that change the display order, and characters that addresses consist of. */
const moreThanName = /[\p{Cc}\p{Cf}\u2028\u2029/:@<>]|[.\u3002][\p{L}\p{N}]{2}/u;
