import type pg from 'pg';
import {
  type Diagnostic,
  type EnumValue,
  readEnumValues,
  sqlState,
  type TableKey,
  type TableModel,
} from '../../../../permissions/index.ts';

/** The enum that GraphQL has for an enum table. */
export interface EnumType {
  /** e.g. `colors_enum`. */
  readonly name: string;
  /** At least one. */
  readonly values: readonly EnumValue[];
}

export interface EnumTypes {
  readonly enums: ReadonlyMap<TableKey, EnumType>;
  readonly findings: readonly Diagnostic[];
}

/**
 * Reads the values of enum tables as a Postgres role that sees them, inside a transaction. Before the first apply there
 * is no such role: such tables are ordinary ones until it comes.
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

/** No such role, not one of its members, or without the right to read the table. */
function isUnapplied(error: unknown): boolean {
  return ['22023', '42501'].includes(sqlState(error) ?? '');
}
