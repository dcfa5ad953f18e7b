import type { RootField } from '../../metadata/schemas/tables/graphql-names.ts';

/** Returns the default names of a table's root fields, from the GraphQL name of the table. */
export function rootFieldsOf(name: string): Readonly<Record<RootField, string>> {
  return {
    select: name,
    select_by_pk: `${name}_by_pk`,
    select_aggregate: `${name}_aggregate`,
    select_stream: `${name}_stream`,
    insert: `insert_${name}`,
    insert_one: `insert_${name}_one`,
    update: `update_${name}`,
    update_by_pk: `update_${name}_by_pk`,
    update_many: `update_${name}_many`,
    delete: `delete_${name}`,
    delete_by_pk: `delete_${name}_by_pk`,
  };
}

/** Returns the default descriptions of a table's root fields. */
export function describeRootFields(table: string): Readonly<Record<RootField, string>> {
  const of = `the table: "${table}"`;
  return {
    select: `fetch data from ${of}`,
    select_by_pk: `fetch data from ${of} using primary key columns`,
    select_aggregate: `fetch aggregated fields from ${of}`,
    select_stream: `fetch data from the table in a streaming manner: "${table}"`,
    insert: `insert data into ${of}`,
    insert_one: `insert a single row into ${of}`,
    update: `update data of ${of}`,
    update_by_pk: `update single row of ${of}`,
    update_many: `update multiples rows of table: "${table}"`,
    delete: `delete data from ${of}`,
    delete_by_pk: `delete single row from ${of}`,
  };
}
