import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table shop (id int primary key, name text not null, closed boolean not null default false);
create table staff (shop_id int not null references shop, person int not null, primary key (shop_id, person));
create table item (id int primary key, shop_id int not null references shop, state text, price numeric not null, cost numeric);
insert into shop values (1, 'Corner', false), (2, 'Market', true);
insert into staff values (1, 7);
insert into item values (10, 1, 'open', 5, 3), (11, 1, null, 5, 3), (20, 2, 'open', 5, 3);
create table noted (id int);
create table logged (shop text not null);
create table member (id int primary key, shop_id int);
insert into member values (1, 1);
create function log_shop() returns trigger language plpgsql security definer as $$ begin
  insert into logged values (nullif(pg_catalog.current_setting('rowgate.session', true), '')::json ->> 'x-gql-shop-id'); return new; end $$;
create trigger log_shop before insert on member for each row execute function log_shop();
create function note() returns trigger language plpgsql security definer set search_path = public as $$ begin insert into noted values (new.id); return new; end $$;
create trigger note before update on item for each row execute function note();`;

const rules = {
  'roles.yaml':
    'roles: { clerk: {}, price: {}, cost: {}, both: { inherits: [price, cost] }, none: {} }\n',
  'tables/shop.yaml': 'table: shop\n',
  'tables/staff.yaml': 'table: staff\n',
  'tables/member.yaml': `table: member
permissions:
  clerk:
    insert: { check: {}, columns: [id], set: { shop_id: X-Gql-Shop-Id } }
    delete: { filter: {} }
  price:
    select: { filter: { shop_id: { _eq: X-Gql-Shop-Id } }, columns: [id] }
    delete: { filter: {} }
`,
  'tables/item.yaml': `table: item
permissions:
  clerk:
    select: { filter: { shop: { closed: { _eq: false }, staffs: { person: { _eq: X-Gql-User-Id } } } }, columns: [id, state, price] }
    insert: { check: { price: { _gt: 0 } }, columns: [id, price], set: { shop_id: X-Gql-Shop-Id } }
    update: { filter: { state: { _neq: sold } }, check: { price: { _gte: 1 } }, columns: [price] }
    delete: { filter: { _or: [{ state: { _eq: draft } }, { price: { _lt: 1 } }] } }
  price: { select: { filter: { shop_id: { _eq: X-Gql-Shop-Id } }, columns: [id, price] } }
  cost: { select: { filter: { state: { _eq: open } }, columns: [id, cost] } }
`,
};

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Runs the command with the words of a text. */
async function explain(words: string) {
  const options = ['--metadata', made.metadata];
  const environment = { DATABASE_URL: made.database.ownerUrl, ROWGATE_ROLE_PREFIX: made.prefix };
  const { code, stdout, stderr } = await runCommand(
    ['explain', 'access', ...words.split(' '), ...options],
    environment,
  );
  return { code, lines: stdout.replaceAll(made.metadata, '…').trimEnd().split('\n'), stderr };
}

const legend = '+ true, - false, ? unknown because of a null';

describe('rowgate explain access', () => {
  test('shows each condition of a visible row, along relationships', async () => {
    const { code, lines } = await explain(
      'clerk item select --key id=10 --variable X-Gql-User-Id=7',
    );
    expect(code).toBe(0);
    const where =
      "shop.closed is false and shop.staffs has a row where person is the caller's X-Gql-User-Id";
    expect(lines).toEqual([
      'role clerk may select this row of public.item',
      `rule at …/tables/item.yaml:4: rows where ${where}`,
      'filter:',
      `  + ${where}`,
      "    + closed is false and staffs has a row where person is the caller's X-Gql-User-Id",
      '      + closed is false [closed = "false"]',
      "      + staffs has a row where person is the caller's X-Gql-User-Id",
      "        + person is the caller's X-Gql-User-Id",
      legend,
    ]);
  });

  test('names the failing condition with its value', async () => {
    const { code, lines } = await explain(
      'clerk item select --key id=20 --variable X-Gql-User-Id=7',
    );
    expect(code).toBe(1);
    expect(lines.slice(0, 2)).toEqual([
      'role clerk may not select this row of public.item',
      '  the filter does not let the row through',
    ]);
    expect(lines).toContain('      - closed is false [closed = "true"]');
  });

  test('names a missing session variable', async () => {
    const { code, lines } = await explain('clerk item select --key id=10');
    expect(code).toBe(1);
    expect(lines[4]).toMatch(/^ {2}- shop\.closed .* \[X-Gql-User-Id is missing\]$/);
  });

  test('shows that a null makes a condition unknown', async () => {
    const { lines } = await explain('clerk item delete --key id=11');
    expect(lines).toContain("    ? state is 'draft' [state = null]");
    expect(lines).toContain('    - price is below 1 [price = "5"]');
  });

  test('names a refused column, and the rows in which a masked one is shown', async () => {
    const refused = await explain(
      'price item select --key id=10 --column cost --variable X-Gql-Shop-Id=1',
    );
    expect(refused.code).toBe(1);
    expect(refused.lines[1]).toBe('  role price may not select the column cost');
    const masked = await explain(
      'both item select --key id=20 --column price --variable X-Gql-Shop-Id=1',
    );
    expect(masked.code).toBe(0);
    expect(masked.lines).toContain('column price:');
    expect(masked.lines).toContain('  - shop_id is the caller\'s X-Gql-Shop-Id [shop_id = "2"]');
  });

  test('tries an update, whose triggers leave nothing behind', async () => {
    const good = await explain(
      'clerk item update --key id=10 --set price=2 --variable X-Gql-User-Id=7',
    );
    expect([good.code, good.lines[0]]).toEqual([
      0,
      'role clerk may update this row of public.item',
    ]);
    const low = await explain(
      'clerk item update --key id=10 --set price=0.5 --variable X-Gql-User-Id=7',
    );
    expect(low.code).toBe(1);
    expect(low.lines).toContain('  the check does not let the row through');
    expect(low.lines).toContain('  - price is at least 1 [price = "0.5"]');
    const { rows } = await made.owner.query(
      'select (select count(*)::int from noted) as noted, price from item where id = 10',
    );
    expect(rows).toEqual([{ noted: 0, price: '5' }]);
  });

  test('runs triggers with the search path and the session of a request', async () => {
    const { code, lines } = await explain(
      'clerk member insert --set id=2 --variable X-Gql-Shop-Id=1',
    );
    expect(lines[0]).toBe('role clerk may insert this row of public.member');
    expect(code).toBe(0);
  });

  test.each(['clerk', 'price'])(
    'says that a statement without conditions reaches a row that %s cannot select',
    async (role) => {
      const { code, lines } = await explain(
        `${role} member delete --key id=1 --variable X-Gql-Shop-Id=2`,
      );
      expect(lines).toContain(
        '  the role cannot select the row; in SQL, a statement that reads no column still reaches it',
      );
      expect(code).toBe(1);
      const answer = await made.ask(role, { shop_id: '2' }, 'delete from public.member');
      expect(answer.affected).toBe(1);
    },
  );

  test('says that the select filter hides a row from an update', async () => {
    const { lines } = await explain(
      'clerk item update --key id=20 --set price=2 --variable X-Gql-User-Id=7',
    );
    expect(lines.slice(0, 2)).toEqual([
      'role clerk may not update this row of public.item',
      '  the select filter does not let the row through',
    ]);
  });

  test('tries an insert with its presets', async () => {
    const good = await explain(
      'clerk item insert --set id=30 --set price=1 --variable X-Gql-Shop-Id=1',
    );
    expect(good.code).toBe(0);
    const bad = await explain(
      'clerk item insert --set id=30 --set price=0 --variable X-Gql-Shop-Id=1',
    );
    expect(bad.lines).toContain('  - price is above 0 [price = "0"]');
    const column = await explain(
      'clerk item insert --set id=30 --set cost=1 --variable X-Gql-Shop-Id=1',
    );
    expect(column.lines).toContain('  role clerk may not insert the column cost');
  });

  test.each([
    ['none item select --key id=10', 1, 'role none has no rule for select on public.item'],
    ['clerk item select --key id=99', 1, 'public.item has no row with this key'],
    ['clerk item select', 2, 'the row must be named by its primary key\n  the key is id'],
    ['clerk item select --key price=5', 2, 'the row must be named by its primary key'],
    ['clerk item select --key id', 2, '--key "id" is not NAME=VALUE'],
    ['clerk item select --key di=1', 2, 'public.item has no column "di"\n  did you mean "id"?'],
    ['clerk item select --key id=x', 2, 'invalid input syntax for type integer: "x"'],
    ['clerk item delete --key id=10 --set price=1', 2, 'delete writes no values'],
    ['clerk item insert --key id=10', 2, 'an insert has no key yet'],
    ['clerk item view --key id=10', 2, 'there is no command "view"'],
    ['clerk item select --key id=10 --variable User-Id=1', 2, '"User-Id" is no session variable'],
  ])('answers %j with exit code %i and the reason', async (words, code, reason) => {
    const found = await explain(words);
    expect(found.code).toBe(code);
    expect(found.lines.join('\n') + found.stderr).toContain(reason);
  });

  test('prints JSON with every condition', async () => {
    const { lines } = await explain('clerk item delete --key id=10 --json');
    expect(JSON.parse(lines.join('\n'))).toMatchObject({
      allowed: false,
      rule: { position: { line: 7 } },
      conditions: [
        {
          part: 'filter',
          condition: {
            result: 'false',
            items: [{ result: 'false', values: { state: 'open' } }, {}],
          },
        },
        { part: 'select filter' },
      ],
    });
  });
});
