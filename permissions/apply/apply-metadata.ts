import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import { MetadataError, PlanChangedError } from '../errors.ts';
import { allFindings } from '../lint/all-findings.ts';
import { databaseFindings } from '../lint/database-findings.ts';
import { ensurePassword } from '../login/gateway-password.ts';
import { readAppliedObjects, recordAppliedObjects } from '../objects/state/applied-objects.ts';
import { recordRenderedHashes } from '../objects/state/rendered-hash.ts';
import { readViewTexts } from '../objects/state/view-texts.ts';
import { type Plan, planSteps } from '../plan/make-plan.ts';
import {
  compareAgain,
  isMigrated,
  migrateGateway,
  type Prepared,
  type PrepareOptions,
  pinSettings,
} from '../plan/prepare.ts';
import { lockTimeoutMs, maxHeldSeconds, tablesToLock } from '../plan/table-locks.ts';
import { prepareAsOwner } from '../rights/closed-installation.ts';
import { missingRights } from '../rights/missing-rights.ts';
import { systemRoles } from '../text/object-names.ts';
import { join, qualified, sql } from '../text/sql-text.ts';
import { type Applier, recordApply, recordFailure } from './history/apply-history.ts';
import { limitHeldLocks } from './limit-held-locks.ts';
import { lockedOut, withLockRetries } from './lock-retries.ts';
import { beOnlyApply } from './only-apply.ts';
import { runSteps } from './run-steps.ts';
import { asOwnerOfViews } from './view-owner.ts';

export interface ApplyOptions extends PrepareOptions {
  /** Password of the gateway login, if Rowgate manages the login. */
  readonly password?: string | undefined;
  /** Digest of the plan that a person confirmed. Apply refuses to run when the current plan has another digest. */
  readonly agreed?: string | undefined;
  /** Maximum number of attempts when other sessions hold locks; each attempt takes about a second. Default: 40. */
  readonly attempts?: number | undefined;
  /** Maximum time for which the locks are held. Default: 60. */
  readonly lockSeconds?: number | undefined;
  /** Who applies, for the history. Default: the login alone. */
  readonly applier?: Applier | undefined;
  /** Says in words what the plan changes for whom, for the history. Default: no words. */
  readonly describe?:
    | ((client: pg.ClientBase, prepared: Prepared) => Promise<readonly string[]>)
    | undefined;
}

export interface Applied {
  readonly plan: Plan;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Changes the database to match the metadata, in one transaction, and notifies listening gateways. Creating a policy
 * locks its table against all readers. So each attempt waits only briefly for its locks, and then lets other sessions
 * continue.
 * @throws MetadataError with every finding that forbids the change; nothing is changed then
 * @throws MetadataError RG_APPLYING when another apply is running, RG_LOCKED when another session holds a lock during all attempts, RG_LOCK_LIMIT when the locks
 * would be held too long
 * @throws PlanChangedError when the plan is not the confirmed one
 */
export async function applyMetadata(
  client: pg.ClientBase,
  options: ApplyOptions,
): Promise<Applied> {
  await migrateIfAllowed(client, options);
  try {
    return await withLockRetries(() => applyOnce(client, options), options.attempts);
  } catch (error) {
    throw await recorded(client, await lockedOut(client, error, 'apply'), options);
  }
}

/**
 * Runs the pending migrations of the gateway. First refuses a login that could not run the plan, so that a refused apply
 * leaves nothing behind.
 * @throws MetadataError with every finding that forbids the change
 */
export async function migrateIfAllowed(
  client: pg.ClientBase,
  options: PrepareOptions,
): Promise<void> {
  if (await isMigrated(client)) return;
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(pinSettings);
    refuseUnhealable((await prepareLinted(client, options)).findings);
  } finally {
    await client.query('rollback');
  }
  await migrateGateway(client);
}

/** Records a failure in the history, unless no apply was tried. Returns the failure. */
async function recorded(
  client: pg.ClientBase,
  failure: unknown,
  { applier = unknownApplier }: ApplyOptions,
): Promise<unknown> {
  const isUntried =
    failure instanceof PlanChangedError ||
    (failure instanceof MetadataError && failure.code === 'RG_APPLYING');
  if (!isUntried) await recordFailure(client, failure, applier);
  return failure;
}

const unknownApplier: Applier = { actor: undefined, revision: undefined, version: '' };

async function applyOnce(client: pg.ClientBase, options: ApplyOptions): Promise<Applied> {
  const { applier = unknownApplier } = options;
  await client.query('begin');
  try {
    await client.query(pinSettings);
    await client.query(`select pg_catalog.set_config('lock_timeout', '${lockTimeoutMs}ms', true)`);
    await beOnlyApply(client, applier.actor);
    await client.query('select 1 from rowgate.installation for update');
    const { prepared, database, findings } = await prepareLinted(client, options);
    if (options.agreed !== undefined && options.agreed !== prepared.plan.digest)
      throw new PlanChangedError();
    refuseUnhealable(findings);
    const words = (await options.describe?.(client, prepared)) ?? [];
    const limited = limitHeldLocks(client, options.lockSeconds ?? maxHeldSeconds);
    await executePlan(limited, prepared);
    const unchanged = prepared.plan.changes.length === 0;
    const after = unchanged ? prepared : await confirm(limited, prepared);
    const warnings = await allFindings(limited, after, unchanged ? database : undefined);
    refuse(warnings);
    await givePassword(limited, after, options);
    const { plan, loaded } = prepared;
    const applied = { files: loaded.raw.texts, catalog: after.loaded.catalog.data };
    await recordApply(limited, applied, { plan, words, applier });
    // Any login may send a false notice. So gateways reload only when this column has changed, too.
    await limited.query(
      'update rowgate.installation set applied_at = pg_catalog.clock_timestamp()',
    );
    await limited.query('notify rowgate_applied');
    await limited.query('commit');
    return { plan, warnings };
  } catch (error) {
    // A session that Postgres has ended cannot roll back, and its end has undone everything.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Makes the plan, and searches for findings about the database and for missing rights. */
async function prepareLinted(client: pg.ClientBase, options: PrepareOptions) {
  const database: Diagnostic[] = [];
  const prepared = await prepareAsOwner(client, options, async (seen) => {
    database.push(...(await databaseFindings(client, seen)));
  });
  const findings = [...(await missingRights(client, prepared)), ...database];
  return { prepared, database, findings };
}

/**
 * Codes of findings that the plan itself may remove, e.g. by revoking a privilege. They stop apply only when they
 * remain after the plan has run, or when they come with statements for a superuser.
 */
const healable: ReadonlySet<string> = new Set(['RG_EXTRA_PRIVILEGE', 'RG_SCHEMA_WRITABLE']);

function refuseUnhealable(findings: readonly Diagnostic[]): void {
  const fatal = findings.some(
    (one) => one.severity === 'error' && (!healable.has(one.code) || one.statements?.length),
  );
  if (fatal) refuse(findings);
}

function refuse(findings: readonly Diagnostic[]): void {
  const errors = findings.filter((finding) => finding.severity === 'error');
  if (errors.length > 0) throw new MetadataError(errors);
}

/** Makes the changes of a plan and records the objects. Must run inside a transaction with the settings of `pinSettings`. */
export async function executePlan(client: pg.ClientBase, prepared: Prepared): Promise<void> {
  const { plan } = prepared;
  if (plan.changes.length === 0) return acceptViews(client, prepared);
  await lockTables(client, prepared);
  const roles = plan.changes.filter((change) => change.kind === 'role' && change.action !== 'drop');
  await runSteps(client, planSteps({ ...plan, changes: roles }));
  const { model, catalog } = prepared.loaded;
  const owner = { role: systemRoles(model).policy, serverVersion: catalog.data.serverVersion };
  await asOwnerOfViews(client, owner, async () => {
    const rest = { ...plan, changes: plan.changes.filter((change) => !roles.includes(change)) };
    await runSteps(client, planSteps(rest));
    await client.query(recordRenderedHashes.text);
    const texts = await readViewTexts(client, prepared.tables);
    await recordAppliedObjects(client, [...prepared.desired, ...texts]);
  });
}

/**
 * Records the current texts of user-defined views when the plan itself is empty. A migration may have replaced such a
 * view, and `rowgate drift` warns of it until the new text is recorded.
 */
async function acceptViews(client: pg.ClientBase, { desired, tables }: Prepared): Promise<void> {
  const last = await readAppliedObjects(client);
  const texts = await readViewTexts(client, tables);
  if (texts.every((one) => last.hasAsIs(one))) return;
  await recordAppliedObjects(client, [...desired, ...texts]);
}

/** Takes all locks at once and in a fixed order, so that concurrent appliers and migrations cannot deadlock. */
async function lockTables(client: pg.ClientBase, prepared: Prepared): Promise<void> {
  const names = tablesToLock(prepared).map((table) => sql`only ${qualified(table)}`);
  if (names.length === 0) return;
  await client.query(sql`lock table ${join(names, ', ')} in access exclusive mode`.text);
}

/**
 * Compares the metadata with the changed database. Throws when differences remain, so that a plan with a defect is not
 * committed.
 */
async function confirm(client: pg.ClientBase, before: Prepared): Promise<Prepared> {
  const after = await compareAgain(client, before);
  refuse(
    after.plan.changes.map((change) => ({
      code: 'RG_DRIFT',
      severity: 'error',
      message: `after applying, this still differs: ${change.action} ${change.label}`,
      hint: 'another role granted or created it, and only that role can remove it',
    })),
  );
  return after;
}

async function givePassword(
  client: pg.ClientBase,
  { login }: Prepared,
  { password }: ApplyOptions,
): Promise<void> {
  if (login.managed && password !== undefined) await ensurePassword(client, login.name, password);
}
