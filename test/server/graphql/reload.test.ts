import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { metadata } from './support/metadata.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ sharesRoles: false });
});
afterAll(() => gateway.stop());

const reader = { role: 'reader' };
const email = '{ author_by_pk(id: 1) { email } }';
const file = 'tables/author.yaml';

/** Replaces the text of the metadata file until the test ends. */
async function rewrite(text: string): Promise<void> {
  onTestFinished(async () => {
    await gateway.write({ [file]: metadata[file] ?? '' });
    await gateway.apply();
    await gateway.reload();
  });
  await gateway.write({ [file]: text });
}

test('a reload of invalid metadata fails, and the previous version stays served', async () => {
  await rewrite('table: no_such_table\npermissions: {}\n');
  await expect(gateway.reload()).rejects.toThrow('RG_UNKNOWN_TABLE');
  expect((await gateway.ask('{ author { name } }', reader)).data.author).toHaveLength(3);
});

test('new metadata takes effect at the reload, not yet at apply, also for clients that are already connected', async () => {
  expect(errorOf(await gateway.ask(email, reader))).toContain("field 'email' not found");
  const changed = metadata[file]?.replace('columns: [id, name] }', 'columns: [id, name, email] }');
  await rewrite(changed ?? '');
  await gateway.apply();
  expect(errorOf(await gateway.ask(email, reader))).toContain("field 'email' not found");
  await gateway.reload();
  expect((await gateway.ask(email, reader)).data).toEqual({
    author_by_pk: { email: 'Ada@one.example' },
  });
});

test('a reload serves a column that was added to the database', async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query("alter table author add born date default '2000-01-02'");
  await gateway.apply();
  await Promise.all([gateway.reload(), gateway.reload()]);
  expect((await gateway.ask('{ author_by_pk(id: 1) { born } }')).data).toEqual({
    author_by_pk: { born: '2000-01-02' },
  });
});
