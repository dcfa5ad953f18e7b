import type { Position, Report } from '../diagnostics.ts';
import { headerOf, looksLikeVariable, variableName } from '../text/names.ts';
import { nearest } from '../text/nearest.ts';
import type { VariableName } from '../types/names.ts';

/**
 * Header prefixes of Hasura and of Rowgate's default. Authors may use them in rules although another prefix is
 * configured.
 */
const foreignPrefixes = ['x-hasura', 'x-gql'];

/**
 * Minimum length of a prefix for finding misspelt variables. Shorter ones, such as `X-`, occur in too many ordinary
 * texts.
 */
const minPrefixLength = 3;

/** Maximum length of a text that is checked. A longer text is not a misspelt variable. */
const maxTextLength = 200;

export interface Misspelling {
  /** The correct header, e.g. `X-Gql-User-Id`; undefined if the text does not name a variable. */
  readonly header: string | undefined;
}

/**
 * Finds a text that is probably a misspelt session variable: it has another prefix, other separators, or the braces of
 * a template. Without a report, the rule would compare a column with this text, and could show rows that the author
 * wanted to hide.
 */
export function findMisspelling(
  text: string,
  headerPrefix: string,
  known: Iterable<VariableName> = [],
): Misspelling | undefined {
  if (text.length > maxTextLength) return undefined;
  const words = wordsOf(text);
  const own = wordsOf(headerPrefix);
  const prefixes = own.replaceAll('-', '').length < minPrefixLength ? [] : [own];
  for (const prefix of [...prefixes, ...foreignPrefixes]) {
    const rest = restBehind(words, prefix);
    if (rest !== undefined) return { header: headerFor(rest, headerPrefix) };
  }
  const rest =
    restOfHeader(text.trim()) ??
    restThatIsKnown(words, known) ??
    restInOneWord(
      text,
      [...prefixes, ...foreignPrefixes].filter((prefix) => prefix.includes('-')),
      known,
    );
  return rest === undefined ? undefined : { header: headerFor(rest, headerPrefix) };
}

/** Returns the header that was most likely meant by a text with the right prefix and an invalid name. */
export function correctedHeader(text: string, headerPrefix: string): string | undefined {
  const rest = restBehind(wordsOf(text), wordsOf(headerPrefix));
  return rest === undefined ? undefined : headerFor(rest, headerPrefix);
}

/**
 * Returns the words of a text in lower case, joined by hyphens whatever separated them. `XGql_UserId` becomes
 * `xgql-user-id`.
 */
function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\p{Pd}\u2212\s_.:"'`{}()[\]<>$@%]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/**
 * Returns the text after a prefix; undefined without the prefix. At the start of the text, the prefix may lack its
 * hyphens (`xgql-…`). Elsewhere the hyphens are required, because ordinary words may contain the letters of the prefix.
 */
function restBehind(words: string, prefix: string): string | undefined {
  const { atStart, inside } = patternsOf(prefix);
  const found = atStart.exec(words) ?? inside.exec(words);
  return found ? (found[1] ?? '') : undefined;
}

interface PrefixPatterns {
  readonly atStart: RegExp;
  readonly inside: RegExp;
}

/** The patterns of the few prefixes, because every text of the metadata is compared with them. */
const patterns = new Map<string, PrefixPatterns>();

function patternsOf(prefix: string): PrefixPatterns {
  const known = patterns.get(prefix);
  if (known) return known;
  const loose = prefix.replaceAll('-', '-?');
  const made = {
    atStart: new RegExp(`^${loose}(?:[^a-z0-9]+(.*))?$`, 's'),
    inside: new RegExp(`[^a-z0-9]${prefix}-([a-z].*)$`, 's'),
  };
  patterns.set(prefix, made);
  return made;
}

/**
 * Returns the name in a text like `X-Session-User-Id`, whatever its prefix. Capitalised words joined by hyphens are
 * typical of headers and rare in other values.
 */
function restOfHeader(text: string): string | undefined {
  return /^X[-_][A-Z][A-Za-z0-9]*[-_]([A-Z][A-Za-z0-9]*(?:[-_][A-Z][A-Za-z0-9]*)*)$/.exec(
    text,
  )?.[1];
}

/**
 * Returns the name in a text like `x-gpl-user-id`, if a variable `user_id` exists. The x may be a similar letter of
 * another script.
 */
function restThatIsKnown(words: string, known: Iterable<VariableName>): string | undefined {
  const rest = /^(?:x|[^a-z0-9])-[^-]+-(.+)$/su.exec(words)?.[1];
  return [...known].map((name) => name.replaceAll('_', '-')).find((name) => name === rest);
}

/**
 * Returns the name in a text like `xgqluserid` or `X-GQLUserId`, if a variable `user_id` exists. Prefixes of one word
 * are excluded, because ordinary words may begin with them.
 */
function restInOneWord(
  text: string,
  prefixes: readonly string[],
  known: Iterable<VariableName>,
): string | undefined {
  const letters = lettersOf(text);
  return [...known].find((name) =>
    prefixes.some((prefix) => letters === lettersOf(`${prefix}${name}`)),
  );
}

/** Returns the letters and digits of a text, in lower case. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function headerFor(rest: string, headerPrefix: string): string | undefined {
  const words = /^[a-z0-9]+(?:-[a-z0-9]+)*/.exec(wordsOf(rest))?.[0] ?? '';
  const name = variableName(`${headerPrefix}${words}`, headerPrefix);
  return name === undefined ? undefined : titledHeader(name, headerPrefix);
}

/** Returns `user_id` as files write it: `X-Gql-User-Id`. */
export function titledHeader(variable: VariableName, headerPrefix: string): string {
  const rest = headerOf(variable, headerPrefix).slice(headerPrefix.length);
  return headerPrefix + rest.replace(/(^|-)([a-z])/g, (found) => found.toUpperCase());
}

/** Returns whether a text is a session variable or looks like a misspelt one. */
export function isOrResemblesVariable(text: string, headerPrefix: string): boolean {
  return looksLikeVariable(text, headerPrefix) || findMisspelling(text, headerPrefix) !== undefined;
}

/**
 * Collects the uses of session variables in metadata files, to compare them with the variables that callers are known
 * to send.
 */
export class VariableUses {
  readonly known: ReadonlySet<VariableName>;
  readonly #uses = new Map<string, { readonly name: VariableName; readonly position: Position }>();

  /** @param known variables that a role requires, that authentication sets, or that rowgate.yaml declares */
  constructor(known: Iterable<VariableName>) {
    this.known = new Set(known);
  }

  /**
   * Records where a variable is used. A named filter is resolved again for every rule that uses it, so its position is
   * added several times. Each position is stored once, so that an unknown variable causes only one warning there.
   */
  add(name: VariableName, position: Position): void {
    const { file, line, column } = position;
    this.#uses.set(JSON.stringify([file, line, column]), { name, position });
  }

  /**
   * Warns of each use of a variable that no caller is known to send. A rule that reads such a variable shows no rows to
   * any caller.
   */
  reportUnknown(headerPrefix: string, report: Report): void {
    for (const { name, position } of this.#uses.values()) {
      if (this.known.has(name)) continue;
      const near = nearest(name, this.known);
      const add = 'add it to variables in rowgate.yaml if callers bring it';
      report.warning(
        'RG_UNKNOWN_VARIABLE',
        position,
        `no role requires ${titledHeader(name, headerPrefix)}, and rowgate.yaml does not declare it`,
        near === undefined
          ? add
          : `did you mean "${titledHeader(near, headerPrefix)}"? otherwise ${add}`,
      );
    }
  }
}
