import { listed } from '../../text/listed.ts';
import type { ReportedChange } from '../report.ts';

/** A change that stands for several roles. */
export interface MergedChange extends ReportedChange {
  /** How many further places it stands for. */
  readonly more: number;
}

/**
 * Merges changes that say the same of several roles, in the order of the first ones. Only verbs that have one form for
 * one and for several roles can be merged.
 */
export function mergeAlike(changes: readonly ReportedChange[]): readonly MergedChange[] {
  return [...Map.groupBy(changes, keyOf).values()].flatMap((group): readonly MergedChange[] => {
    const [first] = group;
    if (!first) return [];
    const roles = group.flatMap(({ role }) => role ?? []);
    const rest = first.sentence.slice(first.role?.length ?? 0);
    const sentence = group.length === 1 ? first.sentence : `${listed(roles)}${rest}`;
    return [{ ...first, sentence, more: group.length - 1 }];
  });
}

function keyOf(change: ReportedChange, index: number): string {
  const { role, sentence, aspect, table, command, details, inheritedFrom, inheritedBy, evidence } =
    change;
  const rest = sentence.slice(role?.length ?? 0);
  if (role === undefined || !/^ (may|would) /.test(rest)) return String(index);
  const place = [aspect, table, command];
  return JSON.stringify([rest, place, details, inheritedFrom, inheritedBy, evidence]);
}
