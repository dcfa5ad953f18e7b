import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { platform } from '../../../server/platform/open-platform.ts';

const folder = path.resolve(import.meta.dirname, '../../../server/platform');

test('the platform lists every mail that it sends, by the beginning of its key', () => {
  const sent = globSync('webhooks/**/*.ts', { cwd: folder }).flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(/\bkey: `([a-z-]+)\//g)].map(
      ([, key]) => key,
    ),
  );
  const listed = platform.mailTemplates.map(({ key }) => key);
  expect([...new Set(sent)].sort()).toEqual([...listed].sort());
});
