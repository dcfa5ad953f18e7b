import type pg from 'pg';
import { Catalog } from '../catalog/catalog.ts';
import { inspectCatalog } from '../catalog/inspect-catalog.ts';
import { databaseFindings } from '../lint/database-findings.ts';
import { readAppliedObjects } from '../objects/state/applied-objects.ts';
import { readViewTexts } from '../objects/state/view-texts.ts';
import { type Prepared, pinSettings, prepareLoaded } from '../plan/prepare.ts';
import type { Model } from '../types/model.ts';
import { type Drift, findDrift } from './find-drift.ts';
import { readRulesDigest } from './rules-digest.ts';

/** The input of drift detection: the model of a gateway, and the login of that gateway. */
export interface DriftSubject {
  readonly model: Model;
  /** Name of the gateway's login. */
  readonly login: string;
}

/**
 * Drift, and a digest of the database state in which the drift was found. While the digest stays the same, the drift
 * stays the same.
 */
export interface SeenDrift {
  readonly digest: string;
  readonly drift: Drift;
}

/**
 * Returns the drift between the metadata and the database. Must run in the transaction in which `prepared` was read, so
 * that it sees the same state.
 */
export async function driftOf(client: pg.ClientBase, prepared: Prepared): Promise<Drift> {
  const findings = await databaseFindings(client, prepared);
  const last = await readAppliedObjects(client);
  return findDrift(prepared, findings, last, await readViewTexts(client, prepared.tables));
}

/**
 * Detects drift with the rights of the gateway's login, in one read-only snapshot. Returns undefined when nothing has
 * changed since `digest` was read; this check costs one query.
 */
export async function inspectDrift(
  client: pg.ClientBase,
  { model, login }: DriftSubject,
  digest?: string,
): Promise<SeenDrift | undefined> {
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(pinSettings);
    const now = await readRulesDigest(client);
    if (now === digest) return undefined;
    const catalog = new Catalog(await inspectCatalog(client));
    const prepared = await prepareLoaded(
      client,
      {
        model,
        catalog,
        warnings: [],
        accepted: [],
        raw: { roles: [], filters: [], tables: [], texts: {} },
      },
      { login },
    );
    return { digest: now, drift: await driftOf(client, prepared) };
  } finally {
    await client.query('rollback');
  }
}
