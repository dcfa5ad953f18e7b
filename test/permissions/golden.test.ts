import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MetadataError } from '../../permissions/errors.ts';
import type { Model } from '../../permissions/index.ts';
import { type Answer, ask, askAs, type beginAs, failureOf } from './support/as-role.ts';
import { type Access, expectedText, readGoldenCases } from './support/golden-case.ts';
import { planText } from './support/golden-plan.ts';
import { type Installation, makeInstallation } from './support/installation.ts';
import { removeMetadata } from './support/metadata-files.ts';
import { missingVariableAttempts } from './support/missing-variables.ts';

const cases = await readGoldenCases();
const accepted = cases.flatMap(({ access, ...golden }) => (access ? [{ ...golden, access }] : []));
const refused = cases.filter((golden) => golden.access === undefined);

afterAll(removeMetadata);

describe.each(refused)('the wrong metadata of the golden case $name', (golden) => {
  let made: Installation;
  beforeAll(async () => {
    made = await makeInstallation(golden);
  });
  afterAll(() => made.drop());

  test('is refused with the errors in errors.txt', async () => {
    const error = await failureOf(made.apply());
    expect(error).toBeInstanceOf(MetadataError);
    const text = `${error.message.replaceAll(`${made.metadata}/`, '')}\n`;
    expect(text).toBe(await expectedText(golden, 'errors.txt', text));
  });
});

// The tests depend on each other: the rules must be applied first, and an entry sees the rows that earlier entries
// stored.
describe('the metadata of a golden case', { shuffle: false }, () => {
  describe.each(accepted)('$name', (golden) => {
    let made: Installation;
    let gateway: pg.Client;
    let model: Model;
    const { access } = golden;

    beforeAll(async () => {
      made = await makeInstallation(golden);
    });
    afterAll(() => made.drop());

    test('compiles to the SQL in expected.sql', async () => {
      const prepared = await made.prepare();
      ({ model } = prepared.loaded);
      const text = planText(prepared);
      expect(text).toBe(await expectedText(golden, 'expected.sql', text));
    });

    test('leaves nothing pending after apply', async () => {
      await made.apply();
      gateway = await made.connectGateway();
      expect(await made.pending()).toEqual([]);
    });

    test('gives no rows and writes none by a rule whose variable is missing', async () => {
      const known = model.variables;
      const given = Object.assign({}, ...access.map((one) => one.with ?? {}));
      for (const { role, missing, uses, sql } of missingVariableAttempts(model)) {
        const variables = Object.fromEntries(uses.map((name) => [name, String(given[name] ?? '')]));
        const caller = { role, variables: { ...variables, [missing]: '' }, known };
        expect(await outcome(gateway, caller, sql), `${role}, ${missing}: ${sql}`).toBe('nothing');
      }
    });

    test.each(access.map((one) => ({ ...one, fact: one.fact ?? `${one.as}: ${one.sql}` })))(
      'has the expected result: $fact',
      async (entry) => {
        const variables = mapped(entry.with ?? {});
        const caller = { role: `${golden.prefix}${entry.as}`, variables, known: model.variables };
        const end = entry.stored ? 'commit' : 'rollback';
        const came = await askAs(gateway, caller, entry.sql, end).then(seen(entry), failed(entry));
        const found = entry.stored && (await ask(made.owner, entry.stored.sql)).rows;
        expect({ ...came, ...(found && { stored: found }) }).toEqual(expectedOf(entry));
      },
    );
  });
});

/** Returns 'nothing' when no row was returned or written, or when Postgres refused the statement. */
async function outcome(
  client: pg.Client,
  caller: Parameters<typeof beginAs>[1],
  sql: string,
): Promise<string> {
  // 22P02: another variable of the rule was empty, and its type does not accept an empty text.
  const refusals = ['42501', 'RG001', '22P02'];
  return askAs(client, caller, sql).then(
    ({ affected }) => (affected === 0 ? 'nothing' : `${affected} rows`),
    (error: { code?: string; message: string }) =>
      refusals.includes(error.code ?? '') ? 'nothing' : error.message,
  );
}

function mapped(record: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, String(value)]));
}

const cells = (rows: NonNullable<Access['rows']>) =>
  rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));

/** Returns the expected result of an entry in the same form as the actual result. */
function expectedOf(entry: Access): object {
  return {
    ...(entry.rows && { rows: cells(entry.rows) }),
    ...(entry.affects !== undefined && { affects: entry.affects }),
    ...(entry.refused !== undefined && { refused: entry.refused }),
    ...(entry.says !== undefined && { says: expect.stringContaining(entry.says) }),
    ...(entry.stored && { stored: cells(entry.stored.rows) }),
  };
}

function seen(entry: Access): (answer: Answer) => object {
  return ({ rows, affected }) =>
    entry.affects === undefined ? { rows } : { affects: affected, ...(entry.rows && { rows }) };
}

function failed(entry: Access): (error: { code?: string; message: string }) => object {
  return ({ code = '', message }) => ({
    refused: entry.refused === undefined ? `${code} ${message}` : code,
    ...(entry.says !== undefined && { says: message }),
  });
}
