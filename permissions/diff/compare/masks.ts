import { meaningOf, passesEveryRow } from '../../expressions/combine.ts';
import { listed } from '../../text/listed.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { Change } from '../change.ts';
import type { RowVerdict } from '../rows/row-comparison.ts';
import { changedConditions } from '../words/changed-conditions.ts';
import { conditionWords } from '../words/condition-words.ts';
import { type RolePair, ruleChange } from './scope.ts';

/**
 * Compares in which rows a role sees each column. Only roles that inherit from several roles see a column in some rows
 * and not in others. Columns with equal conditions share one change.
 */
export function compareMasks(pair: RolePair): readonly Change[] {
  const [before, after] = [pair.before?.select, pair.after?.select];
  if (!before || !after) return [];
  if ([before, after].every((rule) => rule.columnMasks.size + rule.fieldMasks.size === 0))
    return [];
  const rowsAlone = meaningOf([before.filter, after.filter]);
  return (['columns', 'computedFields'] as const).flatMap((kind) => {
    const groups = Map.groupBy(
      after[kind].filter((name) => before[kind].includes(name)),
      (name) => meaningOf([shownIn(before, name), shownIn(after, name)]),
    );
    // Columns that change as the rows do are a part of the change of the rows.
    groups.delete(rowsAlone);
    return [...groups.values()].flatMap((names) =>
      compareShown(pair, { kind, names }, before, after),
    );
  });
}

/** Returns the condition on the rows in which a column or a computed field can be seen. */
function shownIn(rule: SelectRule, column: string): BoolExp {
  return rule.columnMasks.get(column) ?? rule.fieldMasks.get(column) ?? rule.filter;
}

function compareShown(
  pair: RolePair,
  { kind, names }: { readonly kind: keyof typeof nouns; readonly names: readonly string[] },
  before: SelectRule,
  after: SelectRule,
): readonly Change[] {
  const [first = ''] = names;
  const [old, now] = [shownIn(before, first), shownIn(after, first)];
  if (meaningOf(old) === meaningOf(now)) return [];
  const { scope, key, table } = pair;
  const { headerPrefix } = scope.after.model;
  const found = scope.compare({ table: key, expression: old }, { table: key, expression: now });
  const { verdict, reason } = found;
  if (verdict === 'same') return [];
  const models = { before: scope.before.model, after: scope.after.model };
  const words = passesEveryRow(now)
    ? 'in every row that it sees'
    : `in rows where ${conditionWords(now, headerPrefix)}`;
  const columns = `the ${nouns[kind]}${names.length === 1 ? '' : 's'} ${listed(names)} of ${table}`;
  return [
    ruleChange(pair, {
      ...{ class: classes[verdict], aspect: 'masks', command: 'select' },
      says: `would see ${columns} in ${phrases[verdict]} rows than before`,
      details: [
        `now shown ${words}`,
        ...(reason ? [`because ${reason}`] : []),
        ...changedConditions({ before: old, after: now }, models),
      ],
      // Only an undecided change needs its verdict beside its class.
      ...(verdict === 'undecided' && {
        rows: {
          ...{ ...found, table: key, before: old, after: now },
          beforeText: conditionWords(old, scope.before.model.headerPrefix),
          afterText: conditionWords(now, headerPrefix),
        },
      }),
    }),
  ];
}

const nouns = { columns: 'column', computedFields: 'computed field' } as const;

const classes = {
  ...{ wider: 'dangerous', crossed: 'dangerous', undecided: 'review' },
  ...{ narrower: 'breaking', same: 'safe' },
} as const satisfies Record<RowVerdict, Change['class']>;

const phrases: Readonly<Record<RowVerdict, string>> = {
  ...{ wider: 'more', crossed: 'more and in fewer', narrower: 'fewer' },
  ...{ undecided: 'possibly other', same: 'the same' },
};
