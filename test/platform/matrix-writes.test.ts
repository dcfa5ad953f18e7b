import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, install } from '../permissions/support/installation.ts';
import { sqlOf, sqlRefusals } from './attempt-sql.ts';
import { type Attempt, readAttempts, readDrafts } from './attempts.ts';
import { variablesOf } from './caller.ts';

let platform: Installation;
beforeAll(async () => {
  platform = await install({ from: 'platform', rules: 'metadata' });
  await platform.owner.query(readDrafts());
});
afterAll(() => platform.drop());

async function outcome({ role, who, write }: Attempt): Promise<string> {
  return platform.ask(role, variablesOf(who), sqlOf(write)).then(
    ({ affected }) => `${affected} rows`,
    ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
  );
}

describe.each(readAttempts())('in SQL, $about', ({ facts }) => {
  test.each(facts)('$fact', async (attempt) => {
    const { expected } = attempt;
    expect(await outcome(attempt)).toMatch(
      'refused' in expected
        ? sqlRefusals[expected.refused]
        : new RegExp(`^${expected.affects} rows$`),
    );
  });
});
