import { type Position, Report } from '../diagnostics.ts';
import type { RawEntry, RawNode } from '../metadata/yaml/node.ts';
import { parseYaml } from '../metadata/yaml/parse-yaml.ts';
import { actionsPath, cronPath } from './folder-files.ts';

/** What of an import a mistake is about. */
export type Subject =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'table' }
  | { readonly kind: 'enum' }
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'relationship'; readonly name: string }
  | { readonly kind: 'computed field'; readonly name: string }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'schedule'; readonly name: string }
  | { readonly kind: 'action'; readonly name: string }
  | { readonly kind: 'custom type'; readonly name: string }
  | { readonly kind: 'type relationship'; readonly type: string; readonly name: string }
  | { readonly kind: 'rule'; readonly role: string; readonly command: string };

interface Start {
  readonly subject: Subject;
  readonly at: Position;
}

/** What stands at a place of a file, named by its path, that the import has written: the last thing that begins before it. */
export function subjectAt(text: string, place: Position, path: string): Subject | undefined {
  const root = parseYaml(text, place.file, new Report());
  const starts = (startsByPath[path] ?? startsIn)(root);
  const before = starts.filter(({ at }) => isBefore(at, place));
  return before.at(-1)?.subject;
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column);
}

/** In the order of the file. */
function startsIn(root: RawNode | undefined): readonly Start[] {
  return entriesOf(root).flatMap((entry) => {
    const below = entriesOf(entry.value);
    switch (entry.key) {
      case 'roles':
        return below.map((one) => start(one, { kind: 'role', role: one.key }));
      case 'is_enum':
        return [start(entry, { kind: 'enum' })];
      case 'graphql':
        return below.flatMap((one) => namesBelow(one, []));
      case 'permissions':
        return below.flatMap(({ key: role, value }) =>
          entriesOf(value).map((one) => start(one, { kind: 'rule', role, command: one.key })),
        );
      case 'relationships':
        return below.map((one) => start(one, { kind: 'relationship', name: one.key }));
      case 'computed_fields':
        return below.map((one) => start(one, { kind: 'computed field', name: one.key }));
      case 'events':
        return below.map((one) => start(one, { kind: 'event', name: one.key }));
      default:
        return [start(entry, { kind: 'table' })];
    }
  });
}

const startsByPath: Readonly<Record<string, typeof startsIn>> = {
  [cronPath]: schedulesIn,
  [actionsPath]: actionsIn,
};

function actionsIn(root: RawNode | undefined): readonly Start[] {
  return entriesOf(root).flatMap(({ key, value }) => {
    if (key === 'actions') {
      return entriesOf(value).map((one) => start(one, { kind: 'action', name: one.key }));
    }
    return entriesOf(value).flatMap((list) => entriesOf(list.value).flatMap(typeAt));
  });
}

function typeAt(type: RawEntry): readonly Start[] {
  const relationships = entriesOf(type.value).find(({ key }) => key === 'relationships');
  return [
    start(type, { kind: 'custom type', name: type.key }),
    ...entriesOf(relationships?.value).map((one) =>
      start(one, { kind: 'type relationship', type: type.key, name: one.key }),
    ),
  ];
}

function schedulesIn(root: RawNode | undefined): readonly Start[] {
  return entriesOf(root).map((one) => start(one, { kind: 'schedule', name: one.key }));
}

/** `name`, and each of `columns` and `root_fields`. */
function namesBelow(entry: RawEntry, above: readonly string[]): readonly Start[] {
  const path = [...above, entry.key];
  const below = above.length === 0 ? entriesOf(entry.value) : [];
  return below.length > 0
    ? below.flatMap((one) => namesBelow(one, path))
    : [start(entry, { kind: 'name', path })];
}

function start({ keyPosition }: RawEntry, subject: Subject): Start {
  return { subject, at: keyPosition };
}

function entriesOf(node: RawNode | undefined): readonly RawEntry[] {
  return node?.kind === 'map' ? node.entries : [];
}
