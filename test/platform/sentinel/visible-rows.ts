import pg from 'pg';
import type { BoolExp, RoleModel, TypeName } from '../../../permissions/index.ts';
import type { Table } from './tables.ts';

/** Session variables by setting name, e.g. `organization_id`. */
export type Variables = Readonly<Record<string, string>>;

/**
 * Prints the filter of a rule in the simplest form, with the values of the variables, for a login to which no policy
 * applies. Every variable that the rule names must be present.
 */
export function conditionOf(filter: BoolExp, variables: Variables): string {
  return new Reading(variables).read(filter, 'r', 'r');
}

class Reading {
  readonly #variables: Variables;
  #aliases = 0;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  read(exp: BoolExp, row: string, root: string): string {
    const again = (item: BoolExp) => `(${this.read(item, row, root)})`;
    switch (exp.kind) {
      case 'and':
        return ['true', ...exp.items.map(again)].join(' and ');
      case 'or':
        return ['false', ...exp.items.map(again)].join(' or ');
      case 'not':
        return `not ${again(exp.item)}`;
      case 'guarded':
        return again(exp.item);
      case 'isNull':
        return `${this.#column(exp.column, row, root)} is ${exp.negated ? 'not null' : 'null'}`;
      case 'compare':
        return this.#compare(exp, row, root);
      case 'related': {
        const { table, columns } = exp.relationship;
        const other = this.#alias();
        const joins = columns.map(
          ({ local, remote }) =>
            `${row}.${pg.escapeIdentifier(local)} = ${other}.${pg.escapeIdentifier(remote)}`,
        );
        return this.#exists(table, other, [...joins, `(${this.read(exp.item, other, root)})`]);
      }
      case 'exists': {
        const other = this.#alias();
        return this.#exists(exp.table, other, [`(${this.read(exp.item, other, root)})`]);
      }
      case 'computedRows':
        throw unread(exp.field.name);
    }
  }

  #alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  #exists(table: string, alias: string, conditions: readonly string[]): string {
    return `exists (select from ${sqlName(table)} ${alias} where ${conditions.join(' and ')})`;
  }

  #column(reference: Extract<BoolExp, { kind: 'isNull' }>['column'], row: string, root: string) {
    if ('field' in reference) throw unread(reference.field.name);
    return `${reference.scope === 'row' ? row : root}.${pg.escapeIdentifier(reference.column)}`;
  }

  #compare(exp: Extract<BoolExp, { kind: 'compare' }>, row: string, root: string): string {
    const { operator, quantifier, operand, orNull, pattern, castTo } = exp;
    const plain = this.#column(exp.column, row, root);
    const cast = castTo ? `::${typeName(castTo)}` : '';
    const right = `${this.#operand(operand, row, root)}${quantifier ? '' : cast}`;
    const pattern2 = pattern === 'similar' ? `pg_catalog.similar_to_escape(${right})` : right;
    const symbol = `operator(${pg.escapeIdentifier(operator.schema)}.${operator.symbol})`;
    const comparison = `${plain}${cast} ${symbol} ${quantifier ?? ''} (${pattern2})`;
    return orNull ? `(${comparison} or ${plain} is null)` : comparison;
  }

  #operand(operand: Operand, row: string, root: string): string {
    switch (operand.kind) {
      case 'literal':
        return typed(operand.text, operand.type);
      case 'now':
        return `pg_catalog.now()::${typeName(operand.type)}`;
      case 'variable':
        return typed(this.#value(operand.name), operand.type);
      case 'column':
        return this.#column(operand.reference, row, root);
      case 'array': {
        const items = operand.items.map((item) => this.#operand(item, row, root));
        return `array[${items.join(', ')}]::${typeName(operand.type)}`;
      }
    }
  }

  #value(name: string): string {
    const value = this.#variables[name];
    if (value === undefined) throw new Error(`no value is planted for the variable ${name}`);
    return value;
  }
}

function unread(field: string): Error {
  return new Error(`no rule of the platform calls a function, so "${field}" is not read here`);
}

type Operand = Extract<BoolExp, { kind: 'compare' }>['operand'];

function typed(text: string, type: TypeName): string {
  return `${pg.escapeLiteral(text)}::${typeName(type)}`;
}

function typeName({ schema, name, element }: TypeName): string {
  if (element) return `${typeName(element)}[]`;
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

function sqlName(key: string): string {
  const dot = key.indexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)].map(pg.escapeIdentifier).join('.');
}

/** Returns for every row of a table, in the order of insertion, whether a role's select rule shows it. */
export async function visibleRows(
  client: pg.Client,
  role: RoleModel,
  table: Table,
  variables: Variables,
): Promise<readonly boolean[]> {
  const select = role.tables.get(table.key)?.select;
  const condition = select ? conditionOf(select.filter, variables) : 'false';
  const { rows } = await client.query<{ readonly expected: boolean }>(
    `select coalesce(${condition}, false) as expected from ${table.sql} r order by r.ctid`,
  );
  return rows.map(({ expected }) => expected);
}
