import type { BoolExp, Operand } from '../../types/expressions.ts';
import type { Model, TablePermissions } from '../../types/model.ts';
import type { TypeName } from '../../types/names.ts';
import type { Preset, Reference } from '../../types/rules.ts';

/**
 * Returns a model whose rules read a fixed time instead of the start of the transaction. Defaults and triggers of the
 * database still read the clock.
 */
export function pinnedModel(model: Model, now: string): Model {
  const pin = (operand: Operand) => pinned(operand, now);
  const roles = [...model.roles].map(([name, role]) => {
    const tables = [...role.tables].map(([key, rules]) => [key, withOperands(rules, pin)] as const);
    return [name, { ...role, tables: new Map(tables) }] as const;
  });
  return { ...model, roles: new Map(roles) };
}

function pinned(operand: Operand, now: string): Operand {
  if (operand.kind === 'array') {
    return { ...operand, items: operand.items.map((item) => pinned(item, now)) };
  }
  if (operand.kind !== 'now') return operand;
  return { kind: 'literal', text: textAs(operand.type, now), type: operand.type };
}

/** Returns the part of a time in UTC that a type holds. */
function textAs({ name }: TypeName, now: string): string {
  const [date = '', time = ''] = now.replace(/Z$/, '').split('T');
  if (name === 'date') return date;
  if (name === 'time') return time;
  if (name === 'timetz') return `${time}+00`;
  return name === 'timestamp' ? `${date} ${time}` : now;
}

function withOperands(
  rules: TablePermissions,
  change: (one: Operand) => Operand,
): TablePermissions {
  const { select, insert, update, delete: remove } = rules;
  const inExpression = (item: BoolExp) => mapOperands(item, change);
  const inMasks = (masks: ReadonlyMap<string, BoolExp>) =>
    new Map([...masks].map(([name, mask]) => [name, inExpression(mask)] as const));
  const inReferences = (references: readonly Reference[]) =>
    references.map((one) => ({ ...one, filter: one.filter && inExpression(one.filter) }));
  const inPresets = (presets: readonly Preset[]) =>
    presets.map((preset) => ({ ...preset, value: change(preset.value) }));
  return {
    ...rules,
    select: select && {
      ...select,
      filter: inExpression(select.filter),
      columnMasks: inMasks(select.columnMasks),
      fieldMasks: inMasks(select.fieldMasks),
    },
    insert: insert && {
      ...insert,
      check: inExpression(insert.check),
      references: inReferences(insert.references),
      presets: inPresets(insert.presets),
    },
    update: update && {
      ...update,
      filter: inExpression(update.filter),
      check: update.check && inExpression(update.check),
      references: inReferences(update.references),
      presets: inPresets(update.presets),
    },
    delete: remove && { ...remove, filter: inExpression(remove.filter) },
  };
}

function mapOperands(expression: BoolExp, change: (one: Operand) => Operand): BoolExp {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, items: expression.items.map((item) => mapOperands(item, change)) };
    case 'not':
    case 'guarded':
    case 'related':
    case 'exists':
    case 'computedRows':
      return { ...expression, item: mapOperands(expression.item, change) };
    case 'compare':
      return { ...expression, operand: change(expression.operand) };
    case 'isNull':
      return expression;
  }
}
