import pg from 'pg';
import type { PgCodec } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/@dataplan/pg/adaptors/pg';
import { defaultPreset as buildPreset, gather } from 'postgraphile/graphile-build';
import { defaultPreset as pgPreset } from 'postgraphile/graphile-build-pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColumnType } from '../../../../server/graphql/schema/registry/column-type.ts';
import { readTypes, typeKey } from '../../../../server/graphql/schema/registry/read-types.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';

const ownTypes = `
  create schema kept;
  create type kept.mood as enum ('glad', 'sad');
  create type kept.address as (street text, number int, mood kept.mood, lines text[]);
  create type kept.outer_address as (inside kept.address, ids oidvector);
  create domain kept.positive as int check (value > 0);
  create domain kept.small as kept.positive not null;
  create domain kept.names as text[];
  create type kept.span as range (subtype = float8);`;

/** Types of which a table can have a column. */
const storable = `
  select n.nspname as schema, t.typname as name from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    left join pg_catalog.pg_type e on e.typarray = t.oid
  where n.nspname in ('pg_catalog', 'kept') and t.typtype <> 'p' and coalesce(e.typtype, 'b') <> 'p'
    and coalesce((select c.relkind from pg_catalog.pg_class c where c.oid = coalesce(nullif(t.typrelid, 0), e.typrelid)), 'c') = 'c'
  order by 1, 2`;

interface Name {
  readonly schema: string;
  readonly name: string;
}

let database: TestDatabase;
let client: pg.Client;
let names: readonly Name[];
let codecs: ReadonlyMap<string, PgCodec>;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(ownTypes);
  names = (await client.query<Name>(storable)).rows;
  const columns = names.map(({ schema, name }, index) => `c${index} "${schema}"."${name}"`);
  await client.query(`create table kept.everything (${columns.join(', ')})`);
  const service = makePgService({ connectionString: database.ownerUrl, schemas: ['kept'] });
  const { pgRegistry } = await gather({
    extends: [buildPreset, pgPreset],
    pgServices: [service],
  });
  await service.release?.();
  const attributes = pgRegistry.pgResources.everything?.codec.attributes ?? {};
  codecs = new Map(Object.entries(attributes).map(([column, { codec }]) => [column, codec]));
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Everything that the dialect takes from a type, of PostGraphile's description and of ours. */
interface Facts {
  readonly name: string;
  readonly labels: readonly string[] | undefined;
  readonly element: Facts | undefined;
  readonly attributes: readonly (readonly [string, Facts])[] | undefined;
}

function factsOfCodec(codec: PgCodec): Facts {
  if (codec.domainOfCodec) return factsOfCodec(codec.domainOfCodec);
  const element = codec.arrayOfCodec && factsOfCodec(codec.arrayOfCodec);
  const values = 'values' in codec ? (codec.values as readonly { value: string }[]) : undefined;
  const attributes = codec.attributes && Object.entries(codec.attributes);
  return {
    name: element ? `_${element.name}` : (codec.extensions?.pg?.name ?? codec.name),
    labels: values?.map(({ value }) => value),
    element,
    attributes: attributes?.map(([name, one]) => [name, factsOfCodec(one.codec)]),
  };
}

function factsOfType({ name, labels, element, attributes }: ColumnType): Facts {
  return {
    ...{ name, labels },
    element: element && factsOfType(element),
    attributes: attributes && [...attributes].map(([key, type]) => [key, factsOfType(type)]),
  };
}

test('types are described as PostGraphile describes them', async () => {
  const types = await readTypes(client, names);
  const both = names.flatMap((name, index) => {
    const codec = codecs.get(`c${index}`);
    return codec ? [{ codec, type: types.get(typeKey(name)) as ColumnType }] : [];
  });
  expect(both.length).toBeGreaterThan(100);
  expect(both.map(({ type }) => factsOfType(type))).toEqual(
    both.map(({ codec }) => factsOfCodec(codec)),
  );
});

test('arrays of types that are arrays themselves are left out', async () => {
  const found = await readTypes(client, [{ schema: 'pg_catalog', name: '_oidvector' }]);
  expect(found.has(typeKey({ schema: 'pg_catalog', name: '_oidvector' }))).toBe(false);
});
