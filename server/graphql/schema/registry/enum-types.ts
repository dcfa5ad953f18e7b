import type pg from 'pg';
import { sqlState } from '../../../../permissions/errors.ts';
import type { Diagnostic, EnumValue, TableKey, TableModel } from '../../../../permissions/index.ts';
import { readEnumValues } from '../../../../permissions/role-view.ts';

/** The GraphQL enum for an enum table. */
export interface EnumType {
  /** Name in GraphQL, for example `colors_enum`. */
  readonly name: string;
  /** Contains at least one value. */
  readonly values: readonly EnumValue[];
}

export interface EnumTypes {
  readonly enums: ReadonlyMap<TableKey, EnumType>;
  readonly findings: readonly Diagnostic[];
}

/**
 * Reads the values of enum tables inside a transaction, as a Postgres role that may read them. This role does not exist
 * before the first apply; until then, enum tables count as ordinary tables.
 */
export async function readEnumTypes(
  client: pg.Client,
  tracked: readonly TableModel[],
  reader: string | undefined,
): Promise<EnumTypes> {
  try {
    if (reader !== undefined) {
      await client.query("select pg_catalog.set_config('role', $1, true)", [reader]);
    }
    const { values, findings } = await readEnumValues(client, tracked);
    const enums = tracked.flatMap(({ key, enum: own }) => {
      const found = values.get(key);
      return found && own ? [[key, { name: own.graphqlName, values: found }] as const] : [];
    });
    return { enums: new Map(enums), findings };
  } catch (error) {
    if (!isUnapplied(error)) throw error;
    return { enums: new Map(), findings: [] };
  }
}

/**
 * Returns true if the error shows that the current rules were not applied yet: the role does not exist, the login is no
 * member of the role, or the role may not read the enum table.
 */
function isUnapplied(error: unknown): boolean {
  return ['22023', '42501'].includes(sqlState(error) ?? '');
}
