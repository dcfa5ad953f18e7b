import pg from 'pg';
import { executePlan } from '../../apply/apply-metadata.ts';
import { lockedOut, withLockRetries } from '../../apply/lock-retries.ts';
import { asOwnerOfViews } from '../../apply/view-owner.ts';
import { compileTable } from '../../compile/compile-table.ts';
import type { CompileTarget } from '../../compile/role-objects.ts';
import { isStopped, MetadataError } from '../../errors.ts';
import type { FoundObject } from '../../objects/state/state-object.ts';
import { makePlan, planSteps } from '../../plan/make-plan.ts';
import {
  compareAgain,
  compileTarget,
  type Prepared,
  type PrepareOptions,
  pinSettings,
} from '../../plan/prepare.ts';
import { lockTimeoutMs } from '../../plan/table-locks.ts';
import { joinRoles } from '../../rights/act-as.ts';
import { prepareAsOwner } from '../../rights/closed-installation.ts';
import { missingRights } from '../../rights/missing-rights.ts';
import { policySchema, systemRoles } from '../../text/object-names.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { loginLimit, stoppedLine } from './time-limit.ts';

export interface TestOptions extends PrepareOptions {
  /** How often the tests try to get their locks. Default: as often as apply. */
  readonly attempts?: number | undefined;
}

/** Rules that are in force inside the transaction of the tests. */
export interface TestedRules {
  readonly client: pg.ClientBase;
  readonly prepared: Prepared;
  readonly target: CompileTarget;
  /** The objects that enforce the rules, by id. */
  readonly objects: ReadonlyMap<string, FoundObject>;
}

/**
 * Runs work in a transaction in which the rules of the metadata are in force, and rolls the transaction back. The login
 * becomes a member of every role inside the transaction, so that it can act as each of them and replace their views.
 * Each attempt waits only briefly for a lock, because readers wait behind it. Then the work begins again.
 * @throws MetadataError when the rules cannot be applied, or a statement exceeds its time limit, RG_LOCKED when another session holds a lock during all attempts
 */
export async function withTestedRules<T>(
  client: pg.ClientBase,
  options: TestOptions,
  work: (rules: TestedRules) => Promise<T>,
): Promise<T> {
  try {
    return await withLockRetries(() => runOnce(client, options, work), options.attempts);
  } catch (error) {
    if (error instanceof pg.DatabaseError && isStopped(error)) throw timeLimit(error);
    throw await lockedOut(client, error, 'test');
  }
}

function timeLimit(error: pg.DatabaseError): MetadataError {
  const message = stoppedLine(error, loginLimit);
  return new MetadataError([{ code: 'RG_TEST', severity: 'error', message }]);
}

async function runOnce<T>(
  client: pg.ClientBase,
  options: PrepareOptions,
  work: (rules: TestedRules) => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    await client.query(pinSettings);
    await client.query(`select pg_catalog.set_config('lock_timeout', '${lockTimeoutMs}ms', true)`);
    const before = await prepareAsOwner(client, options);
    const missing = await missingRights(client, before);
    if (missing.length > 0) throw new MetadataError(missing);
    await executePlan(client, before);
    const isChanged = before.plan.changes.length > 0;
    const prepared = isChanged ? await compareAgain(client, before) : before;
    await joinRoles(client, prepared.loaded.model);
    const target = await compileTarget(client, prepared);
    const objects = new Map(prepared.found.map((object) => [object.id, object]));
    const { model, catalog } = prepared.loaded;
    const owner = { role: systemRoles(model).policy, serverVersion: catalog.data.serverVersion };
    let result: readonly T[] = [];
    await asOwnerOfViews(client, owner, async () => {
      result = [await work({ client, prepared, target, objects })];
    });
    return result[0] as T;
  } finally {
    await client.query('rollback').catch(() => {});
  }
}

/** The rules of one role on one table, to be replaced by those of another model. */
export interface ReplacedRules {
  readonly model: Model;
  readonly role: RoleModel;
  readonly table: TableModel;
}

/**
 * Returns the statements that replace the rules of one role on one table. Only what differs is replaced. Objects that
 * other rules may share, such as policy views, stay.
 */
export function replaceRules(
  { prepared, target, objects }: TestedRules,
  before: ReplacedRules,
  after: ReplacedRules,
): readonly string[] {
  const { catalog } = prepared.loaded;
  const old = compileTable(before, catalog, target);
  const desired = compileTable(after, catalog, target);
  const ids = new Set([...old, ...desired].map(({ id }) => id));
  const found = [...ids].flatMap((id) => objects.get(id) ?? []);
  const plan = makePlan(desired, found);
  const changes = plan.changes.filter(
    ({ action, kind, id }) => action !== 'annotate' && (action !== 'drop' || isOwn(kind, id)),
  );
  return planSteps({ ...plan, changes }).map(({ statement }) => statement.text);
}

function isOwn(kind: string, id: string): boolean {
  const [, schema] = JSON.parse(id);
  return kind === 'policy' || kind === 'trigger' || (kind === 'grant' && schema !== policySchema);
}
