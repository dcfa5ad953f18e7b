import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { withDatabase, withLogin } from '../../../server/db/url.ts';
import { readPage } from '../../support/documentation.ts';
import { query } from '../../support/query.ts';
import { vacantPort } from '../../support/rowgate.ts';
import { asSuperuser } from '../../support/superuser.ts';
import { type Block, readBlocks } from './blocks.ts';
import { describePage } from './describe-page.ts';

const tutorial = 'docs/tutorials/own-database.md';
const suffix = randomBytes(4).toString('hex');
const [owner, database] = [`app_owner_${suffix}`, `app_${suffix}`];
const url = () => withDatabase(withLogin(inject('superuserUrl'), owner, 'password'), database);

afterAll(() => asSuperuser(`drop database if exists ${database} with (force)`));

describePage(tutorial, {
  startsProgram: true,
  prepare: async () => {
    const statements = blockWith('create database').text.replaceAll(/\bapp\w*/g, `$&_${suffix}`);
    for (const statement of statements.split('\n')) await asSuperuser(statement);
    const port = String(await vacantPort());
    return {
      DATABASE_URL: url(),
      RECEIVER_PORT: port,
      RECEIVER_URL: `http://127.0.0.1:${port}`,
    };
  },
  afterwards: (world) => {
    test('the login of the tutorial owns its database and has CREATEROLE, and no other right', async () => {
      const rights = `select rolcreaterole, rolsuper, rolcreatedb, rolbypassrls, rolreplication
        from pg_catalog.pg_roles where rolname = current_user`;
      expect(await query(url(), rights)).toEqual([
        {
          rolcreaterole: true,
          rolsuper: false,
          rolcreatedb: false,
          rolbypassrls: false,
          rolreplication: false,
        },
      ]);
    });

    test('the receiver of the tutorial receives the event', async () => {
      const { text = '' } = blockWith('cat received.txt').answer ?? {};
      await vi.waitFor(
        async () => {
          const received = await readFile(path.join(world().folder, 'received.txt'), 'utf8');
          expect(received.split('\n')).toContain(text);
        },
        { timeout: 30_000, interval: 50 },
      );
    });
  },
});

function blockWith(text: string): Block {
  const found = readBlocks(readPage(tutorial)).find((block) => block.text.includes(text));
  if (found) return found;
  throw new Error(`${tutorial} has no example with ${text}`);
}
