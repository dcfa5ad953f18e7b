import type { RootField } from './types.ts';

/** What the root fields of a table are called that names none of them itself. */
export function rootFieldsOf(name: string): Readonly<Record<RootField, string>> {
  return {
    select: name,
    select_by_pk: `${name}_by_pk`,
    select_aggregate: `${name}_aggregate`,
    insert: `insert_${name}`,
    insert_one: `insert_${name}_one`,
    update: `update_${name}`,
    update_by_pk: `update_${name}_by_pk`,
    update_many: `update_${name}_many`,
    delete: `delete_${name}`,
    delete_by_pk: `delete_${name}_by_pk`,
  };
}
