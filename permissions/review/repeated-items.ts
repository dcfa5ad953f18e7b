import type { Report } from '../diagnostics.ts';
import type { RawPermissions } from '../metadata/schemas/tables/table-rules.ts';
import type { RawName } from '../metadata/yaml/node.ts';
import type { LoadedModel } from '../model/load-model.ts';

/** A name that stands in a list a second time. */
export interface RepeatedItem {
  readonly item: RawName;
  /** The list in words, e.g. `the columns of member on public.doc`. */
  readonly list: string;
}

/** Returns the names that stand twice in the lists of roles, columns and computed fields, where order has no meaning. */
export function findRepeatedItems({
  raw: { roles, tables },
}: LoadedModel): readonly RepeatedItem[] {
  return [
    ...roles.flatMap(({ name, requires, inherits }) => [
      ...repeatedIn(requires, `the variables that ${name} requires`),
      ...repeatedIn(inherits, `the roles that ${name} inherits from`),
    ]),
    ...tables.flatMap(({ schema, name, permissions, withoutRelationships }) => [
      ...permissions.flatMap((rules) => repeatedInRules(rules, `${schema}.${name}`)),
      ...repeatedIn(withoutRelationships, `the left out relationships of ${schema}.${name}`),
    ]),
  ];
}

function repeatedInRules(rules: RawPermissions, table: string): readonly RepeatedItem[] {
  const { role, select, insert, update } = rules;
  const lists = [
    ['select columns', select?.columns],
    ['computed fields', select?.computedFields],
    ['insert columns', insert?.columns],
    ['update columns', update?.columns],
  ] as const;
  return lists.flatMap(([what, list]) =>
    list?.kind === 'list' ? repeatedIn(list.names, `the ${what} of ${role.name} on ${table}`) : [],
  );
}

function repeatedIn(names: readonly RawName[], list: string): readonly RepeatedItem[] {
  const seen = new Set<string>();
  return names.flatMap((item) => {
    if (seen.has(item.name)) return [{ item, list }];
    seen.add(item.name);
    return [];
  });
}

export function repeatedItems(loaded: LoadedModel, report: Report): void {
  for (const { item, list } of findRepeatedItems(loaded))
    report.notice(
      'RG_REPEATED_ITEM',
      item.position,
      `${list} hold "${item.name}" twice`,
      'remove the second one, or run rowgate check --fix',
    );
}
