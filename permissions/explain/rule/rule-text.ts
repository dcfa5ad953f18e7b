import { entryWords } from '../../matrix/output/entry-words.ts';
import { shown } from '../../text/characters.ts';
import type { RuleExplanation } from './explain-rule.ts';

/** Formats an explanation for a terminal: place, words, and the SQL of each object. */
export function ruleText({ position, entry, objects }: RuleExplanation): readonly string[] {
  return [
    shown(`${position.file}:${position.line}:${position.column}`),
    shown(`${entry.role} may ${entry.operation} ${entry.table}:`),
    ...entryWords(entry).map((words) => shown(`  ${words}`)),
    ...objects.flatMap(({ label, sql }) => [
      '',
      shown(`-- ${label}`),
      ...sql.split('\n').map(shown),
    ]),
  ];
}
