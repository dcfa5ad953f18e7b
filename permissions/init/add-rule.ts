import { isDeepStrictEqual } from 'node:util';
import { isMap, isPair, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { Report } from '../diagnostics.ts';
import type { PlainMap } from '../import/hasura/imported.ts';
import { yamlLine, yamlText } from '../import/yaml-text.ts';
import { toPlain } from '../metadata/yaml/locate.ts';
import { parseYaml } from '../metadata/yaml/parse-yaml.ts';

/** A rule to add to a table file. */
export interface NewRule {
  readonly role: string;
  readonly command: string;
  readonly rule: PlainMap;
}

/**
 * Inserts a rule into the text of a table file, and changes nothing else, including comments and spaces. Returns
 * undefined for a file whose form does not allow the insertion.
 */
export function addRule(text: string, added: NewRule): string | undefined {
  const changed = insertRule(text, added);
  return changed !== undefined && holdsOnlyNew(text, changed, added) ? changed : undefined;
}

/** Returns the YAML text of the rule alone. */
export function ruleText({ role, command, rule }: NewRule): string {
  return yamlText(new Map([['permissions', new Map([[role, new Map([[command, rule]])]])]]));
}

function insertRule(text: string, added: NewRule): string | undefined {
  const root = parseDocument(text, { version: '1.2', uniqueKeys: false }).contents;
  if (!isMap(root)) return undefined;
  const permissions = root.get('permissions', true);
  const [top = '', byRole = '', ...byCommand] = ruleText(added).trimEnd().split('\n');
  if (!isMap(permissions)) return appendTo(root, [top, byRole, ...byCommand], text);
  const rules = permissions.get(added.role, true);
  const body = new Map([[added.command, added.rule]]);
  if (!isMap(rules)) {
    return permissions.flow === true
      ? appendInline(permissions, new Map([[added.role, body]]), text)
      : appendTo(permissions, [byRole, ...byCommand], text);
  }
  return rules.flow === true ? appendInline(rules, body, text) : appendTo(rules, byCommand, text);
}

/** Adds lines after the last entry of a map in block style, in which each entry begins on a line. */
function appendTo(map: YAMLMap, lines: readonly string[], text: string): string | undefined {
  const first = map.items[0]?.key;
  const start = rangeOf(first)?.[0];
  if (map.flow === true || start === undefined) return undefined;
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const own = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const inserted = lines.map((line) => `${indent}${line.slice(own)}${eol}`).join('');
  const end = lineAfter(text, endOf(map));
  const before = text.slice(0, end);
  return `${before}${/(^|\n)$/.test(before) ? '' : eol}${inserted}${text.slice(end)}`;
}

/** Adds an entry to a map in braces. */
function appendInline(map: YAMLMap, entry: PlainMap, text: string): string | undefined {
  const end = map.range?.[1];
  if (end === undefined || text[end - 1] !== '}') return undefined;
  const before = text.slice(0, end - 1).trimEnd();
  const separator = map.items.length === 0 || before.endsWith(',') ? ' ' : ', ';
  return `${before}${separator}${yamlLine(entry).slice(2, -2)} ${text.slice(end - 1)}`;
}

/** Returns the end of the last value in a node. Ranges of nodes also include comments after them. */
function endOf(node: unknown): number {
  const last = (isMap(node) || isSeq(node)) && node.flow !== true ? node.items.at(-1) : undefined;
  if (last === undefined) return rangeOf(node)?.[1] ?? 0;
  return isPair(last) ? endOf(last.value ?? last.key) : endOf(last);
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  const { range } = node as { readonly range?: readonly [number, number, number] };
  return range ?? undefined;
}

function lineAfter(text: string, end: number): number {
  if (text[end - 1] === '\n') return end;
  const next = text.indexOf('\n', end);
  return next < 0 ? text.length : next + 1;
}

/** Returns whether a changed file has exactly the new rule in addition. */
function holdsOnlyNew(before: string, after: string, { role, command, rule }: NewRule): boolean {
  const [old, changed] = [plainOf(before), plainOf(after)];
  const permissions = old?.permissions;
  const expected = {
    ...old,
    permissions: {
      ...permissions,
      [role]: { ...permissions?.[role], [command]: objectOf(rule) },
    },
  };
  return changed !== undefined && isDeepStrictEqual(copyOf(changed), copyOf(expected));
}

type PlainFile = Readonly<Record<string, Readonly<Record<string, object>> | undefined>>;

function plainOf(text: string): PlainFile | undefined {
  const report = new Report();
  const root = parseYaml(text, '', report);
  return root && !report.hasErrors ? (toPlain(root) as PlainFile) : undefined;
}

function objectOf(value: unknown): unknown {
  return value instanceof Map
    ? Object.fromEntries([...value].map(([key, item]) => [key, objectOf(item)]))
    : value;
}

/** Copies a value so that all its objects have the same prototype, for the comparison. */
function copyOf(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
