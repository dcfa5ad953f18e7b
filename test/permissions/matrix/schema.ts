import type { MetadataFiles } from '../support/metadata-files.ts';

/** A shop with two tenants' tables, for tests of descriptions and of the matrix. */
export const shopSchema = `
create table shop (id int primary key, name text not null, closed_at timestamptz);
create table staff (shop_id int not null references shop, person uuid not null, primary key (shop_id, person));
create table item (
  id int primary key, shop_id int not null references shop, other_shop_id int references shop, name text not null,
  price numeric not null, state text, tags text[] not null, data jsonb not null, sold_at timestamptz);
create schema "od,d";
create table "od,d"."=x|<b>" (id int primary key, "a,""b" text, "=f" int);`;

/** Returns metadata in which the role `reader` selects items by a filter. */
export function itemsBy(filter: string): MetadataFiles {
  return {
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/shop.yaml': 'table: shop\n',
    'tables/staff.yaml': 'table: staff\n',
    'tables/item.yaml': `table: item\npermissions: { reader: { select: { filter: ${filter}, columns: [id] } } }\n`,
  };
}

const selects = (role: string, columns: string, filter: string) =>
  `  ${role}: { select: { filter: ${filter}, columns: ${columns} } }\n`;

/** Own rules, one inheriting role with two parents, presets, checks, limits and names that are hard to print. */
export const shopRules: MetadataFiles = {
  'roles.yaml': `roles:
  owner: {}
  clerk: {}
  buyer: {}
  both: { inherits: [clerk, buyer] }
  idle: {}
`,
  'tables/shop.yaml': 'table: shop\n',
  'tables/staff.yaml': 'table: staff\n',
  'tables/item.yaml': `table: item
permissions:
  owner:
    select: { filter: {}, columns: '*', allow_aggregations: true, limit: 50 }
    insert: { check: { price: { _gt: 0 } }, columns: [id, name, price, tags, data], set: { shop_id: X-Gql-Shop-Id }, backend_only: true }
    update: { filter: { sold_at: { _is_null: true } }, check: { price: { _gte: 1 } }, columns: [price] }
    delete: { filter: { state: { _eq: draft } } }
${selects('clerk', '[id, name, price]', '{ shop_id: { _eq: X-Gql-Shop-Id } }')}${selects('buyer', '[id, name, state]', '{ state: { _eq: open } }')}`,
  'tables/odd.yaml': `table: { schema: "od,d", name: "=x|<b>" }
permissions:
  owner: { select: { filter: { "a,\\"b": { _eq: "=1+1" } }, columns: '*' }, insert: { check: {}, columns: [id], set: { "=f": 1 } } }
`,
};
