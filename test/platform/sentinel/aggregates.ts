import pg from 'pg';
import type { RoleView } from './role-view.ts';
import { leavesOf, type Root, relationsOf } from './shape.ts';
import { conditionOf } from './visible-rows.ts';
import type { World } from './world.ts';

/** Returns a root field with every aggregate of every column. */
export function everyAggregate(root: Root): string {
  const functions = functionsOf(root).map(
    ({ name, columns }) => `${name} { ${columns.join(' ')} }`,
  );
  return `${root.name} { aggregate { count ${functions.join(' ')} } }`;
}

/**
 * Returns the expected response. A login to which no policy applies calculates it over the rows that the rules show.
 */
export async function reckon(world: World, root: Root, roleView: RoleView): Promise<unknown> {
  const select = roleView.role.tables.get(root.table.key)?.select;
  const table = world.tables.find(({ key }) => key === root.table.key);
  if (!select || !table) throw new Error(`${root.name} is shown without a rule`);
  const functions = functionsOf(root).map(({ name, columns }) => {
    const values = columns.map((column) => {
      const { name: inTable } = columnOf(root, column);
      return `${pg.escapeLiteral(column)}, pg_catalog.${name}(r.${pg.escapeIdentifier(inTable)})`;
    });
    return `'${name}', json_build_object(${values.join(', ')})`;
  });
  const { rows } = await world.client.query(
    `select json_build_object(${["'count', count(*)", ...functions].join(', ')}) as reckoned
     from ${table.sql} r where ${conditionOf(select.filter, roleView.variables)}`,
  );
  return { aggregate: rows[0].reckoned };
}

function columnOf({ table }: Root, name: string) {
  const column = [...table.columns.values()].find(({ graphqlName }) => graphqlName === name);
  if (!column) throw new Error(`${table.key} has no column ${name}`);
  return column;
}

function functionsOf(root: Root) {
  const aggregate = relationsOf(root.type).find(({ name }) => name === 'aggregate');
  return (aggregate ? relationsOf(aggregate.type) : []).map(({ name, type }) => ({
    name,
    columns: leavesOf(type),
  }));
}
