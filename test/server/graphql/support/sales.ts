/** Schema and metadata of sellers and sales. The role `clerk` sees only paid sales, without the column `cost`. */
export const schema = `
create table seller (id int primary key, name text not null);
create table sale (
  id int primary key,
  seller_id int references seller,
  price float8,
  tax float8,
  cost float8,
  paid boolean,
  day date not null
);
create index on sale (day, id desc);
create index on sale (paid);
insert into seller values (1, 'Ada'), (2, 'Bob'), (3, 'Cy');
insert into sale values
  (1, 1, 10, 1, 5, true, '2026-01-01'), (2, 1, 20, 2, 5, true, '2026-01-01'),
  (3, 1, 30, null, 5, false, '2026-01-02'), (4, 2, 5, 1, 5, true, '2026-01-02'),
  (5, 2, null, 1, 5, null, '2026-01-02'), (6, 2, 5, 4, 5, true, '2026-01-03');`;

export const metadata = {
  'roles.yaml': `
roles:
  clerk: { group: Test, purpose: sees what was paid }
  viewer: { group: Test, purpose: aggregates nothing }
  counter: { group: Test, purpose: counts sales without seeing them }
  limited: { group: Test, purpose: sees one sale at a time }
`,
  'tables/seller.yaml': `
table: seller
permissions:
  clerk: { select: { filter: {}, columns: '*', allow_aggregations: true } }
  viewer: { select: { filter: {}, columns: '*', allow_aggregations: true } }
  counter: { select: { filter: {}, columns: '*' } }
  limited: { select: { filter: {}, columns: '*' } }
`,
  'tables/sale.yaml': `
table: sale
permissions:
  clerk:
    select:
      filter: { paid: true }
      columns: [id, seller_id, price, tax, paid, day]
      allow_aggregations: true
  viewer: { select: { filter: {}, columns: '*' } }
  counter: { select: { filter: {}, columns: [], allow_aggregations: true } }
  limited: { select: { filter: {}, columns: [id], allow_aggregations: true, limit: 1 } }
`,
};
