import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  GraphQLSchema,
  lexicographicSortSchema,
  type OperationTypeNode,
  printSchema,
} from 'postgraphile/graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectSql, writeProject } from '../../../../bench/generated-project.ts';
import { loadModel, type Model, type RoleModel } from '../../../../permissions/index.ts';
import {
  readCatalog,
  writeCatalog,
} from '../../../../server/graphql/introspection/catalog-text.ts';
import { OnDemandSchema } from '../../../../server/graphql/schema/on-demand-schema.ts';
import {
  makeRegistry,
  type Registry,
  readRegistry,
} from '../../../../server/graphql/schema/registry/read-registry.ts';
import { buildRoleSchema } from '../../../../server/graphql/schema/schema.ts';
import type { ExtensionCatalog } from '../../../../server/graphql/schema/view/extension-catalog.ts';
import { makeRoleView, type RoleView } from '../../../../server/graphql/schema/view/role-view.ts';
import type { TableView } from '../../../../server/graphql/schema/view/table-view.ts';
import { checkDocument } from '../../../../server/graphql/validate/document.ts';
import { findExtensionsOf } from '../../../../server/postgraphile/prepare-dialect.ts';
import { createDatabase } from '../../../support/database.ts';
import { startGateway } from '../support/gateway.ts';
import { metadata as golden } from '../support/metadata.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** A model with everything that decides the schemas of its roles. */
interface World {
  readonly model: Model;
  readonly registry: Registry;
  readonly catalog: ExtensionCatalog | undefined;
}

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  golden: async () => {
    const gateway = await startGateway({ metadata: golden, sharesRoles: true });
    closing.push(() => gateway.stop());
    return worldOf(gateway.gatewayUrl, gateway.folder);
  },
  platform: async () => {
    const database = await createDatabase({ from: 'applied' });
    closing.push(() => database.drop());
    return worldOf(database.ownerUrl, path.join(root, 'metadata'));
  },
  benchmark: async () => {
    const schema = await readFile(path.join(root, 'bench/schema.sql'), 'utf8');
    return worldOf(await databaseWith(schema), path.join(root, 'bench/metadata'));
  },
  generated: async () => {
    const size = { tables: 6, roles: 20 };
    const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-project-'));
    closing.push(() => rm(folder, { recursive: true }));
    await writeProject(folder, size);
    return worldOf(await databaseWith(projectSql(size)), folder);
  },
};

async function databaseWith(statements: string): Promise<string> {
  const database = await createDatabase();
  closing.push(() => database.drop());
  const owner = await database.connectOwner();
  await owner.query(statements);
  await owner.end();
  return database.ownerUrl;
}

async function worldOf(databaseUrl: string, metadata: string): Promise<World> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const model = await loadModel({ metadata, client, headerPrefix: 'X-Gql-' });
  await client.end();
  const registry = await readRegistry(
    databaseUrl,
    model.tables.values(),
    undefined,
    model.functions.values(),
  );
  const catalog = await findExtensionsOf([])({ model, registry, databaseUrl });
  return { model, registry, catalog };
}

function viewsOf({ model, registry, catalog }: World): readonly RoleView[] {
  return [...model.roles.values()].flatMap((role: RoleModel) => [
    makeRoleView(model, role, registry, false, catalog),
    makeRoleView(model, role, registry, true, catalog),
  ]);
}

const complete = new WeakMap<RoleView, GraphQLSchema>();

/** Builds PostGraphile's schema once. */
function completeOf(view: RoleView): GraphQLSchema {
  const schema = complete.get(view) ?? buildRoleSchema(view);
  complete.set(view, schema);
  return schema;
}

/** Prints PostGraphile's schema without the descriptions of its root types. The other schema has none, because they play
 * no part in checking documents. */
function printComplete(view: RoleView): string {
  const schema = completeOf(view);
  for (const operation of ['query', 'mutation', 'subscription'] as const) {
    const type = schema.getRootType(operation as OperationTypeNode);
    if (type) type.description = undefined;
  }
  return printSchema(schema);
}

/** Prints every type that the roots of a schema reach. */
function printOnDemand(view: RoleView): string {
  const schema = new OnDemandSchema(view);
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  const subscription = schema.getSubscriptionType();
  return printSchema(
    lexicographicSortSchema(
      new GraphQLSchema({ query, mutation, subscription, assumeValid: true }),
    ),
  );
}

describe.each(Object.entries(worlds))('in the %s metadata', (_name, open) => {
  let world: World;
  let views: readonly RoleView[];
  beforeAll(async () => {
    world = await open();
    views = viewsOf(world);
  });

  test('the types that are made on demand equal the types of the schema that PostGraphile builds', () => {
    for (const view of views) expect(printOnDemand(view)).toBe(printComplete(view));
  });

  test('a thread builds the same schema from copied data', () => {
    const { model, registry, catalog } = world;
    const { tables, functions, roles } = model;
    const data = structuredClone({
      ...{ tables, functions, roles, registry: registry.data },
      catalog: catalog && writeCatalog(catalog),
    });
    const copy = {
      model: { ...model, ...data },
      registry: makeRegistry(data.registry),
      catalog: data.catalog && readCatalog(data.catalog),
    };
    expect(viewsOf(copy).map(printComplete)).toEqual(views.map(printComplete));
  });

  test('every type of the complete schema is found by its name', () => {
    for (const view of views) {
      const schema = new OnDemandSchema(view);
      const names = Object.keys(completeOf(view).getTypeMap());
      expect(names.filter((name) => schema.getType(name) === undefined)).toEqual([]);
    }
  });

  test('a role finds no type of a table for which it has no rule', () => {
    for (const view of views) {
      const schema = new OnDemandSchema(view);
      const others = [...world.model.tables.values()].map(({ graphqlName }) => graphqlName);
      const hidden = others.filter((name) => !view.tables.has(name));
      const names = hidden.flatMap((name) => suffixes.map((suffix) => `${name}${suffix}`));
      const listed = new Set(Object.keys(schema.getTypeMap()));
      expect(names.filter((name) => schema.getType(name) || listed.has(name))).toEqual([]);
    }
  });
});

/** Counts the characters of all looked up names. */
class CountedTables extends Map<string, TableView> {
  characters = 0;

  override get(name: string): TableView | undefined {
    this.characters += name.length;
    return super.get(name);
  }
}

test('a type name of 16,000 underscores makes the schema look up only names as long as a table name', async () => {
  const open = worlds.generated as () => Promise<World>;
  const [view] = viewsOf(await open());
  const counted = new CountedTables(view?.tables);
  const schema = new OnDemandSchema({ ...view, tables: counted } as RoleView);
  const longest = Math.max(...[...counted.keys()].map(({ length }) => length));
  counted.characters = 0;
  expect(schema.getType(`t${'_'.repeat(16_000)}`)).toBeUndefined();
  expect(counted.characters).toBeLessThanOrEqual(longest * longest);
});

describe('a document', () => {
  /** Counts how often all types are listed. */
  class CountedSchema extends OnDemandSchema {
    lists = 0;

    override getTypeMap() {
      this.lists += 1;
      return super.getTypeMap();
    }
  }

  const role = { name: 'role_00', introspection: true };
  const check = (schema: GraphQLSchema, document: string) =>
    checkDocument(document, undefined, { schema, role, hint: '', maxDepth: 10 });
  let view: RoleView;
  beforeAll(async () => {
    const { model, registry } = await (worlds.generated as () => Promise<World>)();
    view = makeRoleView(model, model.roles.get(role.name) as RoleModel, registry, false);
  });

  test('whose types are known is checked without a list of all types', () => {
    const schema = new CountedSchema(view);
    check(
      schema,
      'query ($if: Boolean!) { record_000 { ... on record_000 @include(if: $if) { id } } }',
    );
    expect(schema.lists).toBe(0);
  });

  test('with an unknown type is refused with the message of GraphQL, which suggests types', () => {
    const schema = new OnDemandSchema(view);
    expect(() => check(schema, '{ record_000 { ... on record_00 { id } } }')).toThrow(
      /^Unknown type "record_00"\. Did you mean "record_000", /,
    );
  });

  test('with an unknown type gets no suggestion of table types when the role has more than 50 tables', () => {
    const [[, table] = []] = view.tables;
    const tables = new Map(Array.from({ length: 51 }, (_, i) => [`copy_${i}`, table as TableView]));
    const schema = new OnDemandSchema({ ...view, tables });
    expect(() => check(schema, 'query ($where: copy_1_bool) { __typename }')).toThrow(
      /^Unknown type "copy_1_bool"\.$/,
    );
  });
});

const suffixes = [
  ...['', '_bool_exp', '_order_by', '_select_column', '_aggregate', '_aggregate_fields'],
  ...['_insert_input', '_set_input', '_updates', '_mutation_response', '_on_conflict'],
];

test('roles with equal schemas have equal schema keys, whatever their filters are', async () => {
  const open = worlds.generated as () => Promise<World>;
  const views = viewsOf(await open());
  const byKey = Map.groupBy(views, ({ schemaKey }) => schemaKey);
  const printed = [...byKey.values()].map((same) => new Set(same.map(printComplete)));
  expect(printed.map(({ size }) => size)).toEqual(printed.map(() => 1));
  expect(byKey.size).toBeLessThan(views.length / 2);
});
