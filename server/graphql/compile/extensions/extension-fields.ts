import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { RequestError } from '../../request-error.ts';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ExtensionRelationshipView, ExtensionView } from '../../schema/view/extension-view.ts';
import type { RoleView } from '../../schema/view/role-view.ts';
import { bounded } from '../bounded-columns.ts';
import type { Compilation } from '../compilation.ts';
import { makeExtensionDocument, stockValue } from '../extension-document.ts';
import { equality, from, newAlias, ofBase, operator, TEXT } from '../fragments.ts';
import { writtenParameter } from '../input/input.ts';
import { jsonList } from '../list/json-list.ts';
import { compileList } from '../list/list.ts';
import { compileSingle } from '../rows.ts';
import { compileText } from '../statement.ts';
import type { Assemble } from '../write/mutation.ts';
import type { WriteProgram } from '../write/program.ts';
import {
  answerText,
  collectTexts,
  foundRows,
  isPlain,
  type RowsSlot,
  type Slot,
  type Slots,
} from './extension-answer.ts';

/** Root fields of extensions, by response key. */
export type ExtensionRoots = readonly (readonly [string, readonly FieldNode[]])[];

export interface ExtensionFieldsOptions {
  readonly compilation: Compilation;
  readonly program: WriteProgram;
  readonly view: RoleView;
  readonly extensions: ExtensionView;
  readonly operation: OperationDefinitionNode;
}

/**
 * A relationship from an extension's type to a table. Its rows are read after the plugin has answered, because the
 * answer contains the join values.
 */
interface Related {
  readonly relationship: ExtensionRelationshipView;
  readonly nodes: readonly FieldNode[];
  readonly path: string;
}

/** Adds the extension fields of one operation to its program. */
export class ExtensionFields {
  readonly #options: ExtensionFieldsOptions;
  #fields = 0;

  constructor(options: ExtensionFieldsOptions) {
    this.#options = options;
  }

  /** Adds root fields that PostGraphile runs together as one step. @throws RequestError when the fields are too many */
  add(roots: ExtensionRoots): readonly Assemble[] {
    const { program, operation, extensions } = this.#options;
    const related: Related[] = [];
    const parts = roots.map(([key, nodes]) => this.#root(key, nodes, related));
    if (parts.some(({ root }) => root.usesDatabase)) this.#useAll();
    const slots = parts.map(({ slot }, index) => [roots[index]?.[0] ?? '', slot] as const);
    const selections = parts.map(({ selection }) => selection);
    const document = makeExtensionDocument(operation, selections, extensions.catalog);
    this.#count(document.fields);
    const [first] = roots;
    const step = program.add({
      ...{ kind: 'extension', document, table: undefined, returnsRows: false, isAnswer: true },
      path: `$.selectionSet.${first?.[1][0]?.name.value}`,
      whenNothing: undefined,
      // The root fields of a query run at the same time, so the longest wait is the wait of the query.
      waitMs: Math.max(...parts.map(({ root }) => root.waitMs)),
      textsOf: (data) => collectTexts(data, slots, related.length),
    });
    const valuesAt = (index: number) => roots.length + index;
    const steps = related.map((one, index) => {
      return this.#relate(
        one,
        writtenParameter((written) => written[step]?.[valuesAt(index)] ?? '[]'),
      );
    });
    return slots.map(([, slot], index) => (written) => {
      const text = written[step]?.[index] ?? 'null';
      if (isPlain(slot)) return text;
      const found = steps.map((at, relationship) =>
        foundRows(written[step]?.[valuesAt(relationship)] ?? '[]', written[at]?.[0] ?? '[]'),
      );
      return answerText(JSON.parse(text), slot, found);
    });
  }

  // Rowgate cannot know which tables a plugin reads. So it requires the session variables of all rules of the role;
  // otherwise a missing variable would silently hide rows.
  #useAll(): void {
    const { view, compilation } = this.#options;
    for (const { select } of view.tables.values()) compilation.use(select);
  }

  #count(fields: number): void {
    const { maxFields } = this.#options.extensions.catalog;
    this.#fields += fields;
    if (this.#fields <= maxFields) return;
    throw new RequestError(
      'node-limit-exceeded',
      `the operation selects more than ${maxFields} fields of extensions; split it into several operations`,
    );
  }

  #root(key: string, nodes: readonly FieldNode[], related: Related[]) {
    const { compilation, extensions, operation } = this.#options;
    const [node] = nodes;
    const name = node?.name.value ?? '';
    const fields = operation.operation === 'query' ? extensions.queries : extensions.mutations;
    const root = fields.get(name);
    if (!root || !node) throw new Error(`${name} is not the field of an extension`);
    const path = `$.selectionSet.${name}`;
    compilation.counter.read(1, path);
    return { ...this.#field(key, nodes, { field: root.field, path, related }), root };
  }

  #field(key: string, nodes: readonly FieldNode[], { field, path, related }: FieldPlace) {
    const { catalog } = this.#options.extensions;
    const named = getNamedType(field.type);
    const [node] = nodes;
    const args = (node?.arguments ?? []).map((argument) => {
      const type = field.args.find((one) => one.name === argument.name.value)?.type;
      return type ? { ...argument, value: stockValue(argument.value, type, catalog) } : argument;
    });
    const base = { ...fieldNode(key, field.name), arguments: args };
    if (!isObjectType(named)) {
      const { stringifyNumericTypes } = this.#options.compilation.options;
      const isExact = catalog.scalars.get(named.name)?.rule === 'number';
      const slot: Slot = { kind: 'value', isNumber: isExact && !stringifyNumericTypes };
      return { slot, selection: base };
    }
    const { slots, selections } = this.#below(named, nodes, path, related);
    const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
    return { slot: { kind: 'object', slots } as const, selection: { ...base, selectionSet } };
  }

  #below(
    type: GraphQLObjectType,
    nodes: readonly FieldNode[],
    path: string,
    related: Related[],
  ): { readonly slots: Slots; readonly selections: readonly FieldNode[] } {
    const { compilation, extensions } = this.#options;
    const below = compilation.fieldsBelow(nodes);
    const selections: FieldNode[] = [];
    const hidden = new Map<string, string>();
    const slots = [...below].map(([key, inner]): readonly [string, Slot] => {
      const name = inner[0]?.name.value ?? '';
      const place = `${path}.selectionSet.${name}`;
      const relationship = extensions.relationships.get(type.name)?.get(name);
      if (relationship) {
        const keys = relationship.columns.map(({ field }) => {
          const alias = unusedKey(field, below);
          hidden.set(alias, field);
          return alias;
        });
        related.push({ relationship, nodes: inner, path: place });
        const kind: RowsSlot['kind'] = `${relationship.kind} rows`;
        return [key, { kind, index: related.length - 1, keys }];
      }
      const field = type.getFields()[name];
      if (!field) {
        selections.push(fieldNode(key, '__typename'));
        return [key, { kind: 'value', isNumber: false }];
      }
      const made = this.#field(key, inner, { field, path: place, related });
      selections.push(made.selection);
      return [key, made.slot];
    });
    selections.push(...[...hidden].map(([alias, field]) => fieldNode(alias, field)));
    // An object type needs a selection, but directives may exclude all selected fields.
    if (selections.length === 0) selections.push(fieldNode('__typename', '__typename'));
    return { slots, selections };
  }

  /**
   * Adds one statement that reads the related rows of all objects. It returns a list of JSON texts, in the order of the
   * values.
   */
  #relate({ relationship, nodes, path }: Related, values: SQL): number {
    const { compilation, program } = this.#options;
    const { maxBytes } = compilation.options;
    const found = newAlias();
    const { compiled: value } = compilation.countRows(() =>
      this.#rowsOf({ relationship, nodes, path }, found),
    );
    const source = sql`pg_catalog.json_array_elements(${values}::pg_catalog.json) ${found}`;
    const text = sql`pg_catalog.to_json((${value})${TEXT})`;
    const { list, source: rows } = jsonList(text, source, {
      maxBytes,
      maxRows: Number.POSITIVE_INFINITY,
    });
    const statement = compileText(
      sql`select ${bounded(sql`(select ${list} from ${rows})`, { maxBytes, isForAll: false })}`,
    );
    return program.add({
      ...{ statement, kind: 'read', table: relationship.table, path, returnsRows: false },
      ...{ isAnswer: true, whenNothing: undefined },
    });
  }

  #rowsOf({ relationship, nodes, path }: Related, found: SQL): SQL {
    const { compilation } = this.#options;
    const { table, kind, columns } = relationship;
    const alias = newAlias();
    const arrow = operator({ schema: 'pg_catalog', symbol: '->>' });
    const conditions = columns.map(({ column }, index) => {
      const own = ofBase(sql`${alias}.${sql.identifier(column.column)}`, column.scalar);
      const value = sql`(${found}.value ${arrow} ${sql.literal(index)})::${sqlTypeOf(column.scalar.type)}`;
      return sql`${own} ${equality(column)} ${value}`;
    });
    const join = sql.join(conditions, ' and ');
    if (kind === 'array') {
      const args = nodes[0] ? compilation.argumentsOf(nodes[0]) : {};
      return compileList(compilation, { table, alias, args, join, nodes, path });
    }
    compilation.use(table.select);
    compilation.counter.read(table.tables, path);
    const source = sql` from ${from(table, alias)} where ${join} limit 1`;
    return compileSingle(compilation, { table, alias, nodes, path }, source);
  }
}

interface FieldPlace {
  readonly field: GraphQLField<unknown, unknown>;
  readonly path: string;
  readonly related: Related[];
}

function fieldNode(key: string, name: string): FieldNode {
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: key },
    name: { kind: Kind.NAME, value: name },
  };
}

/** Returns a response key that the client does not use. */
function unusedKey(field: string, used: ReadonlyMap<string, unknown>): string {
  let key = `key_${field}`;
  while (used.has(key)) key += '_';
  return key;
}
