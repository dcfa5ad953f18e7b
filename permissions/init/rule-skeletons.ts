import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogColumn, CatalogTable } from '../catalog/types.ts';
import type { Plain, PlainMap } from '../import/hasura/imported.ts';
import { unsafeCharacterIn } from '../text/characters.ts';
import { type Operation, operations } from '../types/rules.ts';

/** A condition that no row satisfies. */
const noRow: PlainMap = new Map([['_not', new Map()]]);

/** Returns a rule that lists columns and opens no row. Returns undefined when the table has no column for the rule. */
export function closedRule(command: Operation, table: CatalogTable): PlainMap | undefined {
  const columns = columnsFor(command, table);
  if (command === 'delete') return new Map([['filter', noRow]]);
  if (columns.length === 0) return undefined;
  return new Map<string, Plain>([
    [command === 'insert' ? 'check' : 'filter', noRow],
    ['columns', columns],
  ]);
}

/**
 * Returns example rules by command. For a table with an owner column, the examples open the rows of the caller. For
 * other tables, they open every row for reading, and no row for writing.
 */
export function exampleRules(
  table: CatalogTable,
  catalog: Catalog,
  headerPrefix: string,
): PlainMap {
  const owner = ownerColumn(table, catalog);
  const variable = `${headerPrefix}User-Id`;
  const commands = table.kind === 'r' || table.kind === 'p' ? operations : ['select' as const];
  const rules = commands.flatMap((command): readonly (readonly [string, PlainMap])[] => {
    const rule = closedRule(command, table);
    if (!rule) return [];
    if (owner === undefined) {
      return [
        [
          command,
          command === 'select' ? new Map<string, Plain>([...rule, ['filter', new Map()]]) : rule,
        ],
      ];
    }
    return [[command, ownRule(command, rule, owner, variable)]];
  });
  return new Map(rules);
}

function ownRule(command: Operation, rule: PlainMap, owner: string, variable: string): PlainMap {
  const ownRows = new Map([[owner, new Map([['_eq', variable]])]]);
  if (command === 'select' || command === 'delete') return new Map([...rule, ['filter', ownRows]]);
  const columns = (rule.get('columns') as readonly string[]).filter((name) => name !== owner);
  const body = new Map([...rule, ['columns', columns]]);
  if (command === 'update') return body.set('filter', ownRows);
  return new Map<string, Plain>([
    ['check', new Map()],
    ['set', new Map([[owner, variable]])],
    ['columns', columns],
  ]);
}

const ownerNames = /^(user|owner|author|account|customer|member)_id$/;
const ownerTypes = ['int2', 'int4', 'int8', 'text', 'uuid', 'varchar'];

/** Returns the column that probably holds the id of the user to whom a row belongs. */
function ownerColumn({ columns }: CatalogTable, catalog: Catalog): string | undefined {
  return columns.find(({ name, type, generated }) => {
    const { schema, name: typeName } = catalog.type(type);
    const fits = schema === 'pg_catalog' && ownerTypes.includes(typeName);
    return fits && !generated && ownerNames.test(name);
  })?.name;
}

const secret = /password|passwd|secret|token|salt|hash/i;

/**
 * Returns the columns for an example rule, without columns that look like secrets or whose names metadata files refuse.
 */
function columnsFor(command: Operation, { columns, primaryKey }: CatalogTable): readonly string[] {
  const isOffered = ({ name, generated, hasDefault }: CatalogColumn): boolean => {
    if (unsafeCharacterIn(name) !== undefined || secret.test(name)) return false;
    if (command === 'select') return true;
    const isKey = primaryKey.includes(name);
    return !generated && !(isKey && (command === 'update' || hasDefault));
  };
  return columns.filter(isOffered).map(({ name }) => name);
}
