import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = 'create table color (value text primary key, comment text);';

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the findings about writers of enums for a role that has this rule on the table. */
async function findings(table: string, rule: string): Promise<readonly string[]> {
  await made.rewrite({
    'roles.yaml': 'roles: { keeper: {} }\n',
    'tables/color.yaml': `table: color\n${table}permissions:\n  keeper:\n    select: { filter: {}, columns: '*' }\n    ${rule}\n`,
  });
  const { owner, metadata } = made;
  const found = await withPrepared(owner, made, async ({ loaded }) => metadataFindings(loaded));
  return found
    .filter((one) => one.code === 'RG_ENUM_WRITABLE')
    .map((one) => formatDiagnostic(one).replaceAll(`${metadata}/`, ''));
}

const rules = [
  ['insert', 'insert: { check: {}, columns: [value] }'],
  ['update', 'update: { filter: {}, columns: [comment] }'],
  ['delete', 'delete: { filter: {} }'],
] as const;

test.each(rules)(
  'check warns about a role that may %s rows of an enum table, because that changes the GraphQL schema',
  async (verb, rule) => {
    expect(await findings('is_enum: true\n', rule)).toEqual([
      `tables/color.yaml:6:5 warning RG_ENUM_WRITABLE keeper may ${verb} rows of the enum table public.color, and so change the GraphQL schema of every role that uses the enum; leave these rules to admin, or leave is_enum out`,
    ]);
  },
);

test('check warns once about a role that may insert, update and delete rows of an enum table', async () => {
  const rule = rules.map(([, text]) => text).join('\n    ');
  expect(await findings('is_enum: true\n', rule)).toEqual([
    expect.stringContaining('keeper may insert and update and delete rows'),
  ]);
});

test('check reports nothing for a role that only reads an enum table', async () => {
  expect(await findings('is_enum: true\n', '')).toEqual([]);
});

test.each(rules)(
  'check reports nothing for a role that may %s rows of a table that is no enum',
  async (_, rule) => {
    expect(await findings('', rule)).toEqual([]);
  },
);
