import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, askAs, ask as askOwner, failureOf } from '../permissions/support/as-role.ts';
import { type Installation, install } from '../permissions/support/installation.ts';
import {
  alder,
  birch,
  growth,
  income,
  inForce,
  ofAlder,
  ofCleo,
  type Variables,
} from './rules-in-force.ts';

let platform: Installation;
beforeAll(async () => {
  platform = await install({ from: 'platform', rules: 'metadata' });
});
afterAll(() => platform.drop());

const ask = (role: string, variables: Variables, sql: string): Promise<Answer> =>
  platform.ask(role, variables, sql);

async function refusal(role: string, variables: Variables, sql: string): Promise<string> {
  const { code = '', message } = await failureOf(ask(role, variables, sql));
  return `${code} ${message}`;
}

/** Returns the rows that the owner finds, to whom no policy applies. */
const truth = async (sql: string) => (await askOwner(platform.owner, sql)).rows;

/** Foreign key columns that a role may join by, although its rule does not list them, because it may read both tables. */
const keys: Readonly<Record<string, readonly string[]>> = {
  'organization_admin digital_wallet': ['organization_id', 'user_id'],
  'front_office digital_wallet': ['organization_id'],
  'investor fund_subscription': ['user_id'],
};

describe.each(inForce)(
  'in SQL, the role $role on $table',
  ({ role, table, variables, where, columns }) => {
    const list = columns === '*' ? '*' : columns.join(', ');

    test('sees exactly the rows of its rule', async () => {
      const sql = `select ${list} from public.${table}`;
      const expected = await truth(`${sql} where ${where} order by id`);
      expect(expected.length).toBeGreaterThan(0);
      expect((await ask(role, variables, `${sql} order by id`)).rows).toEqual(expected);
    });

    test('may read only the columns of its rule, and foreign keys to tables that it may read', async () => {
      const all = await truth(
        `select attname from pg_attribute where attrelid = 'public.${table}'::regclass and attnum > 0`,
      );
      const hidden = all.flat().filter((name) => columns !== '*' && !columns.includes(name ?? ''));
      const seen: (string | null)[] = [];
      for (const name of hidden) {
        const asked = ask(role, variables, `select ${name} from public.${table}`);
        await asked.then(
          () => seen.push(name ?? ''),
          (error: { code: string }) => expect(error.code).toBe('42501'),
        );
      }
      expect(seen).toEqual(keys[`${role} ${table}`] ?? []);
    });

    test.each(Object.keys(variables))('sees no rows without the variable %s', async (missing) => {
      const others = { ...variables, [missing]: '' };
      expect((await ask(role, others, `select id from public.${table}`)).rows).toEqual([]);
    });

    test('sees no rows with the variables of an unknown person', async () => {
      const strangers = { organization_id: '99999999-0000-4000-8000-000000000009', user_id: 'x' };
      const others = Object.fromEntries(
        Object.keys(variables).map((name) => [
          name,
          { ...strangers, allowed_funds: '{}' }[name] ?? '',
        ]),
      );
      const seen = (await ask(role, others, `select id from public.${table}`)).rows.length;
      const everything = (await truth(`select id from public.${table}`)).length;
      expect(seen).toBe(where === 'true' ? everything : 0);
    });
  },
);

describe('in SQL, the role investor on fund_subscription', () => {
  const sql = 'select id from public.fund_subscription order by id';

  test('does not see its own subscriptions to a fund that the variable does not list', async () => {
    const { rows } = await ask('investor', { ...ofCleo, allowed_funds: `{${growth}}` }, sql);
    expect(rows).toEqual([['50000000-0000-4000-8000-000000000001']]);
  });

  test('does not see subscriptions of other people to a fund that the variable lists', async () => {
    const gia = { user_id: 'local|birch-investor', allowed_funds: `{${growth},${income}}` };
    const { rows } = await ask('investor', gia, sql);
    expect(rows).toEqual([
      ['50000000-0000-4000-8000-000000000005'],
      ['50000000-0000-4000-8000-000000000006'],
    ]);
  });

  test('sees no rows when the variable lists no fund', async () => {
    expect((await ask('investor', { ...ofCleo, allowed_funds: '{}' }, sql)).rows).toEqual([]);
  });

  test('is refused a delete, because it has no write rule', async () => {
    expect(await refusal('investor', ofCleo, 'delete from public.fund_subscription')).toMatch(
      /^42501 permission denied/,
    );
  });
});

describe('in SQL, a role without rules on a table', () => {
  test('cannot read, insert or delete there, whatever its variables', async () => {
    const model = await platform.model();
    const variables = { ...ofAlder, ...ofCleo };
    const closed = [...model.roles.values()].flatMap((role) =>
      [...model.tables.values()]
        .filter((table) => !role.tables.has(table.key))
        .map((table) => ({ role: role.name, table: `public."${table.name}"` })),
    );
    expect(closed.length).toBeGreaterThan(300);
    for (const { role, table } of closed) {
      for (const sql of [
        `select 1 from ${table}`,
        `insert into ${table} default values`,
        `delete from ${table}`,
      ]) {
        expect(await refusal(role, variables, sql), `${role}: ${sql}`).toMatch(
          /^42501 permission denied for table/,
        );
      }
    }
  });
});

describe.each(['digital_wallet', 'address_book_entry'])(
  'in SQL, organization_admin writing %s',
  (table) => {
    const at = `public.${table}`;
    const insert = `insert into ${at} (label, description) values ('New', 'for a test')`;
    const role = 'organization_admin';
    const write = (sql: string, variables: Variables = ofAlder) => ask(role, variables, sql);
    const idOf = async (organization: string, status: string): Promise<string> => {
      const [row] = await truth(
        `select id from ${at} where organization_id = '${organization}' and status = '${status}' limit 1`,
      );
      return String(row?.[0]);
    };

    test('inserts a row whose creator and organization come from the session', async () => {
      const gateway = await platform.connectGateway();
      const caller = await platform.caller(role, ofAlder);
      expect((await askAs(gateway, caller, insert, 'commit')).affected).toBe(1);
      const stored = `from ${at} where label = 'New'`;
      expect(
        await truth(`select organization_id, created_by, description, status ${stored}`),
      ).toEqual([[alder, 'local|alder-admin', 'for a test', 'draft']]);
      await platform.owner.query(`delete ${stored}`);
    });

    test.each(['organization_id', 'created_by', 'status', 'id', 'created_at'])(
      'cannot insert or update the column %s',
      async (name) => {
        const sql = `insert into ${at} (label, ${name}) values ('New', default)`;
        expect(await refusal(role, ofAlder, sql)).toMatch(/^42501 permission denied/);
        const set = `update ${at} set ${name} = default`;
        expect(await refusal(role, ofAlder, set)).toMatch(/^42501 permission denied/);
      },
    );

    test('cannot insert without the variable x-gql-user-id', async () => {
      expect(await refusal(role, { organization_id: alder }, insert)).toBe(
        'RG001 missing session variable: "x-gql-user-id"',
      );
    });

    test('cannot insert without the organization variable', async () => {
      const { code } = await failureOf(write(insert, { user_id: 'local|alder-admin' }));
      expect(['23502', '42501']).toContain(code);
    });

    test('cannot insert for an organization that does not exist', async () => {
      const nowhere = { ...ofAlder, organization_id: '99999999-0000-4000-8000-000000000009' };
      expect((await failureOf(write(insert, nowhere))).code).toBe('23503');
    });

    test('updates a row that is not locked', async () => {
      const id = await idOf(alder, 'active');
      expect((await write(`update ${at} set label = 'x' where id = '${id}'`)).affected).toBe(1);
    });

    test('cannot update a locked row, because the check fails', async () => {
      const id = await idOf(alder, 'locked');
      const sql = `update ${at} set label = 'x' where id = '${id}'`;
      expect(await refusal(role, ofAlder, sql)).toMatch(
        /^42501 new row violates row-level security/,
      );
    });

    test.each(['active', 'locked', 'draft'])(
      'changes nothing when it updates or deletes a row of another organization that is %s',
      async (status) => {
        const id = await idOf(birch, status);
        for (const sql of [
          `update ${at} set label = 'x' where id = '${id}'`,
          `delete from ${at} where id = '${id}'`,
        ]) {
          expect((await write(sql)).affected, sql).toBe(0);
        }
      },
    );

    test.each([
      ['draft', 1],
      ['active', 0],
      ['locked', 0],
    ])('deleting a row that is %s removes %i rows', async (status, affected) => {
      const id = await idOf(alder, status);
      expect((await write(`delete from ${at} where id = '${id}'`)).affected).toBe(affected);
    });

    test('changes nothing when it updates or deletes without the organization variable', async () => {
      const user = { user_id: 'local|alder-admin' };
      expect((await write(`update ${at} set label = 'x'`, user)).affected).toBe(0);
      expect((await write(`delete from ${at}`, user)).affected).toBe(0);
    });
  },
);

test('in SQL, the role admin sees every row of every table', async () => {
  const { tables } = await platform.model();
  for (const table of tables.values()) {
    const sql = `select count(*) from public."${table.name}"`;
    expect((await ask('admin', {}, sql)).rows, table.name).toEqual(await truth(sql));
  }
});

test('after apply, a second plan for the platform is empty', async () => {
  expect(await platform.pending()).toEqual([]);
});
