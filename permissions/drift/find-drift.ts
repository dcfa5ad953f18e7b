import type { Prepared } from '../apply/prepare.ts';
import { stateId } from '../compile/desired.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Change } from '../plan/make-plan.ts';
import { stateIn } from '../state/installation.ts';
import type { FoundObject, StateKind, StateObject } from '../state/types.ts';

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
}

/**
 * Tells drift from pending changes. Where the metadata asks for what was applied last, everything that
 * differs was changed by somebody else. Where it does not, only what no apply leaves behind is drift for
 * certain: broken seals, privileges of PUBLIC, row security gone from under policies, and the like.
 */
export function findDrift(prepared: Prepared, findings: readonly Diagnostic[]): Drift {
  const { installation, desired, plan } = prepared;
  const applied = installation.fingerprint !== null;
  const wanted = desired.find((one) => one.kind === 'fingerprint');
  const current =
    applied && wanted !== undefined && stateIn(wanted.definition) === installation.state;
  const index = indexOf(prepared);
  const changes = plan.changes.filter((change) => differs(change, index));
  const certain = current ? changes : changes.filter((change) => isTampered(change, index));
  return {
    applied,
    current,
    differences: [
      ...certain.map(differenceOf),
      ...findings.filter((one) => counts(one, current)).map(differenceOfFinding),
    ],
    pending: changes.length - certain.length,
  };
}

interface Index {
  readonly wanted: ReadonlyMap<string, StateObject>;
  readonly there: ReadonlyMap<string, FoundObject>;
  /** Ids of row security on tables that have a policy of ours. */
  readonly guarded: ReadonlySet<string>;
}

function indexOf({ desired, found }: Prepared): Index {
  const policies = found.filter((one) => one.kind === 'policy');
  const guarded = policies.map(({ id }) => {
    const [, schema = '', name = ''] = JSON.parse(id) as readonly string[];
    return stateId.rowSecurity({ schema, name });
  });
  return {
    wanted: new Map(desired.map((one) => [one.id, one])),
    there: new Map(found.map((one) => [one.id, one])),
    guarded: new Set(guarded),
  };
}

/** What is made anew only because of something else, and comments about places, are no differences. */
function differs({ action, id }: Change, { wanted, there }: Index): boolean {
  if (action !== 'replace') return action !== 'annotate';
  return wanted.get(id)?.definition !== there.get(id)?.definition;
}

function isTampered({ action, id }: Change, { there, guarded }: Index): boolean {
  return there.get(id)?.tampered === true || (action === 'create' && guarded.has(id));
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
