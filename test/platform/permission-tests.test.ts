import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata } from '../support/rules.ts';

let database: TestDatabase;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: `${inject('scratch')}/${database.name}`,
    ROWGATE_METADATA: platformMetadata,
  };
});
afterAll(() => database.drop());

describe('the tests beside the rules of the platform', () => {
  test('hold in SQL', async () => {
    const { code, stdout, stderr } = await runCommand(['test'], environment);
    expect(stdout).toMatch(/^(\d+) of \1 expectations in \d+ files hold\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('notice at least 95 % of the changes that weaken a rule', async () => {
    const { code, stdout } = await runCommand(
      ['test', '--mutate', '--min-score', '95'],
      environment,
    );
    expect(stdout).toMatch(/mutation score (9[5-9]|100)[.\d]* %/);
    expect(code).toBe(0);
  }, 600_000);
});
