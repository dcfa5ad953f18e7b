import type { Diagnostic } from '../diagnostics.ts';
import type { AppliedObjects } from '../objects/state/applied-objects.ts';
import type { StateKind, StateObject } from '../objects/state/state-object.ts';
import type { ViewText } from '../objects/state/view-texts.ts';
import type { Change } from '../plan/make-plan.ts';
import type { Prepared } from '../plan/prepare.ts';

/** One thing of the database that is not as apply left it. */
export interface Difference {
  /** `finding`: something of others that gets around the rules. */
  readonly kind: StateKind | 'finding';
  readonly what: 'missing' | 'altered' | 'added';
  /** One sentence without a final full stop, e.g. `policy rowgate/investor/select on public.fund was altered`. */
  readonly text: string;
  /** Where apply alone does not put it right. */
  readonly hint?: string;
}

/** What somebody did to the database behind Rowgate's back, and what the metadata asks for that was not applied yet. */
export interface Drift {
  /** Whether anything was ever applied. */
  readonly applied: boolean;
  /** Whether the metadata asks for exactly what was applied last. */
  readonly current: boolean;
  readonly differences: readonly Difference[];
  /** How many more changes the metadata asks for; 0 where it is current. */
  readonly pending: number;
  /**
   * Views of the metadata, and below those, that show something else than when their rules were applied, e.g. `view
   * public.mine`. Migrations replace views, and rules hold for what these show now: no difference, but worth a look.
   */
  readonly replaced: readonly string[];
}

/**
 * Tells drift from pending changes, thing by thing: what is no longer as the last apply left it was changed by
 * somebody else; what still is, though the metadata wants it otherwise, is pending.
 */
export function findDrift(
  { desired, found, plan }: Prepared,
  findings: readonly Diagnostic[],
  last: AppliedObjects,
  views: readonly ViewText[],
): Drift {
  const applied = last.size > 0;
  const there = new Map(found.map((one) => [one.id, one]));
  const wanted = new Map(desired.map((one) => [one.id, one]));
  const changes = plan.changes.filter((change) => differs(change, wanted, there));
  const drifted = applied ? changes.filter((change) => isDrift(change, there, last)) : [];
  const pending = changes.length - drifted.length;
  const current = applied && pending === 0;
  return {
    applied,
    current,
    differences: [
      ...drifted.map(differenceOf),
      ...findings.filter((one) => counts(one, current)).map(differenceOfFinding),
    ],
    pending,
    replaced: views.filter((one) => last.has(one) && !last.hasAsIs(one)).map(({ label }) => label),
  };
}

type Objects<T extends StateObject> = ReadonlyMap<string, T>;

/** What is made anew only because of something else, and comments about places, are no differences. */
function differs(
  { action, id }: Change,
  wanted: Objects<StateObject>,
  there: Objects<StateObject>,
): boolean {
  if (action !== 'replace') return action !== 'annotate';
  return wanted.get(id)?.definition !== there.get(id)?.definition;
}

function isDrift({ id }: Change, there: Objects<StateObject>, last: AppliedObjects): boolean {
  const now = there.get(id);
  return now ? !last.hasAsIs(now) : last.has({ id });
}

/** While the metadata is another, roles and tables that it names anew may still be somebody else's. */
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

function differenceOfFinding({ code, message, hint }: Diagnostic): Difference {
  const text = `${code} ${message}`;
  return { kind: 'finding', what: 'added', text, ...(hint !== undefined && { hint }) };
}
