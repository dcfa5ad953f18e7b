import type { Position, Report } from '../diagnostics.ts';
import { headerOf, looksLikeVariable, variableName } from '../text/names.ts';
import { nearest } from '../text/nearest.ts';
import type { VariableName } from '../types/names.ts';

/** Header prefixes of rules that were written for Hasura, or for Rowgate's default. */
const foreignPrefixes = ['x-hasura', 'x-gql'];

/** Shorter prefixes, such as `X-`, occur in too many ordinary texts. */
const minPrefixLength = 3;

/** Longer texts are not checked. */
const maxTextLength = 200;

/** A text that is most likely a misspelt session variable. */
export interface Misspelling {
  /** The correct header, e.g. `X-Gql-User-Id`; undefined if the text does not name a variable. */
  readonly header: string | undefined;
}

/**
 * Finds a text that looks like a session variable but is not one: with another prefix, other separators, or in the
 * braces of a template. Postgres would compare such a text literally, which can open rows that the variable was
 * meant to close.
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

/** Returns the most likely intended header for a text with the right prefix and an invalid name. */
export function correctedHeader(text: string, headerPrefix: string): string | undefined {
  const rest = restBehind(wordsOf(text), wordsOf(headerPrefix));
  return rest === undefined ? undefined : headerFor(rest, headerPrefix);
}

/** Lower-case words joined by hyphens, whatever separates them in the text. `XGql_UserId` becomes `xgql-user-id`. */
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
 * Returns the text after a prefix. At the start the prefix may be written in any form (`xgql-…`), further on only in
 * its proper form.
 */
function restBehind(words: string, prefix: string): string | undefined {
  const loose = prefix.replaceAll('-', '-?');
  const found =
    new RegExp(`^${loose}(?:[^a-z0-9]+(.*))?$`, 's').exec(words) ??
    new RegExp(`[^a-z0-9]${prefix}-([a-z].*)$`, 's').exec(words);
  return found ? (found[1] ?? '') : undefined;
}

/** Recognizes `X-Session-User-Id`: headers are written like this, and ordinary values rarely are. */
function restOfHeader(text: string): string | undefined {
  return /^X[-_][A-Z][A-Za-z0-9]*[-_]([A-Z][A-Za-z0-9]*(?:[-_][A-Z][A-Za-z0-9]*)*)$/.exec(
    text,
  )?.[1];
}

/** Recognizes `x-gpl-user-id` if there is a variable `user_id`. The x may be a letter of another script. */
function restThatIsKnown(words: string, known: Iterable<VariableName>): string | undefined {
  const rest = /^(?:x|[^a-z0-9])-[^-]+-(.+)$/su.exec(words)?.[1];
  return [...known].map((name) => name.replaceAll('_', '-')).find((name) => name === rest);
}

/**
 * Recognizes `xgqluserid` and `X-GQLUserId` if there is a variable `user_id`. Prefixes of one word are left out,
 * because ordinary words may begin with them.
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

/** Lower-case letters and digits alone. */
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

/** The uses of session variables in files, for comparison with the variables that callers are known to send. */
export class VariableUses {
  readonly known: ReadonlySet<VariableName>;
  readonly #uses = new Map<string, { readonly name: VariableName; readonly position: Position }>();

  /** @param known variables that a role requires, that signing in sets, or that rowgate.yaml declares */
  constructor(known: Iterable<VariableName>) {
    this.known = new Set(known);
  }

  /** Records a use. A named filter is resolved once for each rule that uses it, but counts once. */
  add(name: VariableName, position: Position): void {
    const { file, line, column } = position;
    this.#uses.set(JSON.stringify([file, line, column]), { name, position });
  }

  /** Warns of unknown variables. A rule is closed to every caller if no caller sends its variable. */
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
