import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StockEngines, startStockEngines } from './support/stock-engines.ts';

const metadata = {
  'roles.yaml': 'roles: { clerk: { purpose: reads accounts } }\n',
  'tables/account.yaml': `table: { schema: app, name: account }
permissions: { clerk: { select: { filter: {}, columns: '*' } } }
`,
  'tables/login.yaml': `table: { schema: app, name: login }
permissions: { clerk: { select: { filter: {}, columns: '*' } } }
`,
};

const schemaOf = (home: string) => `
create schema app;
create schema if not exists ${home};
drop extension if exists citext cascade;
create extension citext schema ${home};
create table app.account (email ${home}.citext primary key, name text not null);
create table app.login (id int primary key, email ${home}.citext not null references app.account);
insert into app.account values ('Ada@One.example', 'Ada');
insert into app.login values (1, 'ADA@one.example');`;

describe.each(['extensions', 'public'])(
  "in PostGraphile's dialect, types of Postgres extensions (such as citext) installed in schema %s",
  (home) => {
    let stock: StockEngines;
    beforeAll(async () => {
      stock = await startStockEngines({ schema: schemaOf(home), metadata });
    });
    afterAll(() => stock.stop());

    test.each([
      ['find a row by a key', '{ found: accountByEmail(email: "ada@ONE.example") { name } }'],
      [
        'are compared in conditions',
        '{ found: allAccounts(condition: {email: "ada@ONE.example"}) { nodes { name } } }',
      ],
      ['work as foreign keys', '{ found: allLogins { nodes { accountByEmail { name } } } }'],
    ])('%s even if all tables are in another schema', async (_what, query) => {
      const data = (await stock.run('clerk', query)) as { readonly found: unknown };
      expect(JSON.stringify(data)).toContain('"Ada"');
    });
  },
);
