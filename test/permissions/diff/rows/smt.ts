import { init } from 'z3-solver';
import type { RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import { variablesOf } from '../../../../permissions/expressions/dependencies.ts';
import { parseArray } from '../../../../permissions/expressions/literals.ts';
import type { BoolExp, Operand } from '../../../../permissions/types/expressions.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import type { TableKey, TypeName } from '../../../../permissions/types/names.ts';

/** Steps of z3, which are the same on every machine. */
const maxSteps = 2_000_000;

export type Solve = (text: string) => string;

/** Starts z3 in this thread. */
export async function startSolver(): Promise<Solve> {
  const { Z3, em } = await init();
  return (text) => {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    try {
      const given = [context, `(set-option :rlimit ${maxSteps})\n${text}\n(check-sat)`];
      return em.ccall('Z3_eval_smtlib2_string', 'string', ['number', 'string'], given).trim();
    } finally {
      Z3.del_context(context);
      Z3.del_config(config);
    }
  };
}

/** When an expression is true, and when it is false, as SMT-LIB. It is unknown otherwise. */
interface Encoded {
  readonly yes: string;
  readonly no: string;
}

interface Place {
  readonly table: TableKey;
  readonly row: string;
  readonly root: Omit<Place, 'root'>;
}

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** The number of rows of each table. A proof must hold for every number of rows, so also for this one. */
const rowsOfTable = 2;

const and = (items: readonly string[]) => `(and true ${items.join(' ')})`;
const or = (items: readonly string[]) => `(or false ${items.join(' ')})`;
const not = (item: string) => `(not ${item})`;

/** Types whose values are numbers here. All others are compared for equality, and in an order that is left open. */
const wholeTypes: ReadonlySet<string> = new Set(['int2', 'int4', 'int8']);

/** An encoding of rules in SMT-LIB that shares no code with the engine. */
export class Encoder {
  readonly #model: Model;
  readonly #lines = new Map<string, string>();
  readonly #constants = new Map<string, Set<string>>();
  readonly #notNull = new Set<string>();
  /** Whether the rules hold a comparison between whose values the engine knows more than this encoding. */
  isPartial = false;

  constructor(model: Model) {
    this.#model = model;
  }

  /** Returns a text that can be satisfied if a row passes the first rule and not the second. */
  difference(shows: RowRule, hides: RowRule): string {
    const goal = and([this.#rule(shows), not(this.#rule(hides))]);
    const distinct = [...this.#constants.values()]
      .filter((names) => names.size > 1)
      .map((names) => `(assert (distinct ${[...names].join(' ')}))`);
    const filled = [...this.#notNull].map((name) => `(assert (not ${name}))`);
    return [...this.#lines.values(), ...distinct, ...filled, `(assert ${goal})`].join('\n');
  }

  #rule({ table, expression }: RowRule): string {
    if (!expression) return 'false';
    const root = { table, row: '0' };
    const body = this.#encode(expression, { ...root, root }).yes;
    return and([this.#present(unguarded(expression)), body]);
  }

  #present(parts: readonly BoolExp[]): string {
    return and(variablesOf(parts).map(({ variable }) => this.#flag(variable)));
  }

  #flag(name: string): string {
    return this.#declare(`|set ${name}|`, 'Bool');
  }

  #declare(name: string, sort: string): string {
    this.#lines.set(name, `(declare-const ${name} ${sort})`);
    return name;
  }

  #encode(expression: BoolExp, place: Place): Encoded {
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const items = expression.items.map((item) => this.#encode(item, place));
        const [yes, no] = [items.map((one) => one.yes), items.map((one) => one.no)];
        return expression.kind === 'and'
          ? { yes: and(yes), no: or(no) }
          : { yes: or(yes), no: and(no) };
      }
      case 'not': {
        const { yes, no } = this.#encode(expression.item, place);
        return { yes: no, no: yes };
      }
      case 'guarded': {
        const present = this.#present([expression.item]);
        const { yes, no } = this.#encode(expression.item, place);
        return { yes: and([present, yes]), no: or([not(present), no]) };
      }
      case 'isNull': {
        if ('field' in expression.column) throw new RangeError('computed fields are not encoded');
        const isNull = this.#isNull(place, expression.column.column);
        return expression.negated
          ? { yes: not(isNull), no: isNull }
          : { yes: isNull, no: not(isNull) };
      }
      case 'compare':
        return this.#compare(expression, place);
      case 'related': {
        const { table, columns } = expression.relationship;
        const rows = this.#rowsOf(table).map((row) => {
          const joins = columns.map(({ local, remote }) =>
            this.#joined(place, local, { table, row }, remote),
          );
          return and([...joins, this.#encode(expression.item, { ...place, table, row }).yes]);
        });
        if (expression.relationship.isCertain) this.isPartial = true;
        return { yes: or(rows), no: not(or(rows)) };
      }
      case 'exists': {
        const { table, item } = expression;
        const rows = this.#rowsOf(table).map(
          (row) => this.#encode(item, { ...place, table, row }).yes,
        );
        return { yes: or(rows), no: not(or(rows)) };
      }
      case 'computedRows':
        throw new RangeError('computed fields are not encoded');
    }
  }

  /** The rule's own row is a row of its table too, but that is left open, as in the engine. */
  #rowsOf(table: TableKey): readonly string[] {
    return Array.from({ length: rowsOfTable }, (_, at) => `${table} ${at + 1}`);
  }

  #joined(a: Omit<Place, 'root'>, local: string, b: Omit<Place, 'root'>, remote: string): string {
    const [left, right] = [this.#cell(a, local), this.#cell(b, remote)];
    return and([not(this.#isNull(a, local)), not(this.#isNull(b, remote)), `(= ${left} ${right})`]);
  }

  #type({ table }: Omit<Place, 'root'>, column: string): TypeName {
    const type = this.#model.tables.get(table)?.columns.get(column)?.type;
    if (!type) throw new RangeError(`no column ${column}`);
    return type;
  }

  #isNull(place: Omit<Place, 'root'>, column: string): string {
    const name = this.#declare(`|${place.row} ${column} is null|`, 'Bool');
    if (this.#model.tables.get(place.table)?.columns.get(column)?.notNull) this.#notNull.add(name);
    return name;
  }

  #cell(place: Omit<Place, 'root'>, column: string): string {
    return this.#value(`|${place.row} ${column}|`, this.#type(place, column));
  }

  /** Declares a value. Truth values and labels of enums are numbers from 0. */
  #value(name: string, type: TypeName): string {
    const count = type.name === 'bool' ? 2 : type.labels?.length;
    this.#declare(name, sortOf(type));
    if (count !== undefined)
      this.#lines.set(`range of ${name}`, `(assert (and (>= ${name} 0) (< ${name} ${count})))`);
    return name;
  }

  #compare(comparison: Comparison, place: Place): Encoded {
    const { column, operator, operand, quantifier, orNull } = comparison;
    if ('field' in column) throw new RangeError('computed fields are not encoded');
    const isNull = this.#isNull(place, column.column);
    const test = quantifier
      ? this.#among(comparison, quantifier, place)
      : this.#single(comparison, operator.symbol, operand, place);
    if (!orNull) return test;
    return { yes: or([test.yes, isNull]), no: and([test.no, not(isNull)]) };
  }

  #among(comparison: Comparison, quantifier: 'any' | 'all', place: Place): Encoded {
    const items = itemsOf(comparison.operand);
    if (!items) return this.#free(comparison, place);
    const tests = items.map((item) => this.#single(comparison, '=', item, place));
    const among = { yes: or(tests.map(({ yes }) => yes)), no: and(tests.map(({ no }) => no)) };
    return quantifier === 'any' ? among : { yes: among.no, no: among.yes };
  }

  #single(comparison: Comparison, symbol: string, operand: Operand, place: Place): Encoded {
    const { column } = comparison;
    if ('field' in column) throw new RangeError('computed fields are not encoded');
    const other = operand.kind === 'column' ? operand.reference : undefined;
    const otherPlace = other?.scope === 'root' ? place.root : place;
    const nulls = [
      this.#isNull(place, column.column),
      ...(other ? [this.#isNull(otherPlace, other.column)] : []),
    ];
    const right = this.#operand(operand, column.type, place);
    if (!['=', '<>', '<', '<=', '>', '>='].includes(symbol) || right === undefined)
      return this.#free(comparison, place);
    const left = this.#cell(place, column.column);
    const holds = symbol === '<>' ? not(`(= ${left} ${right})`) : `(${symbol} ${left} ${right})`;
    const filled = nulls.map(not);
    return { yes: and([...filled, holds]), no: and([...filled, not(holds)]) };
  }

  /** Other operators are left open, so that z3 may contradict a proof which is right. */
  #free(comparison: Comparison, place: Place): Encoded {
    this.isPartial = true;
    const key = JSON.stringify([comparison.operator, comparison.operand]).replace(/[|\\]/g, '');
    const yes = this.#declare(`|${place.row} ${key}|`, 'Bool');
    return { yes, no: not(yes) };
  }

  #operand(operand: Operand, type: TypeName, place: Place): string | undefined {
    switch (operand.kind) {
      case 'literal':
        return this.#constant(operand.text, type);
      case 'variable':
        return this.#value(`|$${operand.name} ${sortOf(type)} ${familyOf(type)}|`, type);
      case 'now':
        return this.#declare(`|now ${type.name}|`, sortOf(type));
      case 'column': {
        const { scope, column } = operand.reference;
        return this.#cell(scope === 'root' ? place.root : place, column);
      }
      case 'array':
        return undefined;
    }
  }

  #constant(text: string, type: TypeName): string | undefined {
    if (wholeTypes.has(type.name)) return numeral(text);
    if (type.name === 'numeric') return decimal(text);
    if (type.labels) return String(type.labels.indexOf(text));
    if (type.name === 'bool') return text.startsWith('t') ? '1' : '0';
    // Dates, times, citext, documents and arrays have several texts of one value.
    if (type.name !== 'text' && type.name !== 'varchar') this.isPartial = true;
    const name = this.#declare(
      `|${familyOf(type)} ${text.replace(/[|\\]/g, (sign) => `~${sign.charCodeAt(0)}`)}|`,
      'Int',
    );
    const family = this.#constants.get(familyOf(type)) ?? new Set();
    this.#constants.set(familyOf(type), family.add(name));
    return name;
  }
}

const numeral = (text: string) => (text.startsWith('-') ? `(- ${text.slice(1)})` : text);
const decimal = (text: string) => numeral(text.includes('.') ? text : `${text}.0`);
const sortOf = ({ name }: TypeName) => (name === 'numeric' ? 'Real' : 'Int');
const familyOf = ({ name }: TypeName) => (name === 'varchar' ? 'text' : name);

function itemsOf(operand: Operand): readonly Operand[] | undefined {
  if (operand.kind === 'array') return operand.items;
  const { element } = operand.kind === 'literal' ? operand.type : {};
  if (operand.kind !== 'literal' || !element) return undefined;
  return parseArray(operand.text)?.map((text) => ({
    kind: 'literal',
    text: text ?? '',
    type: element,
  }));
}

/** Returns the parts whose variables the check of the whole rule covers. */
function unguarded(expression: BoolExp): readonly BoolExp[] {
  if (expression.kind === 'and' || expression.kind === 'or')
    return expression.items.flatMap(unguarded);
  return expression.kind === 'guarded' ? [] : [expression];
}
