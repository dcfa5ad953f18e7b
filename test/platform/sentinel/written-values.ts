import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import { literalOf } from './literals.ts';
import { absentLike } from './markers.ts';
import type { RoleView } from './role-view.ts';

type Named = GraphQLArgument | GraphQLInputField;

/** Whether the foreign keys of a written row refer to hidden rows or to own rows. */
export type Keys = 'foreign' | 'own';

/** Values for writes to one table. Columns that are not foreign keys get values that no row has. */
export class WrittenValues {
  readonly #schema: GraphQLSchema;
  readonly #model: Model;
  readonly #roleView: RoleView;
  readonly #table: TableModel;
  readonly #references: ReadonlySet<string>;

  constructor(schema: GraphQLSchema, model: Model, roleView: RoleView, table: TableModel) {
    this.#schema = schema;
    this.#model = model;
    this.#roleView = roleView;
    this.#table = table;
    const references = [...table.relationships.values()].filter(
      ({ kind, insertFirst }) => kind === 'object' && insertFirst === 'remote',
    );
    const local = references.flatMap(({ columns }) => columns.map((pair) => pair.local));
    this.#references = new Set(local);
  }

  /** Returns `column: value, …` for a `t_insert_input`. */
  row(input: GraphQLInputObjectType, keys: Keys): string {
    return this.#cells(input, keys, new Set()).join(', ');
  }

  /** Returns `_set: {…}` or a similar argument; undefined for other arguments. */
  change({ name, type }: Named): string | undefined {
    const input = getNamedType(type);
    if (name !== '_set' || !isInputObjectType(input)) return undefined;
    return `_set: {${this.row(input, 'own')}}`;
  }

  /** Returns conditions that hold only for hidden rows. */
  conditions(type: GraphQLInputObjectType): readonly string[] {
    const found = Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
      const comparison = getNamedType(inner);
      const equals = isInputObjectType(comparison) ? comparison.getFields()._eq : undefined;
      const [value] = this.#operands(name)?.foreign ?? [];
      if (!equals || value === undefined) return [];
      return [`{${name}: {_eq: ${literalOf(equals.type, value)}}}`];
    });
    return found.length > 0 ? found : ['{_or: []}'];
  }

  /** Returns primary keys of hidden rows, as `column: value, …`; empty when the role sees all rows. */
  keys(columns: readonly Named[]): readonly string[] {
    const rows = this.#hidden().slice(0, 2);
    const say = (value: (column: string) => string) =>
      columns.map(({ name, type }) => `${name}: ${literalOf(type, value(name))}`).join(', ');
    if (rows.length === 0) return [say((name) => this.#absent(name))];
    return rows.map(({ values }) => say((name) => values[this.#columnOf(name) ?? ''] ?? ''));
  }

  /** Returns, for each constraint, a row that conflicts with a hidden row. */
  conflicts(
    input: GraphQLInputObjectType,
  ): readonly { readonly row: string; readonly clause: string }[] {
    const { graphqlName, uniqueConstraints } = this.#table;
    const offered = this.#names(`${graphqlName}_constraint`);
    const [row] = this.#hidden();
    return uniqueConstraints
      .filter(({ name }) => row && offered.includes(name))
      .flatMap(({ name, columns }) => {
        const met = new Set(columns);
        const cells = this.#cells(input, 'own', met);
        const own = Object.values(input.getFields()).flatMap(({ name: field, type }) => {
          const value = row?.values[this.#columnOf(field) ?? ''];
          return met.has(this.#columnOf(field) ?? '') && value != null
            ? [`${field}: ${literalOf(type, value)}`]
            : [];
        });
        const clause = (update: string) => `{constraint: ${name}, update_columns: [${update}]}`;
        const changed = this.#names(`${graphqlName}_update_column`).filter(
          (one) => one !== '_PLACEHOLDER',
        );
        const values = [...cells, ...own].join(', ');
        return [
          { row: values, clause: clause('') },
          { row: values, clause: clause(changed.join(', ')) },
        ];
      });
  }

  /** Returns rows with nested related rows. A nested row gets the key of a hidden row when the key can be given. */
  nested(input: GraphQLInputObjectType): readonly string[] {
    return Object.values(input.getFields()).flatMap(({ name, type }) => {
      const inner = getNamedType(type);
      const relationship = this.#table.relationships.get(name);
      const table = relationship && this.#model.tables.get(relationship.table);
      if (!table || !isInputObjectType(inner)) return [];
      const rows = new WrittenValues(this.#schema, this.#model, this.#roleView, table);
      const data = inner.getFields().data;
      const row = getNamedType(data?.type) as GraphQLInputObjectType;
      const isBefore = relationship.insertFirst === 'remote';
      const decided = (end: 'local' | 'remote') =>
        new Set(relationship.columns.map((pair) => pair[end]));
      const own = this.#cells(input, 'own', isBefore ? decided('local') : new Set());
      const given = isBefore ? new Set<string>() : decided('remote');
      const conflicts = inner.getFields().on_conflict ? rows.conflicts(row) : [];
      const brought = [
        `{data: {${rows.#cells(row, 'foreign', given).join(', ')}}}`,
        ...conflicts
          .filter(() => isBefore)
          .map((one) => `{data: {${one.row}}, on_conflict: ${one.clause}}`),
      ];
      return brought.map((one) => [...own, `${name}: ${one}`].join(', '));
    });
  }

  #cells(input: GraphQLInputObjectType, keys: Keys, without: ReadonlySet<string>): string[] {
    return Object.values(input.getFields()).flatMap(({ name, type }) => {
      const column = this.#columnOf(name);
      if (column === undefined || without.has(column)) return [];
      const value = this.#value(name, column, keys);
      return value === undefined ? [] : [`${name}: ${literalOf(type, value)}`];
    });
  }

  #value(name: string, column: string, keys: Keys): string | undefined {
    const { foreign = [], own } = this.#operands(name) ?? {};
    const isKey = this.#references.has(column) || this.#table.primaryKey.includes(column);
    if (isKey && keys === 'foreign') return foreign[0];
    if (this.#references.has(column)) return own;
    const like = own ?? foreign[0];
    return like === undefined ? undefined : absentLike(like);
  }

  #absent(name: string): string {
    const { foreign = [], own } = this.#operands(name) ?? {};
    return absentLike(own ?? foreign[0] ?? '');
  }

  #hidden() {
    const rows = this.#roleView.hidden.get(this.#table.key) ?? [];
    return rows.toSorted((a, b) => Number(b.party === 'other') - Number(a.party === 'other'));
  }

  #operands(name: string) {
    const column = this.#columnOf(name);
    return column === undefined ? undefined : this.#roleView.operands(this.#table, column);
  }

  #columnOf(name: string): string | undefined {
    return [...this.#table.columns.values()].find(({ graphqlName }) => graphqlName === name)?.name;
  }

  #names(enumName: string): readonly string[] {
    const type = this.#schema.getType(enumName);
    return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  }
}
