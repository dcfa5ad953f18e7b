import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import type { CatalogData } from '../../../permissions/catalog/types.ts';
import { compareVersions } from '../../../permissions/diff/compare/compare-versions.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type MetadataFiles, removeMetadata } from '../support/metadata-files.ts';
import { versionOf } from './support/versions.ts';

const schema = `
  create table team (id text primary key, title text);
  insert into team values ('a', null), ('b', null);
  create table note (id int primary key, team_id text references team, body text);
  create table secret (id int primary key, text text);
  create function secrets(n note) returns setof secret language sql stable begin atomic select s.* from secret s; end;
  create function size(n note) returns int language sql stable begin atomic select length(n.body); end;`;

let database: TestDatabase;
let catalog: CatalogData;
beforeAll(async () => {
  database = await createDatabase({ from: 'empty' });
  const owner = await database.connectOwner();
  await owner.query(schema);
  catalog = await inspectCatalog(owner);
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

const roles = { 'roles.yaml': 'roles: { reader: {} }\n' };

/** Returns the changes between two sets of files as `class: sentence`. */
async function changesBetween(
  before: MetadataFiles,
  after: MetadataFiles,
): Promise<readonly string[]> {
  const load = (files: MetadataFiles) => versionOf({ ...roles, ...files }, catalog);
  const changes = compareVersions(await load(before), await load(after));
  return changes.map((one) => `${one.class}: ${one.sentence}`);
}

const readable =
  'permissions:\n  reader: { select: { columns: [id, team_id, body], filter: {} } }\n';
const secretFile = {
  'tables/secret.yaml':
    'table: secret\npermissions:\n  reader: { select: { columns: [id], filter: { id: 1 } } }\n',
};

describe('a computed field that returns rows', () => {
  const noteWith = (rights: string) => ({
    ...secretFile,
    'tables/note.yaml': `table: note\ncomputed_fields: { secrets: { function: secrets, rights: ${rights} } }\n${readable}`,
  });
  const without = { ...secretFile, 'tables/note.yaml': `table: note\n${readable}` };

  test('is dangerous if it is new and has the rights of the owner', async () => {
    expect(await changesBetween(without, noteWith('owner'))).toEqual([
      'dangerous: reader may now read the rows of the computed field secrets of note, with the rights of the owner and so beyond its own rules',
    ]);
  });

  test('is to review if it is new and has the rights of the caller', async () => {
    expect(await changesBetween(without, noteWith('caller'))).toEqual([
      'review: reader may now read the rows of the computed field secrets of note',
    ]);
  });

  test('is reported once if it is gone', async () => {
    expect(await changesBetween(noteWith('owner'), without)).toEqual([
      'breaking: the computed field secrets of note is gone',
    ]);
  });
});

test('a role that inherits a computed field for more rows is reported', async () => {
  const files = (filter: string) => ({
    'roles.yaml': 'roles: { a: {}, b: {}, both: { inherits: [a, b] } }\n',
    'tables/note.yaml': `table: note
computed_fields: { size: { function: size } }
permissions:
  a: { select: { columns: [id, body], computed_fields: [size], filter: ${filter} } }
  b: { select: { columns: [id, body], filter: {} } }
`,
  });
  expect(await changesBetween(files('{ id: 1 }'), files('{ id: { _in: [1, 2] } }'))).toContainEqual(
    expect.stringContaining(
      'dangerous: both would see the computed field size of note in more rows than before',
    ),
  );
});

test('a default of a claim is a part of how callers are identified', async () => {
  const files = (role: string) => ({
    'rowgate.yaml': `authentication:
  jwt: { type: HS256, key: "0123456789abcdef0123456789abcdef", claims_map: { x-gql-role: { path: $.role, default: ${role} } } }
`,
  });
  expect(await changesBetween(files('reader'), files('admin'))).toEqual([
    expect.stringMatching(
      /^dangerous: who callers are is decided by other settings: .*default changed/,
    ),
  ]);
});

test('a key that need not refer to a visible row any more, because its table becomes an enum, is dangerous', async () => {
  const files = (team: string) => ({
    'rowgate.yaml': 'references_visible: true\n',
    'tables/note.yaml':
      'table: note\npermissions:\n  reader: { select: { columns: [id, team_id], filter: {} }, insert: { columns: [id, team_id], check: {} } }\n',
    'tables/team.yaml': `table: team\n${team}`,
  });
  const rule = 'permissions:\n  reader: { select: { columns: [id], filter: { id: a } } }\n';
  expect(await changesBetween(files(rule), files('is_enum: true\n'))).toContain(
    'dangerous: reader may now let team_id of note refer to rows that it does not see',
  );
});
