import { shown } from '../../text/characters.ts';
import type { EvaluatedCondition } from './evaluate.ts';
import type { AccessExplanation } from './explain-access.ts';

const marks = { true: '+', false: '-', unknown: '?' } as const;

/** Formats an explanation for a terminal: the outcome, its reasons, and every condition with its result and values. */
export function accessText(explanation: AccessExplanation): readonly string[] {
  const { reasons, rule, conditions } = explanation;
  const [outcome = '', ...others] = reasons;
  return [
    shown(outcome),
    ...others.map((reason) => shown(`  ${reason}`)),
    ...(rule ? [shown(`rule at ${rule.position.file}:${rule.position.line}: ${rule.rows}`)] : []),
    ...conditions.flatMap(({ part, column, condition }) => [
      shown(column === undefined ? `${part}:` : `${part} ${column}:`),
      ...conditionLines(condition, 1),
    ]),
    ...(conditions.length > 0 ? ['+ true, - false, ? unknown because of a null'] : []),
  ];
}

function conditionLines(
  { words, result, values, missing, items }: EvaluatedCondition,
  depth: number,
): readonly string[] {
  const facts = [
    ...Object.entries(values).map(
      ([name, value]) => `${name} = ${value === null ? 'null' : JSON.stringify(value)}`,
    ),
    ...missing.map((header) => `${header} is missing`),
  ];
  const mark = missing.length > 0 ? marks.false : marks[result];
  const end = facts.length > 0 ? ` [${facts.join(', ')}]` : '';
  return [
    shown(`${'  '.repeat(depth)}${mark} ${words}${end}`),
    ...items.flatMap((item) => conditionLines(item, depth + 1)),
  ];
}
