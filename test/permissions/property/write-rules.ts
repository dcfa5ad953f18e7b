import { stringify } from 'yaml';
import type { MetadataFiles } from '../support/metadata-files.ts';
import type {
  ColumnTest,
  ColumnType,
  Expression,
  Json,
  Rule,
  Scalar,
  Schema,
  Value,
} from './vocabulary.ts';
import { named } from './vocabulary.ts';

/** Rules of one role on one table. */
export interface RoleRules {
  readonly role: string;
  readonly table: string;
  readonly rules: readonly Rule[];
}

type Written = { readonly [key: string]: unknown };

/** Writes expressions as metadata, and collects the named filters that they use. */
class Writer {
  readonly filters: Record<string, Written> = {};
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  write(expression: Expression, table: string): Written {
    switch (expression.kind) {
      case 'column':
        return { [expression.column]: this.#tests(expression, table) };
      case 'and':
        return this.#and(expression, table);
      case 'or':
        return { _or: expression.items.map((item) => this.write(item, table)) };
      case 'not':
        return { _not: this.write(expression.item, table) };
      case 'named':
        return { _filter: this.#named(expression.item, table) };
      case 'exists': {
        const where = this.write(expression.item, expression.table);
        return { _exists: { _table: expression.table, _where: where } };
      }
      case 'related': {
        const ways = named(this.#schema, table).relationships;
        const way = named(ways, expression.relationship);
        return { [way.name]: this.write(expression.item, way.table) };
      }
    }
  }

  #and({ items, merged }: Extract<Expression, { kind: 'and' }>, table: string): Written {
    const written = items.map((item) => this.write(item, table));
    const keys = written.flatMap((one) => Object.keys(one));
    return merged && new Set(keys).size === keys.length
      ? Object.assign({}, ...written)
      : { _and: written };
  }

  #named(item: Expression, table: string): string {
    const written = this.write(item, table);
    const name = `f${Object.keys(this.filters).length}`;
    this.filters[name] = written;
    return name;
  }

  #tests(
    { column, tests, short }: Extract<Expression, { kind: 'column' }>,
    table: string,
  ): unknown {
    const { type } = named(named(this.#schema, table).columns, column);
    const [first] = tests;
    const written = tests.map((test) => [test.operator, writeOperand(test, type)] as const);
    const right = written[0]?.[1];
    const bare = typeof right !== 'object' || Array.isArray(right);
    return short && first?.operator === '_eq' && tests.length === 1 && bare
      ? right
      : Object.fromEntries(written);
  }
}

const headerOf = (variable: string) => `X-Gql-${variable.replaceAll('_', '-')}`;

function writeOperand({ operator, operand }: ColumnTest, type: ColumnType): unknown {
  if ('flag' in operand) return operand.flag;
  if ('variable' in operand) return headerOf(operand.variable);
  if ('column' in operand) return operand.root ? ['$', operand.column] : operand.column;
  if ('items' in operand)
    return operand.items.map((item) =>
      'variable' in item ? headerOf(item.variable) : writeScalar(item.value, type),
    );
  return writeValue(operand.value, operator.startsWith('_has_key') ? 'text' : type);
}

function writeValue(value: Value, type: ColumnType): unknown {
  return Array.isArray(value) ? value : writeScalar(value as Scalar, type);
}

/** Writes a number without quotes if YAML preserves it exactly. */
function writeScalar(value: Scalar, type: ColumnType): Json {
  if (typeof value !== 'string') return value.json;
  if (type === 'bool') return value === 'true';
  const isSmall = /^-?\d{1,5}$/.test(value);
  return isSmall && ['int4', 'int8', 'numeric'].includes(type) ? Number(value) : value;
}

/** Returns the text of a rule for the file of its table. */
function writeRule(rule: Rule, table: string, writer: Writer): Written {
  const condition = writer.write(rule.condition, table);
  switch (rule.command) {
    case 'select':
      return { filter: condition, columns: ['id'] };
    case 'insert':
      return { check: condition, columns: '*' };
    case 'delete':
      return { filter: condition };
    case 'update':
      return {
        filter: condition,
        columns: rule.columns,
        ...(rule.check && { check: writer.write(rule.check, table) }),
      };
  }
}

/** Returns the permissions of a role. A writer also gets a select rule, because it must see the row that it writes. */
function writePermissions({ table, rules }: RoleRules, writer: Writer): Written {
  const written = rules.map((rule) => [rule.command, writeRule(rule, table, writer)]);
  return { select: { filter: {}, columns: ['id'] }, ...Object.fromEntries(written) };
}

/** Returns the files of a metadata folder with these roles. */
export function writeMetadataFiles(schema: Schema, roles: readonly RoleRules[]): MetadataFiles {
  const writer = new Writer(schema);
  const tables = schema.map((table) => {
    const own = roles.filter((one) => one.table === table.name);
    const permissions = own.map((one) => [one.role, writePermissions(one, writer)]);
    const ways = table.relationships.filter((way) => way.written);
    const content = {
      table: table.name,
      relationships: Object.fromEntries(ways.map((way) => [way.name, way.written])),
      permissions: Object.fromEntries(permissions),
    };
    return [`tables/${table.name}.yaml`, yaml(content)] as const;
  });
  const names = Object.fromEntries(roles.map(({ role }) => [role, {}]));
  return {
    ...Object.fromEntries(tables),
    'roles.yaml': yaml({ roles: names }),
    'filters.yaml': yaml({ filters: writer.filters }),
  };
}

function yaml(content: object): string {
  return stringify(content, { aliasDuplicateObjects: false, lineWidth: 120 });
}
