import type { ApplyRecord } from '../../apply/history/apply-history.ts';
import { shown } from '../../text/characters.ts';

/** Formats records for a terminal: a line about each, and below it the words or the error. */
export function historyText(records: readonly ApplyRecord[]): readonly string[] {
  if (records.length === 0) return ['no apply has been recorded yet'];
  return records.flatMap((record) => [
    shown(headline(record)),
    ...detailsOf(record).map((line) => shown(`    ${line}`)),
  ]);
}

function headline({ id, endedAt, login, actor, revision, plan, error }: ApplyRecord): string {
  const by = actor === null ? login : `${actor} (${login})`;
  const from =
    revision === null ? '' : `, commit ${revision.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1')}`;
  const outcome =
    error === null ? `${plan.length} ${plan.length === 1 ? 'change' : 'changes'}` : 'failed';
  return `${id}  ${endedAt}  ${by}${from}: ${outcome}`;
}

function detailsOf({ words, error }: ApplyRecord): readonly string[] {
  return error === null ? words : error.split('\n');
}
