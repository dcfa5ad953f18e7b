import type {
  DefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  Location,
  TypeNode,
} from 'graphql';
import type { Position, Report } from '../../../diagnostics.ts';
import type { RawEntry, RawNode } from '../../../metadata/yaml/node.ts';

/** Keys of the lists in `custom_types`, by the kind of definition in GraphQL's schema language (SDL). */
const listKeys: Readonly<Record<string, string>> = {
  ObjectTypeDefinition: 'objects',
  InputObjectTypeDefinition: 'input_objects',
  EnumTypeDefinition: 'enums',
  ScalarTypeDefinition: 'scalars',
};

/**
 * Merges actions.yaml with actions.graphql. Hasura's command line writes the types of arguments and outputs and the
 * custom types only to actions.graphql, in GraphQL's schema language (SDL). Reports a text that is not valid SDL.
 */
export async function mergeActionTypes(
  entries: readonly RawEntry[],
  sdl: string,
  file: string,
  report: Report,
): Promise<readonly RawEntry[]> {
  const { GraphQLError, parse } = await import('graphql');
  try {
    const merging = new Merging(parse(sdl).definitions, file);
    return entries.map((entry) => {
      if (entry.key === 'actions') return { ...entry, value: merging.actions(entry.value) };
      if (entry.key === 'custom_types') return { ...entry, value: merging.types(entry.value) };
      return entry;
    });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { line = 1, column = 1 } = error.locations?.[0] ?? {};
    report.error('RG_SHAPE', { file, line, column }, error.message);
    return entries;
  }
}

/** A root field in the SDL, which defines one action, with the type that contains it. */
interface RootField {
  readonly type: 'query' | 'mutation';
  readonly field: FieldDefinitionNode;
}

class Merging {
  readonly #file: string;
  readonly #definitions: readonly DefinitionNode[];
  readonly #roots = new Map<string, RootField>();

  constructor(definitions: readonly DefinitionNode[], file: string) {
    this.#file = file;
    this.#definitions = definitions.filter((one) => !isRoot(one));
    for (const one of definitions) {
      if (!isRoot(one) || !('fields' in one)) continue;
      const type = one.name.value === 'Query' ? 'query' : 'mutation';
      for (const field of one.fields ?? []) {
        if (field.kind === 'FieldDefinition') this.#roots.set(field.name.value, { type, field });
      }
    }
  }

  /** Adds the type, the arguments and the output from the SDL to each action of the list. */
  actions(list: RawNode): RawNode {
    if (list.kind !== 'list') return list;
    return { ...list, items: list.items.map((action) => this.#action(action)) };
  }

  #action(action: RawNode): RawNode {
    const found = this.#roots.get(nameIn(action) ?? '');
    if (action.kind !== 'map' || !found) return action;
    const { type, field } = found;
    const at = this.#at(field.loc);
    const added = [
      entry('type', scalar(type, at)),
      entry('arguments', list(this.#typed(field.arguments ?? []), at)),
      entry('output_type', scalar(printType(field.type), this.#at(field.type.loc))),
    ];
    const entries = action.entries.map((one) =>
      one.key === 'definition' ? { ...one, value: withEntries(one.value, added) } : one,
    );
    const comment = this.#described(field, 'comment');
    return withEntries({ ...action, entries }, comment);
  }

  /** Returns `custom_types` as the SDL defines them, with the relationships that only actions.yaml has. */
  types(map: RawNode): RawNode {
    if (map.kind !== 'map') return map;
    const entries = Object.values(listKeys).map((key) => {
      const known = map.entries.find((one) => one.key === key);
      const items = this.#definitions
        .filter(({ kind }) => listKeys[kind] === key)
        .map((one) => this.#type(one, itemsOf(known?.value)));
      return {
        key,
        keyPosition: known?.keyPosition ?? map.position,
        value: list(items, map.position),
      };
    });
    return { ...map, entries };
  }

  #type(definition: DefinitionNode, known: readonly RawNode[]): RawNode {
    const at = this.#at(definition.loc);
    const name = 'name' in definition ? (definition.name?.value ?? '') : '';
    const own = known.find((one) => nameIn(one) === name) ?? map([], at);
    const added = [entry('name', scalar(name, at)), ...this.#described(definition, 'description')];
    if ('fields' in definition) {
      added.push(entry('fields', list(this.#typed(definition.fields ?? []), at)));
    }
    if ('values' in definition) {
      const values = (definition.values ?? []).map((value) => {
        const place = this.#at(value.loc);
        const named = entry('value', scalar(value.name.value, place));
        return map([named, ...this.#described(value, 'description')], place);
      });
      added.push(entry('values', list(values, at)));
    }
    return withEntries(own, added);
  }

  #typed(fields: readonly (FieldDefinitionNode | InputValueDefinitionNode)[]): readonly RawNode[] {
    return fields.map((field) => {
      const at = this.#at(field.loc);
      const entries = [
        entry('name', scalar(field.name.value, at)),
        entry('type', scalar(printType(field.type), at)),
      ];
      return map([...entries, ...this.#described(field, 'description')], at);
    });
  }

  #described(node: object, key: string): RawEntry[] {
    const found =
      'description' in node ? (node.description as { value: string } | undefined) : undefined;
    return found ? [entry(key, scalar(found.value, this.#at(undefined)))] : [];
  }

  #at(location: Location | undefined): Position {
    const { line = 1, column = 1 } = location?.startToken ?? {};
    return { file: this.#file, line, column };
  }
}

function isRoot(definition: DefinitionNode): boolean {
  const isObject =
    definition.kind === 'ObjectTypeDefinition' || definition.kind === 'ObjectTypeExtension';
  return isObject && ['Query', 'Mutation'].includes(definition.name.value);
}

function printType(type: TypeNode): string {
  if (type.kind === 'NonNullType') return `${printType(type.type)}!`;
  return type.kind === 'ListType' ? `[${printType(type.type)}]` : type.name.value;
}

/** Adds entries to a map; existing entries stay. */
function withEntries(node: RawNode, added: readonly RawEntry[]): RawNode {
  if (node.kind !== 'map') return node;
  const has = new Set(node.entries.map(({ key }) => key));
  return { ...node, entries: [...node.entries, ...added.filter(({ key }) => !has.has(key))] };
}

function nameIn(node: RawNode): string | undefined {
  const value = node.kind === 'map' && node.entries.find(({ key }) => key === 'name')?.value;
  return value && value.kind === 'scalar' ? String(value.value) : undefined;
}

function itemsOf(node: RawNode | undefined): readonly RawNode[] {
  return node?.kind === 'list' ? node.items : [];
}

function entry(key: string, value: RawNode): RawEntry {
  return { key, keyPosition: value.position, value };
}

function scalar(value: string, position: Position): RawNode {
  return { kind: 'scalar', value, source: value, position };
}

function list(items: readonly RawNode[], position: Position): RawNode {
  return { kind: 'list', items, position };
}

function map(entries: readonly RawEntry[], position: Position): RawNode {
  return { kind: 'map', entries, position };
}
