import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStateAhead } from '../../../permissions/objects/inspect-state.ts';
import { pinSettings } from '../../../permissions/plan/prepare.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({
    schema: 'create table note (id int primary key); create table other (id int primary key)',
    rules: {
      'roles.yaml': 'roles: { reader: {} }\n',
      'tables/note.yaml':
        'table: note\npermissions: { reader: { select: { filter: { id: { _gt: 3 } }, columns: [id] } } }\n',
    },
  });
  await made.apply();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

test('a policy on a table without rules counts only when its comment marks it as one of Rowgate', async () => {
  const { owner } = made;
  await owner.query('create policy "rowgate/x/select" on other for select using (true)');
  expect(await made.pending()).toEqual([]);
  await owner.query('begin');
  await owner.query(pinSettings);
  const { policies } = await readStateAhead(owner);
  await owner.query('rollback');
  expect(policies.map(({ table, name }) => `${table} ${name}`).sort()).toContain(
    'other rowgate/x/select',
  );
  await owner.query(`comment on policy "rowgate/x/select" on other is 'rowgate:old'`);
  expect(await made.pending()).toEqual(['drop policy rowgate/x/select on public.other']);
});

test('a mistake in the metadata is reported although objects of the database are still read', async () => {
  await made.rewrite({
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/note.yaml': 'table: nott\n',
  });
  await expect(made.apply()).rejects.toThrow('RG_UNKNOWN_TABLE');
  expect((await made.owner.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
