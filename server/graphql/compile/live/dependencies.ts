import {
  type KnownKeys,
  keysOfAll,
  type RoleModel,
  type RuleReads,
  readsOfRule,
  type Session,
  type TableKey,
  type TableModel,
  type VariableName,
} from '../../../../permissions/index.ts';
import type { Dependencies, TableDependency } from '../../request/live-operation.ts';
import type { Variables } from '../../validate/variables.ts';
import type { JoinedRead, Reads, TableRead } from './reads.ts';

/** The values of one request. */
export interface RequestValues {
  readonly variables: Variables;
  readonly session: Session;
}

type Keys = KnownKeys<RequestValues>;

/** Everything that the answer of a compiled subscription depends on. */
export interface LiveReads {
  readonly tables: readonly { readonly table: TableKey; readonly keys: Keys }[];
  /** Whether the answer can change without a recorded change of a table. */
  readonly isPolled: boolean;
  /** Tables that could be live and are not. */
  readonly notLive: readonly TableKey[];
  /** The session variables that the answer can depend on. */
  readonly session: 'all' | readonly VariableName[];
}

type Models = ReadonlyMap<TableKey, TableModel>;

const noKeys: Keys = new Map();

/**
 * Maximum values of one column. A subscription to more values is woken by every change of the table. Each value takes
 * some 450 bytes of the index, many times its bytes in the request.
 */
const MAX_VALUES = 100;

/** Adds the reads of the rules to the reads of the statement. */
export function liveReads(reads: Reads, role: RoleModel, models: Models): LiveReads {
  const read = reads.tables.map(({ table }) => table.model);
  // The rules on the tables below a view apply to it if it reads with the rights of the caller.
  const ruled = new Set(read.flatMap(({ key, baseTables }) => [key, ...baseTables]));
  const rules = new Map(
    [...ruled].flatMap((key) => {
      const permissions = role.tables.get(key);
      return permissions ? [[key, readsOfRule(permissions)] as const] : [];
    }),
  );
  const own = reads.tables.map((read) => ({
    table: read.table.model.key,
    keys: keysOfRead(read, rules),
  }));
  const ofRules = [...rules.values()];
  const tested = ofRules.flatMap((rule) =>
    rule.tables.map(({ table, keys }) => ({ table, keys: lift(keys, sessionOf) })),
  );
  const below = [...own, ...tested].flatMap(({ table }) =>
    (models.get(table)?.baseTables ?? []).map((base) => ({ table: base, keys: noKeys })),
  );
  const tables = [...own, ...tested, ...below];
  const callsFunctions = reads.callsFunctions || ofRules.some((rule) => rule.callsFunctions);
  // A view may read session variables, and call functions.
  const readsViews = tables.some(({ table }) => models.get(table)?.kind !== 'table');
  const isLive = ({ table }: { readonly table: TableKey }) => models.get(table)?.live !== undefined;
  const couldBeLive = (one: { readonly table: TableKey }) =>
    models.get(one.table)?.kind === 'table' && !isLive(one);
  return {
    tables: tables.filter(isLive).map(({ table, keys }) => ({
      table,
      keys: narrowing(keys, models.get(table)?.live?.keys ?? []),
    })),
    notLive: [...new Set(tables.filter(couldBeLive).map(({ table }) => table))],
    isPolled: callsFunctions || ofRules.some((rule) => rule.readsTime) || !tables.every(isLive),
    session: callsFunctions || readsViews ? 'all' : ofRules.flatMap((rule) => rule.variables),
  };
}

/** Returns the dependencies of a subscription with the values of its request. */
export function dependenciesOf(
  { tables, isPolled, notLive }: LiveReads,
  values: RequestValues,
): Dependencies {
  const found = new Map<string, TableDependency>();
  for (const { table, keys } of tables) {
    const known = [...keys].flatMap(([column, read]) => {
      const texts = read(values);
      return texts && texts.length <= MAX_VALUES ? [[column, [...new Set(texts)]] as const] : [];
    });
    found.set(JSON.stringify([table, known]), { table, keys: new Map(known) });
  }
  return { tables: [...found.values()], isPolled, notLive };
}

function keysOfRead(read: TableRead, rules: ReadonlyMap<TableKey, RuleReads>): Keys {
  if (read.isCalled) return new Map();
  const rule = rules.get(read.table.model.key);
  return keysOfAll([
    lift(read.keys, ({ variables }) => variables),
    ...(rule ? [lift(rule.keys, sessionOf)] : []),
    ...(read.joined ? [keysOfJoined(read.joined, rules)] : []),
  ]);
}

/** The rows of a relationship have the values of the row that the relationship starts from. */
function keysOfJoined(
  { relationship, local }: JoinedRead,
  rules: ReadonlyMap<TableKey, RuleReads>,
): Keys {
  const keys = keysOfRead(local, rules);
  const pairs = relationship.columns.flatMap(({ local: column, remote, equals }) => {
    const values = keys.get(column);
    const isEquality = equals.schema === 'pg_catalog' && equals.symbol === '=';
    // A collation that finds different texts equal leads from one text to rows with another.
    const isExact = local.table.model.columns.get(column)?.nondeterministic !== true;
    return values && isEquality && isExact ? [[remote, values] as const] : [];
  });
  return new Map(pairs);
}

function narrowing(keys: Keys, columns: readonly string[]): Keys {
  return new Map([...keys].filter(([column]) => columns.includes(column)));
}

function sessionOf({ session }: RequestValues): Session {
  return session;
}

function lift<K>(keys: KnownKeys<K>, part: (values: RequestValues) => K): Keys {
  return new Map([...keys].map(([column, read]) => [column, (values) => read(part(values))]));
}
