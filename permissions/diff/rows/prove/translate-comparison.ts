import { parseArray } from '../../../expressions/literals.ts';
import type { BoolExp, Operand } from '../../../types/expressions.ts';
import type { TypeName } from '../../../types/names.ts';
import type { Formula, LikeTest, Term } from './formula.ts';
import { collationOf, type Frame, referenceKey, subjectsOf, type Translation } from './frame.ts';
import { collatedTerm, constantTerm, isSameCollation, relationsFor, valueTerm } from './terms.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

export function comparisonFormula(
  comparison: Comparison,
  frame: Frame,
  scope: Translation,
): Formula {
  const { quantifier, orNull, ...single } = comparison;
  const test = quantifier
    ? quantified(comparison, quantifier, frame, scope)
    : singleFormula({ ...single, orNull }, frame, scope);
  const [subject] = orNull ? subjectsOf(comparison.column, frame, scope) : [];
  return subject ? { kind: 'or', items: [test, { kind: 'isNull', subject }] } : test;
}

/** `= any` is true for one of the elements, and `<> all` is its opposite. */
function quantified(
  comparison: Comparison,
  quantifier: 'any' | 'all',
  frame: Frame,
  scope: Translation,
): Formula {
  const { quantifier: _, operator, operand, ...rest } = comparison;
  const isMembership = operator.symbol === (quantifier === 'any' ? '=' : '<>');
  const elements = elementsOf(operand);
  if (!isMembership || !elements || !isBuiltin(comparison)) return unread(comparison, frame, scope);
  const items = elements.map(
    (element): Formula =>
      element === null
        ? { kind: 'unknown' }
        : singleFormula(
            { ...rest, operator: { ...operator, symbol: '=' }, operand: element },
            frame,
            scope,
          ),
  );
  const among: Formula = { kind: 'or', items };
  return quantifier === 'any' ? among : { kind: 'not', item: among };
}

/** Returns the elements of an array operand, null for a null; undefined if they are not known. */
function elementsOf(operand: Operand): readonly (Operand | null)[] | undefined {
  if (operand.kind === 'array') return operand.items;
  const { element } = operand.kind === 'literal' ? operand.type : {};
  if (operand.kind !== 'literal' || !element) return undefined;
  return parseArray(operand.text)?.map((text) =>
    text === null ? null : { kind: 'literal', text, type: element },
  );
}

/**
 * A comparison about which only its own text is known. For a variable array, it is still the opposite of its negation,
 * and never true if the column is null. An empty array makes it false even then.
 */
function unread(comparison: Comparison, frame: Frame, scope: Translation): Formula {
  const { operator, quantifier, operand } = comparison;
  const isNegated = quantifier === 'all' && operator.symbol === '<>' && isBuiltin(comparison);
  const [word, symbol] = isNegated ? ['any', '='] : [quantifier ?? '', operator.symbol];
  const left = leftKey(comparison, frame);
  const key = JSON.stringify([left, operator.schema, symbol, word, operandKey(operand, frame)]);
  const free: Formula = { kind: 'free', key };
  const present = subjectsOf(comparison.column, frame, scope).map((subject): Formula => {
    const isNull: Formula = { kind: 'isNull', subject };
    return { kind: 'or', items: [{ kind: 'not', item: isNull }, { kind: 'unknown' }] };
  });
  const isMembership = quantifier !== undefined && symbol === '=' && word === 'any';
  const test: Formula = isMembership ? { kind: 'and', items: [free, ...present] } : free;
  return isNegated ? { kind: 'not', item: test } : test;
}

/** Operators that are true exactly if another one is false. */
const opposites: Readonly<Record<string, string>> = {
  '!~~': '~~',
  '!~~*': '~~*',
  '!~': '~',
  '!~*': '~*',
};

function singleFormula(comparison: Comparison, frame: Frame, scope: Translation): Formula {
  if (!isBuiltin(comparison)) return unread(comparison, frame, scope);
  const { operator, operand, pattern = '' } = comparison;
  const [left, right] = termsOf(comparison, frame, scope);
  const subjects = [
    ...subjectsOf(comparison.column, frame, scope),
    ...(operand.kind === 'column' ? subjectsOf(operand.reference, frame, scope) : []),
  ];
  const relations = relationsFor(operator.symbol);
  if (relations !== undefined && left && right && left.family === right.family)
    return { kind: 'order', subjects, left, right, relations };
  const opposite = Object.hasOwn(opposites, operator.symbol)
    ? opposites[operator.symbol]
    : undefined;
  const symbol = opposite ?? operator.symbol;
  const key = JSON.stringify([
    ...[leftKey(comparison, frame), symbol],
    ...[pattern, operandKey(operand, frame)],
  ]);
  const like = left && likeTest(symbol, left, comparison, frame, scope);
  const test: Formula = { kind: 'strict', subjects, key, ...(like && { like }) };
  return opposite ? { kind: 'not', item: test } : test;
}

/** Returns the terms of both sides, in the collation of the comparison. */
function termsOf(
  comparison: Comparison,
  frame: Frame,
  scope: Translation,
): readonly [Term | undefined, Term | undefined] {
  const { column, castTo, operand } = comparison;
  const left = valueTerm(leftKey(comparison, frame), comparedType(column.type, castTo, operand));
  const right = operandTerm(operand, frame, castTo);
  const collation = collationOf(column, frame, scope);
  const other = operand.kind === 'column' && collationOf(operand.reference, frame, scope);
  // Columns in different collations have no order in common.
  const isShared = !other || isSameCollation(collation, other);
  return [
    left && collatedTerm(left, collation),
    right && isShared ? collatedTerm(right, collation) : undefined,
  ];
}

/** A column of a domain is compared as the domain's base type, which the operand has. */
function comparedType(column: TypeName, castTo: TypeName | undefined, operand: Operand): TypeName {
  if (castTo) return castTo;
  return operand.kind === 'column' || column.element ? column : operand.type;
}

function likeTest(
  symbol: string,
  text: Term,
  { column, operand }: Comparison,
  frame: Frame,
  { knowledge }: Translation,
): LikeTest | undefined {
  const blindToCase = symbol === '~~*';
  const isLike = symbol === '~~' || blindToCase;
  if (!isLike || operand.kind !== 'literal' || text.type?.name !== 'text') return undefined;
  const mayBeOdd =
    'field' in column || knowledge.hasOddCase(frame[column.scope].table, column.column);
  return blindToCase && mayBeOdd ? undefined : { text, pattern: operand.text, blindToCase };
}

/** Returns whether an operator is one of Postgres, or of the types of its extensions, whose null is only that of null. */
function isBuiltin({ operator, operand }: Comparison): boolean {
  if (operator.schema === 'pg_catalog') return true;
  const type = operand.kind === 'column' ? operand.reference.type : operand.type;
  return ['citext', 'ltree', 'lquery', 'ltxtquery'].includes((type.element ?? type).name);
}

/** Names the left-hand side. The cast of a varchar to text leaves its value as it is. */
function leftKey({ column, castTo }: Comparison, frame: Frame): string {
  return withCast(referenceKey(column, frame), column.type, castTo);
}

function withCast(key: string, { name }: TypeName, castTo: TypeName | undefined): string {
  const isText = name === 'text' || name === 'varchar';
  return !castTo || (isText && castTo.name === 'text')
    ? key
    : JSON.stringify([key, 'as', castTo.name]);
}

function operandTerm(
  operand: Operand,
  frame: Frame,
  castTo: TypeName | undefined,
): Term | undefined {
  switch (operand.kind) {
    case 'literal':
      return constantTerm(operand.text, operand.type);
    case 'column': {
      const { type } = operand.reference;
      return valueTerm(operandKey(operand, frame, castTo), castTo ?? type);
    }
    default:
      return valueTerm(operandKey(operand, frame), operand.type);
  }
}

/** Names an operand. Operands with the same name and type have the same value. */
function operandKey(operand: Operand, frame: Frame, castTo?: TypeName): string {
  switch (operand.kind) {
    case 'literal':
      return `=${operand.text}`;
    case 'variable':
      return `$${operand.name}`;
    case 'now':
      return `now as ${operand.type.name}`;
    case 'column':
      return withCast(referenceKey(operand.reference, frame), operand.reference.type, castTo);
    case 'array':
      return JSON.stringify(operand.items.map((item) => operandKey(item, frame)));
  }
}
