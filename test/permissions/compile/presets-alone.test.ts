import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { presetOnlyColumn } from '../../../permissions/index.ts';
import { since } from '../../support/since.ts';
import { ask, beginAs, failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { type MetadataFiles, removeMetadata } from '../support/metadata-files.ts';

let made: Installation;
beforeAll(async () => {
  const golden = path.resolve(import.meta.dirname, '../golden/presets-alone');
  made = await install({
    schema: await readFile(path.join(golden, 'schema.sql'), 'utf8'),
    rules: parse(await readFile(path.join(golden, 'rules.yaml'), 'utf8')) as MetadataFiles,
  });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

describe('the column that an update by a role names when presets fill all columns that the role may update', () => {
  test.each([
    ['reader', 'public.ticket', 'seen_by'],
    ['visitor', 'public.visit', undefined],
  ])('is, for %s on %s, %s', async (role, table, expected) => {
    const model = await made.model();
    const rule = model.roles.get(role)?.tables.get(table)?.update;
    expect(rule && presetOnlyColumn(rule)).toBe(expected);
  });

  test('is not needed when the role may also write a column itself', () => {
    const value = {
      kind: 'literal',
      text: 'x',
      type: { schema: 'pg_catalog', name: 'text' },
    } as const;
    const presets = [{ column: 'a', value }];
    expect(presetOnlyColumn({ columns: ['b'], presets })).toBeUndefined();
  });
});

describe('a value that a caller writes into a preset column', () => {
  // Postgres 14 has no merge.
  test.skipIf(!since(15)).each([
    ['update', 'reader', "when matched then update set seen_by = 'eve'"],
    ['insert', 'opener', "when not matched then insert (owner) values ('eve')"],
  ])('is overwritten by the preset in the %s of a merge', async (_command, role, action) => {
    const gateway = await made.connectGateway();
    await beginAs(gateway, await made.caller(role, { user: 'ann' }));
    const merged = await ask(
      gateway,
      `merge into ticket t using (values (1), (9)) v(id) on t.id = v.id ${action}`,
    );
    const { rows } = await ask(
      gateway,
      "select owner, seen_by from ticket where 'eve' in (owner, seen_by)",
    );
    await gateway.query('rollback');
    expect({ merged: merged.affected, rows }).toEqual({ merged: 1, rows: [] });
  });

  test('cannot be written with copy, which Postgres refuses under row security', async () => {
    const copied = made.ask('opener', { user: 'ann' }, 'copy ticket (owner) from stdin');
    expect((await failureOf(copied)).code).toBe('0A000');
  });
});
