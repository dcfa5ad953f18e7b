import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = `
create table person (org integer not null, id integer not null, primary key (org, id));
create table task (
  id integer primary key, org integer not null, author_id integer, owner_id integer,
  constraint task_1 foreign key (org, author_id) references person,
  constraint task_2 foreign key (org, owner_id) references person
);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function warnings(relationships: string): Promise<readonly string[]> {
  await made.rewrite({
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/person.yaml': 'table: person\n',
    'tables/task.yaml': `table: task\nrelationships: ${relationships}\n`,
  });
  const found = await withPrepared(made.owner, made, async ({ loaded }) => loaded.warnings);
  return found.map((one) => formatDiagnostic(one).replace(/^.*warning /, ''));
}

test('check warns when two foreign keys would give a table the same relationship, and names the key without one', async () => {
  expect(await warnings('{}')).toEqual([
    'RG_NAME_CONFLICT two foreign keys give public.task a relationship "person"; it goes along (org, author_id), and none along (org, owner_id); name them under relationships',
  ]);
});

test('check does not warn when the metadata names the relationship of the second key', async () => {
  expect(await warnings('{ owner: { columns: [org, owner_id] } }')).toEqual([]);
});

test('check does not warn when the metadata gives the disputed name to one of the keys', async () => {
  expect(await warnings('{ person: { columns: [org, owner_id] } }')).toEqual([]);
});
