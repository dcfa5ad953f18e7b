import type { Diagnostic } from '../diagnostics.ts';
import { copiedId } from '../objects/privileges/copied-privilege.ts';
import { roleId } from '../objects/roles/role.ts';
import type { AppliedObjects } from '../objects/state/applied-objects.ts';
import {
  type DesiredObject,
  type FoundObject,
  label,
  type StateKind,
  type StateObject,
} from '../objects/state/state-object.ts';
import type { ViewText } from '../objects/state/view-texts.ts';
import type { Change } from '../plan/make-plan.ts';
import type { Prepared } from '../plan/prepare.ts';

/**
 * A database object that differs from its state after the last apply, and so may let callers see or write rows that the
 * rules forbid.
 */
export interface Difference {
  /** The kind of the object. `finding`: an object that Rowgate did not create and that opens a way around the rules. */
  readonly kind: StateKind | 'finding';
  readonly what: 'missing' | 'altered' | 'added';
  /** One sentence without a full stop, e.g. `policy rowgate/investor/select on public.fund was altered`. */
  readonly text: string;
  /** The instruction for a difference that another apply does not repair. */
  readonly hint?: string;
}

/** Changes made to the database without Rowgate, and changes in the metadata that are not applied yet. */
export interface Drift {
  /** Whether metadata was ever applied. */
  readonly applied: boolean;
  /** Whether the metadata is still the same as at the last apply. */
  readonly current: boolean;
  readonly differences: readonly Difference[];
  /** Number of changes in the metadata that are not applied yet; 0 when the metadata is current. */
  readonly pending: number;
  /**
   * Labels of views whose text has changed since their rules were applied, such as `view public.mine`. They include
   * views with rules and the views that these views read. Migrations may replace views, and the rules then hold for the
   * new rows. So a replaced view is a warning, not a difference.
   */
  readonly replaced: readonly string[];
  /** Names of the databases that this database was copied from and whose roles still hold privileges in the copy. */
  readonly copiedFrom: readonly string[];
}

/**
 * Divides the changes that apply would make into drift and pending changes. A change is drift when the object differs
 * from its state after the last apply. A change is pending when the object is unchanged and only the metadata requires
 * another state.
 */
export function findDrift(
  prepared: Prepared,
  findings: readonly Diagnostic[],
  last: AppliedObjects,
  views: readonly ViewText[],
): Drift {
  const { desired, found, installation, loaded, plan, roles } = prepared;
  const applied = last.size > 0;
  const there = new Map(found.map((one) => [one.id, one]));
  const desiredById = new Map(desired.map((one) => [one.id, one]));
  const changes = plan.changes.filter(
    (change) => change.kind !== 'copied privilege' && differs(change, desiredById, there),
  );
  const isDrifted = (change: Change) => applied && isDrift(change, desiredById, there, last);
  const drifted = changes.filter(isDrifted);
  const waiting = changes.filter((change) => !isDrifted(change));
  // A new partition changes the recorded digest of all objects, but no metadata.
  const isRecordOnly =
    waiting.every(({ kind }) => kind === 'fingerprint') &&
    installation.fingerprint === loaded.model.fingerprint;
  const pending = isRecordOnly ? 0 : waiting.length;
  const current = applied && pending === 0;
  return {
    applied,
    current,
    differences: [
      ...drifted.map(differenceOf),
      ...found.filter(({ kind }) => kind === 'copied privilege').map(heldPrivilege),
      ...lostPrivileges(prepared, last).map(lostPrivilege),
      ...findings.filter((one) => counts(one, current)).map(differenceOfFinding),
    ],
    pending,
    copiedFrom: [...new Set(roles.context.copied.flatMap(({ database }) => database ?? []))],
    replaced: views.filter((one) => last.has(one) && !last.hasAsIs(one)).map(({ label }) => label),
  };
}

/**
 * Finds grants that are missing in a copy of a database, because the copy was restored without privileges. In a copy,
 * the roles have the prefix of the original database. The record of the last apply has only digests of ids with the old
 * names. So the ids of the grants that the metadata needs are translated to the old names before they are looked up.
 */
function lostPrivileges(
  { desired, found, installation, loaded, roles }: Prepared,
  last: AppliedObjects,
): readonly string[] {
  const { rolePrefix } = loaded.model;
  const before = installation.gatewayRole?.replace(/gateway$/, '') ?? rolePrefix;
  if (before === rolePrefix) return [];
  const own = new Set(roles.objects.map(({ id }) => id));
  const there = new Set(found.map(({ id }) => id));
  const rename = (text: string) =>
    text.startsWith(rolePrefix) ? `${before}${text.slice(rolePrefix.length)}` : text;
  return desired.flatMap(({ kind, id }) => {
    if (kind !== 'grant') return [];
    const [, schema = '', name = '', role = '', privilege = ''] = (JSON.parse(id) as string[]).map(
      rename,
    );
    const held = copiedId(label({ schema, name }), role, privilege.toLowerCase());
    const old = JSON.stringify(['grant', schema, name, role, privilege]);
    if (!last.has({ id: old }) || own.has(roleId(role)) || there.has(held)) return [];
    return [`${privilege.toLowerCase()} on ${label({ schema, name })} of ${role}`];
  });
}

type Objects<T extends StateObject> = ReadonlyMap<string, T>;

/**
 * Returns whether a change counts as a difference. Two kinds of changes do not count: an object that is created again
 * only because it depends on another changed object, and a changed comment about the position in the YAML.
 */
function differs(
  { action, id }: Change,
  desiredById: Objects<StateObject>,
  there: Objects<StateObject>,
): boolean {
  if (action !== 'replace') return action !== 'annotate';
  return desiredById.get(id)?.definition !== there.get(id)?.definition;
}

/** Drift is also an object of a table that became a partition, or an inheriting table, after the last apply. */
function isDrift(
  { id }: Change,
  desiredById: Objects<DesiredObject>,
  there: Objects<StateObject>,
  last: AppliedObjects,
): boolean {
  const now = there.get(id);
  if (now) return !last.hasAsIs(now);
  const impliedBy = desiredById.get(id)?.impliedBy;
  return last.has({ id }) || (impliedBy !== undefined && last.has({ id: impliedBy }));
}

/**
 * Returns whether a finding counts as drift. While changes of the metadata are pending, such a finding may concern a
 * role or table that the pending change adds, so it does not count.
 */
function counts({ severity, code }: Diagnostic, current: boolean): boolean {
  return severity === 'error' && (current || !['RG_FOREIGN_ROLE', 'RG_NOT_OWNER'].includes(code));
}

const words = {
  create: 'missing',
  replace: 'altered',
  annotate: 'altered',
  drop: 'added',
} as const;

function differenceOf({ kind, action, label }: Change): Difference {
  const what = words[action];
  if (what !== 'missing') return { kind, what, text: `${label} was ${what}` };
  return { kind, what, text: `${label} is ${kind === 'row security' ? 'off' : 'missing'}` };
}

function heldPrivilege({ label: text }: FoundObject): Difference {
  return { kind: 'copied privilege', what: 'added', text: `${text} is still held` };
}

function lostPrivilege(text: string): Difference {
  return { kind: 'copied privilege', what: 'missing', text: `${text} is missing` };
}

function differenceOfFinding({ code, message, hint }: Diagnostic): Difference {
  const text = `${code} ${message}`;
  return { kind: 'finding', what: 'added', text, ...(hint !== undefined && { hint }) };
}
