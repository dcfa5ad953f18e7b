import type { Diagnostic } from '../diagnostics.ts';
import { copiedId } from '../objects/privileges/copied-privilege.ts';
import { roleId } from '../objects/roles/role.ts';
import type { AppliedObjects } from '../objects/state/applied-objects.ts';
import {
  type FoundObject,
  label,
  type StateKind,
  type StateObject,
} from '../objects/state/state-object.ts';
import type { ViewText } from '../objects/state/view-texts.ts';
import type { Change } from '../plan/make-plan.ts';
import type { Prepared } from '../plan/prepare.ts';

/** A database object that is not in the state in which apply left it. */
export interface Difference {
  /** `finding`: a foreign object that opens a way around the rules. */
  readonly kind: StateKind | 'finding';
  readonly what: 'missing' | 'altered' | 'added';
  /** One sentence without a full stop, e.g. `policy rowgate/investor/select on public.fund was altered`. */
  readonly text: string;
  /** A further instruction, for differences that apply alone does not repair. */
  readonly hint?: string;
}

/** Changes made to the database without Rowgate, and changes in the metadata that are not applied yet. */
export interface Drift {
  /** Whether metadata was ever applied. */
  readonly applied: boolean;
  /** Whether the metadata equals the metadata of the last apply. */
  readonly current: boolean;
  readonly differences: readonly Difference[];
  /** Number of changes in the metadata that are not applied yet; 0 when the metadata is current. */
  readonly pending: number;
  /**
   * Labels of managed views, and of views below them, whose text has changed since their rules were applied, e.g. `view
   * public.mine`. Migrations may replace views, and the rules hold for the new rows. So this is a warning, not a
   * difference.
   */
  readonly replaced: readonly string[];
  /** Databases that this one was copied from, whose roles still hold privileges here. */
  readonly copiedFrom: readonly string[];
}

/**
 * Divides the changes of a plan into drift and pending changes. An object that differs from the last apply is drift. An
 * object that equals the last apply, but not the metadata, is pending.
 */
export function findDrift(
  prepared: Prepared,
  findings: readonly Diagnostic[],
  last: AppliedObjects,
  views: readonly ViewText[],
): Drift {
  const { desired, found, plan, roles } = prepared;
  const applied = last.size > 0;
  const there = new Map(found.map((one) => [one.id, one]));
  const desiredById = new Map(desired.map((one) => [one.id, one]));
  const changes = plan.changes.filter(
    (change) => change.kind !== 'copied privilege' && differs(change, desiredById, there),
  );
  const drifted = applied ? changes.filter((change) => isDrift(change, there, last)) : [];
  const pending = changes.length - drifted.length;
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
 * Finds privileges that the last apply gave to roles of other names, and that are gone: a restore without privileges
 * lacks them all. Only ids of what was applied are known, so the ids of what is wanted are translated to the old names.
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
 * Objects that are created again only because they depend on another object do not count, and neither do comments about
 * places in the YAML.
 */
function differs(
  { action, id }: Change,
  desiredById: Objects<StateObject>,
  there: Objects<StateObject>,
): boolean {
  if (action !== 'replace') return action !== 'annotate';
  return desiredById.get(id)?.definition !== there.get(id)?.definition;
}

function isDrift({ id }: Change, there: Objects<StateObject>, last: AppliedObjects): boolean {
  const now = there.get(id);
  return now ? !last.hasAsIs(now) : last.has({ id });
}

/** While the metadata has pending changes, roles and tables that it adds may still belong to others. */
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
