import { createHash } from 'node:crypto';
import { systemRoles } from '../text/object-names.ts';
import { literal, sql } from '../text/sql-text.ts';
import type { Model } from '../types/model.ts';
import type { Installation } from './state/installation.ts';
import { type DesiredObject, desired, type FoundObject, found } from './state/state-object.ts';

const named = {
  kind: 'fingerprint',
  id: JSON.stringify(['fingerprint']),
  label: 'fingerprint of the metadata',
} as const;

function definitionOf(applied: Pick<Installation, 'gatewayRole' | 'fingerprint' | 'state'>) {
  return JSON.stringify([applied.gatewayRole, applied.fingerprint, applied.state]);
}

/**
 * Makes the record of an apply: a fingerprint of the metadata, and a digest of every object that the metadata needs.
 * Drift detection compares the database with this record.
 */
export function fingerprintObject(
  model: Model,
  objects: readonly Pick<DesiredObject, 'id' | 'definition'>[],
): DesiredObject {
  const { gateway } = systemRoles(model);
  const { fingerprint } = model;
  const facts = objects.map(({ id, definition }) => JSON.stringify([id, definition])).sort();
  const state = createHash('sha256').update(facts.join('\n')).digest('hex');
  return desired({
    ...named,
    definition: definitionOf({ gatewayRole: gateway, fingerprint, state }),
    create: [
      sql`update rowgate.installation set gateway_role = ${literal(gateway)}, fingerprint = ${literal(fingerprint)}, state = ${literal(state)}, applied_at = pg_catalog.now()`,
    ],
  });
}

export function foundFingerprint(installation: Installation): readonly FoundObject[] {
  if (installation.fingerprint === null) return [];
  return [
    found({
      ...named,
      definition: definitionOf(installation),
      drop: [
        sql`update rowgate.installation set gateway_role = null, fingerprint = null, applied_at = null`,
      ],
    }),
  ];
}
