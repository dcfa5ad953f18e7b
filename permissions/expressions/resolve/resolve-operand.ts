import type { CatalogType } from '../../catalog/types.ts';
import type { RawNode } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { headerOf, looksLikeVariable, variableName } from '../../text/names.ts';
import type { Operand } from '../../types/expressions.ts';
import type { TypeName } from '../../types/names.ts';
import { isJsonType, literalText } from '../literals.ts';
import { correctedHeader, findMisspelling } from '../session-variables.ts';
import type { Scope } from './scope.ts';

/** Returns the inner node of `{ _literal: value }`, which is not read as a variable; undefined for any other node. */
export function escapedLiteral(node: RawNode): RawNode | undefined {
  const [entry, ...more] = node.kind === 'map' ? node.entries : [];
  return entry?.key === '_literal' && more.length === 0 ? entry.value : undefined;
}

/**
 * Resolves a node to a value of the type: a session variable, `now`, a literal, or an array of such values. Undefined
 * after a mistake, which is reported.
 */
export function resolveOperand(
  node: RawNode,
  type: CatalogType,
  scope: Scope,
): Operand | undefined {
  const name = scope.catalog.typeName(scope.catalog.base(type));
  const escaped = escapedLiteral(node);
  if (escaped) return literal(escaped, name, scope);
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    if (looksLikeVariable(node.value, scope.headerPrefix))
      return variable(node.value, node, name, scope);
    if (isNow(node.value, name)) return { kind: 'now', type: name };
  }
  if (
    node.kind === 'list' &&
    name.element &&
    node.items.some((item) => isVariable(item, scope) || escapedLiteral(item))
  ) {
    return mixedArray(
      node.items,
      scope.catalog.type(scope.catalog.base(type).element),
      name,
      scope,
    );
  }
  return constant(node, name, scope);
}

/** Returns whether Postgres reads the text of a date or time as the current time. */
function isNow(text: string, type: TypeName): boolean {
  const isTime =
    type.schema === 'pg_catalog' && /^(date|timestamp(tz)?|timetz|time)$/.test(type.name);
  return isTime && /^now(\(\))?$/i.test(text.trim());
}

function isVariable(node: RawNode, scope: Scope): boolean {
  return (
    node.kind === 'scalar' &&
    typeof node.value === 'string' &&
    looksLikeVariable(node.value, scope.headerPrefix)
  );
}

function variable(text: string, node: RawNode, type: TypeName, scope: Scope): Operand | undefined {
  const name = variableName(text, scope.headerPrefix);
  if (name !== undefined) {
    scope.variables.add(name, node.position);
    return { kind: 'variable', name, type };
  }
  const corrected = correctedHeader(text, scope.headerPrefix);
  scope.report.error(
    'RG_BAD_VARIABLE',
    node.position,
    `"${text}" is no name of a session variable`,
    corrected === undefined
      ? `write ${scope.headerPrefix} followed by words of letters and digits joined by single hyphens, such as ${headerOf('user_id', scope.headerPrefix)}`
      : `write ${corrected}`,
  );
  return undefined;
}

function mixedArray(
  items: readonly RawNode[],
  element: CatalogType,
  type: TypeName,
  scope: Scope,
): Operand | undefined {
  const resolved = items.map((item) => resolveOperand(item, element, scope));
  return resolved.every((item) => item !== undefined)
    ? { kind: 'array', items: resolved, type }
    : undefined;
}

function constant(node: RawNode, type: TypeName, scope: Scope): Operand | undefined {
  if (isJsonType(type) && holdsVariable(node, scope)) {
    scope.report.error(
      'RG_BAD_VARIABLE',
      node.position,
      'a session variable cannot stand inside a JSON value',
      'let the variable hold the whole value',
    );
    return undefined;
  }
  if (isJsonType(type) && holdsEscape(node)) {
    scope.report.error(
      'RG_BAD_VALUE',
      node.position,
      '_literal cannot stand inside a JSON value',
      'write { _literal: … } around the whole value',
    );
    return undefined;
  }
  return reportMisspellings(node, type, scope) ? undefined : literal(node, type, scope);
}

/** Resolves a value literally, even if it looks like a variable. */
function literal(node: RawNode, type: TypeName, scope: Scope): Operand | undefined {
  if (node.kind === 'scalar' && node.value === null) {
    scope.report.error('RG_BAD_VALUE', node.position, 'null compares with nothing', 'use _is_null');
    return undefined;
  }
  const text = literalText(node, type);
  if (text !== undefined) return { kind: 'literal', text, type };
  reportUnfit(node, type, scope);
  return undefined;
}

/** Reports every text in a value that looks like a misspelt session variable. Returns whether there is any. */
function reportMisspellings(node: RawNode, type: TypeName, scope: Scope): boolean {
  const below = node.kind === 'list' ? node.items : [];
  const values = node.kind === 'map' ? node.entries.map(({ value }) => value) : below;
  const found = values.filter((value) => reportMisspellings(value, type, scope));
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return found.length > 0;
  const { headerPrefix, variables, report } = scope;
  const misspelling = findMisspelling(node.value, headerPrefix, variables.known);
  if (!misspelling) return false;
  const written = misspelling.header ?? `a name that begins with ${headerPrefix}`;
  const hint = isJsonType(type)
    ? `let ${written} hold the whole value, or write { _literal: … } around it for the text`
    : `write ${written} for a variable, or { _literal: ${quote(node.value)} } for the text`;
  report.error(
    'RG_MISSPELT_VARIABLE',
    node.position,
    `${quote(node.value)} looks like a session variable, but is a text`,
    hint,
  );
  return true;
}

function holdsVariable(node: RawNode, scope: Scope): boolean {
  if (node.kind === 'list') return node.items.some((item) => holdsVariable(item, scope));
  if (node.kind === 'map') return node.entries.some(({ value }) => holdsVariable(value, scope));
  return isVariable(node, scope);
}

function holdsEscape(node: RawNode): boolean {
  if (node.kind === 'list') return node.items.some(holdsEscape);
  if (node.kind !== 'map') return false;
  return escapedLiteral(node) !== undefined || node.entries.some(({ value }) => holdsEscape(value));
}

/** Reports a value that does not fit the type. In a list, each unfit element is reported at its own position. */
function reportUnfit(node: RawNode, type: TypeName, scope: Scope): void {
  const { element, labels } = type;
  if (node.kind === 'list' && element) {
    for (const item of node.items) {
      if (literalText(item, element) === undefined) reportUnfit(item, element, scope);
    }
    return;
  }
  scope.report.error(
    'RG_BAD_VALUE',
    node.position,
    `${describe(node)} is no ${labels ? `value of the enum ${type.name}` : typeLabel(type)}`,
    labels && `it has ${labels.map((label) => `"${label}"`).join(', ')}`,
  );
}

/** Returns the name of a type for messages: `uuid`, `citext`, `uuid[]`. */
export function typeLabel(type: TypeName): string {
  return type.element ? `${typeLabel(type.element)}[]` : type.name;
}

function describe(node: RawNode): string {
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a mapping';
  const text = typeof node.value === 'string' ? node.value : node.source;
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}
