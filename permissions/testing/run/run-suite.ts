import { MetadataError } from '../../errors.ts';
import { meaningOf } from '../../expressions/combine.ts';
import { computedInRules } from '../../expressions/dependencies.ts';
import type { Model } from '../../types/model.ts';
import type { PermissionTest, Suite } from '../suites/suite.ts';
import { checkRights } from './check-rights.ts';
import { checkAggregates, checkList, checkMatrix } from './check-rows.ts';
import { checkWrite } from './check-writes.ts';
import { insertRows } from './insert-rows.ts';
import type { Outcome } from './outcome.ts';
import { pinnedModel } from './pin-now.ts';
import { type Session, undone } from './session.ts';
import { replaceRules, type TestedRules } from './tested-rules.ts';

/** Runs one expectation. Its effects are undone. */
export function runTest(test: PermissionTest, session: Session): Promise<Outcome> {
  switch (test.kind) {
    case 'may':
      return checkRights(test, session);
    case 'matrix':
      return checkMatrix(test, session);
    case 'list':
      return checkList(test, session);
    case 'aggregates':
      return checkAggregates(test, session);
    case 'insert':
    case 'update':
    case 'delete':
      return checkWrite(test, session);
  }
}

/**
 * Runs work with the rows of a file, and with its pinned time. Everything is undone afterwards.
 * @throws MetadataError for a row that cannot be inserted, or a time that cannot be pinned
 */
export async function withSuite<T>(
  suite: Suite,
  rules: TestedRules,
  searchPath: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return undone({ rules }, async () => {
    const model = await pinNow(suite, rules);
    const bare = { rules, model, searchPath };
    const rows = await insertRows(suite, bare);
    return work({ ...bare, rows });
  });
}

/** Replaces the current time in all rules that read it. Returns the model with these rules. */
async function pinNow(suite: Suite, rules: TestedRules): Promise<Model> {
  const { model } = rules.prepared.loaded;
  const { now, file } = suite;
  if (now === undefined) return model;
  const tested = new Map(suite.tests.map((test) => [test.table.key, test.table]));
  const pinned = pinnedModel(model, now);
  const reading = [...pinned.roles.values()].flatMap((role) =>
    [...tested.values()].flatMap((table) => {
      const before = model.roles.get(role.name);
      const isChanged =
        meaningOf(before?.tables.get(table.key)) !== meaningOf(role.tables.get(table.key));
      return before && isChanged ? [{ before, role, table }] : [];
    }),
  );
  const refuse = (message: string, hint: string) =>
    new MetadataError([
      { code: 'RG_TEST', severity: 'error', position: { file, line: 1, column: 1 }, message, hint },
    ]);
  if (reading.length === 0) {
    throw refuse(
      '"now" has no effect: no rule of the tested tables reads the time',
      'leave it out',
    );
  }
  for (const { before, role, table } of reading) {
    const found = role.tables.get(table.key);
    if (table.view || (found && computedInRules(found).length > 0)) {
      const message = `"now" cannot be pinned for ${table.schema}.${table.name}, whose rules call functions or views that may read the time themselves`;
      throw refuse(message, 'leave "now" out, and compare with times far in the past or future');
    }
    const statements = replaceRules(
      rules,
      { model, role: before, table },
      { model: pinned, role, table },
    );
    if (statements.length > 0) await rules.client.query(statements.join(';\n'));
  }
  return pinned;
}
