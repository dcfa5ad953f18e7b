import type pg from 'pg';
import { digest } from '../../text/object-names.ts';
import { readsTables } from './installation.ts';
import type { StateObject } from './state-object.ts';

/** The objects of the last apply with their definitions. Drift detection compares the database with this record. */
export class AppliedObjects {
  readonly #definitions: ReadonlyMap<string, string>;

  /** `definitions` maps the digest of each object's id to the digest of its definition. */
  constructor(definitions: ReadonlyMap<string, string>) {
    this.#definitions = definitions;
  }

  get size(): number {
    return this.#definitions.size;
  }

  has({ id }: Pick<StateObject, 'id'>): boolean {
    return this.#definitions.has(digest(id));
  }

  hasAsIs({ id, definition }: Pick<StateObject, 'id' | 'definition'>): boolean {
    return this.#definitions.get(digest(id)) === digest(definition);
  }
}

/**
 * Reads the record of the last apply: from the table, or, when the login may not read the table, through the function
 * for gateways.
 */
export async function readAppliedObjects(client: pg.ClientBase): Promise<AppliedObjects> {
  const direct = await readsTables(client);
  if (direct === undefined) return new AppliedObjects(new Map());
  const query = direct
    ? 'select pg_catalog.jsonb_object_agg(o.id, o.definition) from rowgate.applied_object o'
    : 'select rowgate_api.applied_objects()';
  const { rows } = await client.query<{ objects: Record<string, string> | null }>(
    `select (${query}) as objects`,
  );
  return new AppliedObjects(new Map(Object.entries(rows[0]?.objects ?? {})));
}

/** Records the objects of an apply, in the transaction that creates them. */
export async function recordAppliedObjects(
  client: pg.ClientBase,
  objects: readonly Pick<StateObject, 'id' | 'definition'>[],
): Promise<void> {
  await client.query('delete from rowgate.applied_object');
  await client.query(
    'insert into rowgate.applied_object select * from rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]))',
    [objects.map(({ id }) => digest(id)), objects.map(({ definition }) => digest(definition))],
  );
}
