import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildSchema, isObjectType } from 'postgraphile/graphql';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { draftingMetadata, openDrafting } from './support/drafting.ts';
import { shopSchema } from './support/shop.ts';

const files = {
  ...draftingMetadata(openDrafting),
  'allow_list.yaml': `
collections:
  fitting:
    operations: [{ name: fits, query: 'mutation { draftInvoice(input: { customerId: 1, number: "1" }) { invoice { id } } }' }]
  closed:
    operations: [{ name: hidden, query: '{ seen }' }]
  misled:
    operations: [{ name: unread, query: '{ digests(ids: [1]) { invoices { margin } } }' }]
allow:
  - { collection: fitting, roles: [clerk] }
  - { collection: closed, roles: [analyst] }
  - { collection: misled, roles: [clerk, logger] }
`,
};

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(shopSchema);
  folder = await mkdtemp(path.join(inject('scratch'), 'extensions-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function run(...args: readonly string[]) {
  const environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: folder };
  return runCommand([...args, '--metadata', folder], environment);
}

async function schemaOf(role: string) {
  const { code, stdout, stderr } = await run('export', 'sdl', '--role', role);
  expect([code, stderr]).toEqual([0, '']);
  const schema = buildSchema(stdout);
  return (type: string) => {
    const found = schema.getType(type);
    const fields = isObjectType(found) ? Object.values(found.getFields()) : [];
    return fields.map(({ name, type: of }) => `${name}: ${of}`);
  };
}

test('export sdl for a role prints only those plugin fields that the role may use, with their types', async () => {
  const clerk = await schemaOf('clerk');
  expect(clerk('DraftedInvoice')).toEqual([
    'at: timestamptz!',
    'invoice: invoice',
    'kind: DraftKind!',
    'notes: jsonb',
    'number: String!',
    'rowId: Int!',
    'total: numeric!',
  ]);
  expect(clerk('mutation_root')).toContain('draftInvoice: DraftedInvoice');
  expect(clerk('Digest')).toContain('invoices: [invoice!]!');
  const analyst = await schemaOf('analyst');
  expect(analyst('query_root')).toContain('digests: [Digest!]!');
  expect(analyst('query_root').join()).not.toContain('whoAmI');
  expect(analyst('DraftedInvoice')).toEqual([]);
  expect((await schemaOf('logger'))('Digest')).toEqual([
    'customerId: Int',
    'parts: [DigestPart!]!',
  ]);
});

test('check accepts allow-listed operations with plugin fields, and warns about those whose fields no role may use', async () => {
  const { stdout, stderr } = await run('check');
  const found = `${stdout}${stderr}`;
  expect(found).not.toContain('"fits"');
  expect(found).toMatch(/RG_ALLOW_LIST .*"hidden".*field 'seen' not found/);
  expect(found).toMatch(/RG_ALLOW_LIST .*"unread".*field 'margin' not found/);
});
