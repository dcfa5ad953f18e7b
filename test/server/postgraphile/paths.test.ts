import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/http.ts';

test('the server refuses to start if graphile.yaml sets an endpoint path that is already in use', async () => {
  const database = await createDatabase({ from: 'platform' });
  const owner = await database.connectOwner();
  await owner.query('create table note (id int primary key)');
  const metadata = await mkdtemp(path.join(inject('scratch'), 'metadata-'));
  await mkdir(path.join(metadata, 'tables'));
  const files = {
    'roles.yaml': 'roles: {}\n',
    'tables/note.yaml': 'table: note\n',
    'rowgate.yaml': 'application: platform\n',
    'graphile.yaml': 'endpoint: /product-catalog\n',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(metadata, name), text);
  await expect(startTestServer({ database, metadata, rest: true })).rejects.toThrow(
    'the endpoint /product-catalog of graphile.yaml is already in use',
  );
  await database.drop();
});
