import type { BoolExp } from '../../../../permissions/types/expressions.ts';

/** A rule with one small change, as a careless edit of its YAML would make it. */
export interface Mutation {
  readonly what: string;
  readonly expression: BoolExp;
}

/** Returns every rule that differs from a rule by one change. */
export function mutationsOf(expression: BoolExp): readonly Mutation[] {
  return [...ownMutations(expression), ...inner(expression)];
}

/** Changes one part below an expression. */
function inner(expression: BoolExp): readonly Mutation[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items.flatMap((item, index) =>
        mutationsOf(item).map(({ what, expression: changed }) => ({
          what,
          expression: { ...expression, items: expression.items.with(index, changed) },
        })),
      );
    case 'compare':
    case 'isNull':
      return [];
    default:
      return mutationsOf(expression.item).map(({ what, expression: changed }) => ({
        what,
        expression: { ...expression, item: changed },
      }));
  }
}

function ownMutations(expression: BoolExp): readonly Mutation[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return [
        ...expression.items.map((_, index) => ({
          what: `item dropped from ${expression.kind}`,
          expression: { ...expression, items: expression.items.toSpliced(index, 1) },
        })),
        ...(expression.items.length > 1
          ? [{ what: 'and or or swapped', expression: swapped(expression) }]
          : []),
      ];
    case 'not':
      return [{ what: 'negation dropped', expression: expression.item }];
    case 'isNull':
      return [
        { what: 'null test flipped', expression: { ...expression, negated: !expression.negated } },
        dropped(),
      ];
    case 'compare':
      return [...flipped(expression), ...valued(expression), dropped()];
    case 'related':
    case 'exists':
      return [
        { what: 'condition on rows dropped', expression: { ...expression, item: everyRow } },
        { what: 'relationship dropped', expression: everyRow },
      ];
    case 'guarded':
    case 'computedRows':
      return [];
  }
}

const everyRow: BoolExp = { kind: 'and', items: [] };

function dropped(): Mutation {
  return { what: 'condition dropped', expression: everyRow };
}

function swapped({ kind, items }: Extract<BoolExp, { kind: 'and' | 'or' }>): BoolExp {
  return { kind: kind === 'and' ? 'or' : 'and', items };
}

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

const otherSymbols: Readonly<Record<string, readonly string[]>> = {
  '=': ['<>'],
  '<>': ['='],
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
};

function flipped(comparison: Comparison): readonly Mutation[] {
  const { operator, quantifier } = comparison;
  if (quantifier) return [{ what: 'list negated', expression: { kind: 'not', item: comparison } }];
  return (otherSymbols[operator.symbol] ?? []).map((symbol) => ({
    what: 'operator flipped',
    expression: { ...comparison, operator: { ...operator, symbol }, orNull: false },
  }));
}

/** Changes the value, or adds and removes an element of a list. */
function valued(comparison: Comparison): readonly Mutation[] {
  const { operand } = comparison;
  if (operand.kind === 'variable' && !operand.type.element)
    return [
      {
        what: 'variable changed',
        expression: { ...comparison, operand: { ...operand, name: 'other_variable' } },
      },
    ];
  if (operand.kind !== 'literal') return [];
  return otherTexts(operand.text, operand.type.element !== undefined).map((text) => ({
    what: 'value changed',
    expression: { ...comparison, operand: { ...operand, text } },
  }));
}

function otherTexts(text: string, isList: boolean): readonly string[] {
  if (isList) {
    const items = text.slice(1, -1).split(',').filter(Boolean);
    const longer = `{${[...items, '"zz"'].join(',')}}`;
    return items.length > 1 ? [longer, `{${items.slice(1).join(',')}}`] : [longer];
  }
  if (text === 'true' || text === 'false') return [text === 'true' ? 'false' : 'true'];
  if (/^-?\d+$/.test(text)) return [String(BigInt(text) + 1n)];
  return /^[a-z_]+$/.test(text) ? [`${text}_zz`] : [];
}
