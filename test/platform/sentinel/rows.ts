import type { RoleView } from './role-view.ts';
import type { Table } from './tables.ts';
import type { World } from './world.ts';

/** Every row of every table as text, by table. */
export type Rows = ReadonlyMap<Table, readonly string[]>;

export async function readRows({ client, tables }: World): Promise<Rows> {
  const found = new Map<Table, readonly string[]>();
  for (const table of tables) {
    const { rows } = await client.query(`select t::text as text from ${table.sql} t`);
    found.set(
      table,
      rows.map(({ text }) => text as string),
    );
  }
  return found;
}

/** Returns the rows that the role does not see and that were deleted or changed. */
export function gone(before: Rows, after: Rows, { role, rows }: RoleView): readonly string[] {
  return [...before].flatMap(([table, texts]) => {
    const left = new Set(after.get(table));
    const seen = (rows.get(table.key) ?? []).map(({ values }) => Object.values(values)[0] ?? '');
    return texts
      .filter((text) => !left.has(text) && !seen.some((key) => text.startsWith(`(${key},`)))
      .map((text) => `${role.name} ${table.key} ${text}`);
  });
}

/** Deletes all new rows, including rows to which other rows refer. */
export async function removeOthers({ client }: World, before: Rows, after: Rows): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  for (const [table, texts] of before) {
    const known = new Set(texts);
    if (after.get(table)?.every((text) => known.has(text))) continue;
    const { sql } = table;
    await client.query(`delete from ${sql} t where t::text <> all ($1)`, [texts]);
  }
  await client.query('commit');
}
