import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type MetadataFiles,
  removeMetadata,
  writeMetadata,
} from '../../permissions/support/metadata-files.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { platformMetadata } from '../../support/rules.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  await query(
    database.ownerUrl,
    `create table public.person (id text primary key, email text not null unique, region text not null);
     create index on public.person (region)`,
  );
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: database.ownerUrl,
  ROWGATE_DATA_DIR: inject('scratch'),
  ...more,
});

/**
 * Runs `rowgate check` and returns its exit code and the output lines that mention session
 * variables.
 */
async function check(files: MetadataFiles, more?: Readonly<Record<string, string>>) {
  const folder = await writeMetadata(files);
  const { code, stderr } = await runCommand(['check', '--metadata', folder], environment(more));
  const lines = stderr.split('\n').filter((line) => line.includes('VARIABLE'));
  return { code, lines: lines.map((line) => line.replaceAll(`${folder}/`, '')) };
}

const rule = (filter: string): MetadataFiles => ({
  'roles.yaml': 'roles:\n  member: { requires: [X-Gql-Region] }\n',
  'tables/person.yaml': `table: person
permissions:
  member:
    select:
      filter: ${filter}
      columns: [id]
`,
});

describe('rowgate check: a text in a rule that looks like a session variable', () => {
  test('causes an error with the file position and advice', async () => {
    expect(await check(rule('{ email: { _neq: X-Hasura-User-Email } }'))).toEqual({
      code: 1,
      lines: [
        'tables/person.yaml:5:32 RG_MISSPELT_VARIABLE "X-Hasura-User-Email" looks like a session variable, but is a text; write X-Gql-User-Email for a variable, or { _literal: "X-Hasura-User-Email" } for the text',
      ],
    });
  });

  test('is accepted when the rule marks it as a literal', async () => {
    const { code, lines } = await check(
      rule('{ email: { _neq: { _literal: X-Hasura-User-Email } } }'),
    );
    expect({ code, lines }).toEqual({ code: 0, lines: [] });
  });

  test('is recognized when its prefix differs from the configured one', async () => {
    const files = {
      ...rule('{ _and: [{ email: X-Hasura-Region }, { region: X-Gql-Region }] }'),
      'roles.yaml': 'roles: { member: { requires: [X-Hasura-Region] } }\n',
    };
    expect(await check(files, { ROWGATE_HEADER_PREFIX: 'X-Hasura-' })).toEqual({
      code: 1,
      lines: [
        'tables/person.yaml:5:62 RG_MISSPELT_VARIABLE "X-Gql-Region" looks like a session variable, but is a text; write X-Hasura-Region for a variable, or { _literal: "X-Gql-Region" } for the text',
      ],
    });
  });
});

describe('rowgate check: a session variable that a rule uses but no role requires', () => {
  test('causes a warning with the file position and the variable that was probably meant', async () => {
    expect(
      await check(rule('{ _or: [{ region: X-Gql-Regoin }, { email: X-Gql-Email }] }')),
    ).toEqual({
      code: 0,
      lines: [
        'tables/person.yaml:5:33 warning RG_UNKNOWN_VARIABLE no role requires X-Gql-Regoin, and rowgate.yaml does not declare it; did you mean "X-Gql-Region"? otherwise add it to variables in rowgate.yaml if callers bring it',
        'tables/person.yaml:5:58 warning RG_UNKNOWN_VARIABLE no role requires X-Gql-Email, and rowgate.yaml does not declare it; add it to variables in rowgate.yaml if callers bring it',
      ],
    });
  });

  test('causes a warning when a rate limit uses it', async () => {
    const limited = `roles:
  member:
    requires: [X-Gql-Region]
    limits: { rate: { requests: 1, seconds: 1, by: [X-Gql-Regoin] } }
`;
    const { lines } = await check({ ...rule('{}'), 'roles.yaml': limited });
    expect(lines).toEqual([
      expect.stringMatching(/^roles\.yaml:4:53 warning RG_UNKNOWN_VARIABLE /),
    ]);
  });

  test('causes one warning when several rules use the named filter that contains it', async () => {
    const files = {
      ...rule('{ _or: [{ _filter: own }, { _not: { _filter: own } }] }'),
      'filters.yaml': 'filters:\n  own: { email: X-Gql-Email }\n',
    };
    const { lines } = await check(files);
    expect(lines).toEqual([expect.stringMatching(/^filters\.yaml:2:17 warning /)]);
  });

  test('causes no warning when rowgate.yaml declares it', async () => {
    const files = {
      ...rule('{ _or: [{ region: X-Gql-Area }, { email: x-gql-email }] }'),
      'rowgate.yaml': 'variables:\n  X-Gql-Area: where somebody works\n  X-Gql-Email:\n',
    };
    expect(await check(files)).toEqual({ code: 0, lines: [] });
  });

  test.each(['X-Gql-User-Id', 'X-Gql-Organization-Id', 'X-Gql-Allowed-Funds'])(
    'causes no warning when the application sets it: %s',
    async (name) => {
      const files = { ...rule(`{ email: ${name} }`), 'rowgate.yaml': 'application: platform\n' };
      expect(await check(files)).toEqual({ code: 0, lines: [] });
      expect(await check(rule(`{ email: ${name} }`))).toMatchObject({
        lines: [expect.stringContaining(`RG_UNKNOWN_VARIABLE no role requires ${name}`)],
      });
    },
  );

  test('causes an error when rowgate.yaml declares it with an invalid name', async () => {
    const files = { ...rule('{}'), 'rowgate.yaml': 'variables: { X-Hasura-Area: "" }\n' };
    expect(await check(files)).toEqual({
      code: 1,
      lines: [
        'rowgate.yaml:1:14 RG_BAD_VARIABLE "X-Hasura-Area" is no name of a session variable; write X-Gql-Area',
      ],
    });
  });
});

test('rowgate check reports nothing about variables in the metadata of the platform', async () => {
  const platform = await createDatabase({ from: 'platform' });
  const { code, stderr } = await runCommand(
    ['check', '--metadata', platformMetadata],
    environment({ DATABASE_URL: platform.ownerUrl }),
  );
  await platform.drop();
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => line.includes('VARIABLE'))).toEqual([]);
});
