import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareRules, type RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { platformMetadata } from '../../../support/rules.ts';
import { mutationsOf } from './mutate-rule.ts';

let database: TestDatabase;
let model: Model;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const client = await database.connectOwner();
  const naming = { metadata: platformMetadata, headerPrefix: 'X-Gql-', rolePrefix: 'diff_' };
  ({ model } = await resolveModel({ ...naming, client }));
});
afterAll(() => database.drop());

/** Returns the filters and checks of all roles except admin, each once. */
function rulesOf(): readonly RowRule[] {
  const rules = [...model.roles.values()].flatMap((role) =>
    [...role.tables].flatMap(([table, { select, insert, update, delete: removal }]) => {
      const expressions = [select?.filter, insert?.check, update?.filter, update?.check];
      return [...expressions, removal?.filter].flatMap((expression) =>
        expression && role.name !== 'admin' ? [{ table, expression }] : [],
      );
    }),
  );
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

test('at least 98 % of the mutations of the rules of the platform are decided', () => {
  const models = { before: model, after: model };
  const pairs = rulesOf().flatMap((rule) =>
    mutationsOf(rule.expression ?? { kind: 'or', items: [] }).map(({ what, expression }) => ({
      ...{ what, before: rule, after: { ...rule, expression } },
    })),
  );
  const verdicts = new Map<string, number>();
  const open: string[] = [];
  const started = performance.now();
  for (const { what, before, after } of pairs) {
    const { verdict, reason } = compareRules(before, after, models);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (verdict === 'undecided') open.push(`${before.table}: ${what}: ${reason}`);
  }
  const each = (performance.now() - started) / pairs.length;
  process.stderr.write(
    `${pairs.length} mutations of rules: ${JSON.stringify([...verdicts])}, ${each.toFixed(2)} ms each\n${open.join('\n')}\n`,
  );
  expect(pairs.length).toBeGreaterThan(1_000);
  expect(1 - open.length / pairs.length).toBeGreaterThanOrEqual(0.98);
}, 600_000);
