import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { bindVariables } from '../../../permissions/login/bind-variables.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { dropLogin } from '../../../permissions/login/drop-login.ts';
import { listLogins } from '../../../permissions/login/list-logins.ts';
import type { LoginLimits } from '../../../permissions/login/login-limits.ts';
import { withDatabase, withLogin } from '../../../server/db/url.ts';
import {
  column,
  ids,
  installTenants,
  makeTenants,
  type Tenants,
  tenantRules,
} from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const headerPrefix = 'X-Gql-';
const password = 'correct horse';

let tenants: Tenants;
let made: string[] = [];
const clients: pg.Client[] = [];

async function create(
  name: string,
  role: string,
  variables: readonly string[],
  limits?: LoginLimits,
): Promise<string> {
  const model = await tenants.model();
  const found = model.roles.get(role);
  if (!found) throw new Error(`no role ${role}`);
  const bound = bindVariables(variables, found, { headerPrefix, takesSession: false });
  expect(bound.problems).toEqual([]);
  const login = `login_of_${tenants.prefix}${name}`;
  const { values } = bound;
  await createLogin(tenants.owner, {
    name: login,
    role: found,
    variables: values,
    password,
    headerPrefix,
    ...(limits && { limits }),
  });
  made.push(login);
  return login;
}

/** Connects to Postgres directly with the name and password of the login, as psql does. */
async function logIn(login: string, database = tenants.database.name): Promise<pg.Client> {
  const url = withDatabase(withLogin(tenants.database.ownerUrl, login, password), database);
  const client = new pg.Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

async function logins() {
  return listLogins(tenants.owner, (await tenants.prepare()).installation);
}

async function dropMade(): Promise<void> {
  await Promise.allSettled(clients.splice(0).map((client) => client.end()));
  for (const login of made.splice(0))
    await tenants.superuser.query(`drop role if exists ${pg.escapeIdentifier(login)}`);
}

/**
 * Rowgate refuses a login for a role whose upserts show hidden rows, so the role writer has no update rule in these
 * tests.
 */
const rules = {
  ...tenantRules,
  'tables/account.yaml': tenantRules['tables/account.yaml'].replace(/\n +update: .*/, ''),
};

beforeAll(async () => {
  tenants = await installTenants({ rules });
});
afterEach(dropMade);
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

describe('a login made by login create', () => {
  test('sees at once the rows that its role shows for its stored variables', async () => {
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });

  test('sees no more rows after it set a variable itself', async () => {
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    await ann.query("set gql.org_id = '2'");
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });

  test('writes rows whose preset columns come from its stored variables', async () => {
    const variables = ['X-Gql-Org-Id=1', 'X-Gql-User-Id=ann'];
    const ann = await logIn(await create('ann', 'writer', variables));
    const sql = "insert into public.account (id, org_id, code) values (9, 1, 'n')";
    await ann.query(`begin; ${sql}`);
    await ann.query('commit');
    const by = await column(tenants.owner, 'delete from account where id = 9 returning created_by');
    expect(by).toEqual(['ann']);
  });

  test('cannot read the table of stored variables', async () => {
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    const { message } = await failureOf(ann.query('select * from rowgate.login_variable'));
    expect(message).toBe('permission denied for schema rowgate');
  });

  test('cannot switch to another role of Rowgate', async () => {
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    for (const role of ['writer', 'admin', 'gateway', 'policy', 'gateway_login']) {
      const { code } = await failureOf(ann.query(`set role "${tenants.prefix}${role}"`));
      expect(code, role).toBe('42501');
    }
  });

  test('cannot switch to its role, and so cannot create objects as the role, since Postgres 16', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    const { rows } = await tenants.superuser.query(
      `select current_setting('server_version_num')::int < 160000 or to_jsonb(x)->>'set_option' = 'false' as forbidden
       from pg_auth_members x where member = $1::regrole`,
      [`"${login}"`],
    );
    expect(rows).toEqual([{ forbidden: true }]);
  });

  test('has only the membership in its role and no attribute such as createdb', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    const { rows } = await tenants.superuser.query(
      `select rolcanlogin, rolinherit, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as power,
         (select count(*)::int from pg_auth_members where member = r.oid) as roles
       from pg_roles r where rolname = $1`,
      [login],
    );
    expect(rows).toEqual([{ rolcanlogin: true, rolinherit: true, power: false, roles: 1 }]);
  });

  test('cannot connect with a wrong password', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    const url = withLogin(tenants.database.ownerUrl, login, 'wrong');
    const client = new pg.Client({ connectionString: url });
    expect((await failureOf(client.connect())).code).toBe('28P01');
  });

  test('can connect to a database although PUBLIC may not', async () => {
    const { name } = tenants.database;
    await tenants.superuser.query(`revoke connect on database ${name} from public`);
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    expect(await column(ann, ids)).toEqual(['1', '2']);
    await dropLogin(tenants.owner, made[0] ?? '');
    await tenants.superuser.query(`grant connect on database ${name} to public`);
  });

  test('causes no change in the plan and no finding in check', async () => {
    await create('ann', 'member', ['X-Gql-Org-Id=1']);
    expect(await tenants.pending()).toEqual([]);
    expect(await tenants.findings()).toEqual([]);
  });

  test('makes apply fail when it is granted a second role', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    await tenants.owner.query(`grant "${tenants.prefix}writer" to "${login}"`);
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain(`"${login}" inherits several roles at once`);
  });

  test('works with a name that needs quotes', async () => {
    const login = await create(`Ånn "the' \\ x`, 'member', ['X-Gql-Org-Id=2']);
    expect(await column(await logIn(login), ids)).toEqual(['3', '4']);
    await dropLogin(tenants.owner, login);
  });
});

describe('the password that login create sets', () => {
  test('reaches Postgres only as a SCRAM hash, so that no log contains it', async () => {
    const sent: string[] = [];
    const { owner } = tenants;
    const query = owner.query.bind(owner);
    owner.query = ((...args: unknown[]) => {
      sent.push(JSON.stringify(args));
      return (query as (...all: unknown[]) => unknown)(...args);
    }) as typeof owner.query;
    await create('ann', 'member', ['X-Gql-Org-Id=1']).finally(() => {
      owner.query = query as typeof owner.query;
    });
    expect(sent.join('\n')).toContain('SCRAM-SHA-256$');
    expect(sent.join('\n')).not.toContain(password);
  });
});

describe('login create', () => {
  test('refuses the name of an existing login and says how to drop it', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    const again = await failureOf(create('ann', 'member', ['X-Gql-Org-Id=2']));
    expect(again).toMatchObject({
      code: 'RG_LOGIN',
      message: `there is a login "${login}" already`,
      hint: `run \`rowgate login drop ${login}\` first`,
    });
    expect((await logins()).map((one) => one.variables)).toEqual([{ org_id: '1' }]);
  });

  test('refuses the name of a Postgres role that Rowgate did not create', async () => {
    const name = `login_of_${tenants.prefix}other`;
    await tenants.superuser.query(`create role "${name}"`);
    made = [name];
    expect((await failureOf(create('other', 'member', ['X-Gql-Org-Id=1']))).message).toBe(
      `"${name}" is already a Postgres role, which Rowgate did not create`,
    );
  });

  test('leaves no login behind when storing the variables fails', async () => {
    const broken = tenants.database.connectOwner();
    const client = await broken;
    const query = client.query.bind(client);
    client.query = ((...args: unknown[]) => {
      if (String(args[0]).startsWith('insert into rowgate.login_variable'))
        throw new Error('the connection broke');
      return (query as (...all: unknown[]) => unknown)(...args);
    }) as typeof client.query;
    const model = await tenants.model();
    const role = model.roles.get('member');
    if (!role) throw new Error('no role');
    const name = `login_of_${tenants.prefix}ann`;
    const variables = new Map([['org_id', '1']]);
    const { message } = await failureOf(
      createLogin(client, { name, role, variables, password, headerPrefix }),
    );
    expect(message).toBe('the connection broke');
    expect(await column(tenants.owner, `select 1 from pg_roles where rolname = '${name}'`)).toEqual(
      [],
    );
  });

  test('gives a new login none of the variables of a dropped login that had the same oid', async () => {
    const last = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    await tenants.owner.query(
      `insert into rowgate.login_variable
       select (r.oid::int8 + n)::oid::regrole, 'mood', 'calm' from pg_roles r, generate_series(1, 20000) n where r.rolname = $1`,
      [last],
    );
    const next = await create('bo', 'calm', []);
    const seen = await column(await logIn(next), ids);
    await tenants.owner.query("delete from rowgate.login_variable where name = 'mood'");
    expect(seen).toEqual([]);
  });
});

describe('login list', () => {
  test('shows the role, variables, expiry and limits of each login, and whether login create made it', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    await tenants.superuser.query(`alter role "${login}" valid until '2030-01-01 00:00Z'`);
    await tenants.addLogin('by_hand', ['calm'], { mood: 'calm' });
    const all = await logins();
    made.push(`${tenants.prefix}by_hand`);
    expect(all).toEqual([
      {
        name: login,
        managed: true,
        roles: [`${tenants.prefix}member`],
        variables: { org_id: '1' },
        validUntil: new Date('2030-01-01T00:00:00Z'),
        limits: { connections: 10, statementTimeout: '60s', idleInTransactionTimeout: '60s' },
      },
      {
        name: `${tenants.prefix}by_hand`,
        managed: false,
        roles: [`${tenants.prefix}calm`],
        variables: { mood: 'calm' },
        validUntil: null,
        limits: { connections: null, statementTimeout: null, idleInTransactionTimeout: null },
      },
    ]);
  });
});

describe('the limits of a direct login', () => {
  const settings =
    "select current_setting(name) from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout', 'jit']) name";

  test('are settings of its sessions from the start', async () => {
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1']));
    expect(await column(ann, settings)).toEqual(['1min', '1min', 'off']);
  });

  test('cancel a statement that exceeds the statement timeout', async () => {
    const limits = { connections: null, statementTimeout: '50ms', idleInTransactionTimeout: null };
    const ann = await logIn(await create('ann', 'member', ['X-Gql-Org-Id=1'], limits));
    expect((await failureOf(ann.query('select pg_sleep(60)'))).code).toBe('57014');
  });

  test('refuse a second connection beyond the connection limit, which the login cannot raise', async () => {
    const limits = { connections: 1, statementTimeout: null, idleInTransactionTimeout: null };
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1'], limits);
    const ann = await logIn(login);
    const { code } = await failureOf(ann.query(`alter role "${login}" connection limit 5`));
    expect(code).toBe('42501');
    expect((await failureOf(logIn(login))).code).toBe('53300');
  });

  test('are listed with the timeout that the login has set for itself', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    await (await logIn(login)).query(`alter role "${login}" set statement_timeout = 0`);
    expect((await logins()).map((one) => one.limits)).toEqual([
      { connections: 10, statementTimeout: null, idleInTransactionTimeout: '60s' },
    ]);
  });

  test('leave the settings of the database in force when the limits are none', async () => {
    const limits = { connections: null, statementTimeout: null, idleInTransactionTimeout: null };
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1'], limits);
    const { name } = tenants.database;
    await tenants.superuser.query(`alter database "${name}" set statement_timeout = '7s'`);
    const ann = await logIn(login);
    await tenants.superuser.query(`alter database "${name}" reset statement_timeout`);
    expect(await column(ann, settings)).toEqual(['7s', '0', 'off']);
    expect((await logins()).map((one) => one.limits)).toEqual([limits]);
  });
});

describe('login drop', () => {
  test('removes the stored variables and the privileges, also for a session that is still open', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    const ann = await logIn(login);
    const [oid] = await column(
      tenants.owner,
      `select oid from pg_roles where rolname = '${login}'`,
    );
    await dropLogin(tenants.owner, login);
    expect((await failureOf(ann.query(ids))).code).toBe('42501');
    expect(
      await column(tenants.owner, `select name from rowgate.login_variable where login = ${oid}`),
    ).toEqual([]);
    expect(await logins()).toEqual([]);
  });

  test('refuses a Postgres role that login create did not make', async () => {
    for (const name of [
      `${tenants.prefix}member`,
      `${tenants.prefix}gateway_login`,
      'rowgate_owner',
    ]) {
      expect((await failureOf(dropLogin(tenants.owner, name))).message).toBe(
        `"${name}" is a Postgres role that \`rowgate login create\` did not make`,
      );
    }
  });

  test('refuses a login that does not exist and suggests a similar name', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    expect(await failureOf(dropLogin(tenants.owner, `${login}n`))).toMatchObject({
      message: `there is no login "${login}n"`,
      hint: `did you mean "${login}"?`,
    });
  });

  test('refuses a login that owns an object, names the object and keeps the login', async () => {
    const login = await create('ann', 'member', ['X-Gql-Org-Id=1']);
    await tenants.superuser.query(
      `create table public.hers (id integer); alter table public.hers owner to "${login}"`,
    );
    const { message } = await failureOf(dropLogin(tenants.owner, login));
    await tenants.superuser.query('drop table public.hers');
    expect(message).toContain('owner of table public.hers');
    expect((await logins()).map((one) => one.variables)).toEqual([{ org_id: '1' }]);
  });
});

describe('uninstall, when direct logins exist', () => {
  let other: Tenants;
  beforeAll(async () => {
    other = tenants;
    tenants = await makeTenants();
    await tenants.apply();
  });
  afterAll(async () => {
    await tenants.drop();
    tenants = other;
  });

  test('drops the logins, but keeps a login that owns an object and revokes its privileges', async () => {
    const [ann, bo] = [
      await create('ann', 'member', ['X-Gql-Org-Id=1']),
      await create('bo', 'calm', []),
    ];
    await tenants.superuser.query(
      `create table public.hers (id integer); alter table public.hers owner to "${bo}"`,
    );
    const done = await uninstall(tenants.owner, { rolePrefix: tenants.prefix, login: undefined });
    const session = await logIn(bo);
    expect(done).toMatchObject({ logins: [ann], loginsKept: [bo] });
    expect((await failureOf(session.query(ids))).code).toBe('42501');
    await tenants.superuser.query('drop table public.hers');
  });
});
