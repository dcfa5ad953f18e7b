import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import { PlanChangedError } from '../../../permissions/errors.ts';
import { migrateGateway } from '../../../permissions/plan/prepare.ts';
import {
  column,
  ids,
  installTenants,
  makeTenants,
  type Tenants,
  tenantRules,
} from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { catalogState } from '../support/catalog-state.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

/** Returns the files of the metadata with one text replaced in one of them. */
function rulesWith(
  file: keyof typeof tenantRules,
  from: string,
  to: string,
): Record<string, string> {
  return { ...tenantRules, [file]: tenantRules[file].replace(from, to) };
}

describe('apply', () => {
  test('changes only the grant that differs when a rule lists one column less', async () => {
    tenants = await installTenants();
    await tenants.rewrite(
      rulesWith('tables/account.yaml', 'columns: [code, note]', 'columns: [code]'),
    );
    const { plan } = await tenants.apply();
    expect(plan.changes.map((one) => one.label)).toEqual([
      `grant update on public.account (code) to ${tenants.prefix}writer`,
      'fingerprint of the metadata',
    ]);
  });

  test('changes only comments in the database when a rule moves to another line of its file', async () => {
    tenants = await installTenants();
    await tenants.rewrite({
      ...tenantRules,
      'tables/account.yaml': `# a line more\n${tenantRules['tables/account.yaml']}`,
    });
    const { plan } = await tenants.apply();
    expect(new Set(plan.changes.map((one) => one.action))).toEqual(new Set(['annotate']));
    expect(await tenants.pending()).toEqual([]);
  });

  test('lets Postgres compile none of its queries just in time, whatever the setting of the session', async () => {
    tenants = await makeTenants();
    await tenants.owner.query('set jit = on');
    let jit: readonly unknown[] = [];
    const { metadata, prefix: rolePrefix } = tenants;
    await applyMetadata(tenants.owner, {
      ...{ metadata, rolePrefix, headerPrefix: 'X-Gql-' },
      describe: async (client) => {
        jit = await column(client, 'show jit');
        return [];
      },
    });
    expect(jit).toEqual(['off']);
  });

  test('removes every trace of a role that the metadata no longer has', async () => {
    tenants = await installTenants();
    const roles = tenantRules['roles.yaml'].replace('  calm: {}\n', '');
    const account = tenantRules['tables/account.yaml'].replace(/ {2}calm:\n.*\n/, '');
    await tenants.rewrite({ ...tenantRules, 'roles.yaml': roles, 'tables/account.yaml': account });
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
    const left = await catalogState(tenants.owner, tenants.prefix);
    expect(left.filter((one) => String(one).includes('calm'))).toEqual([]);
  });

  test('removes policies, triggers and privileges from a table whose file was removed, and leaves row security on', async () => {
    tenants = await installTenants();
    await tenants.rewrite({
      'roles.yaml': tenantRules['roles.yaml'],
      'tables/org.yaml': tenantRules['tables/org.yaml'],
    });
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
    const { rows } = await tenants.owner.query(
      `select relrowsecurity as locked, relacl::text as acl, (select count(*)::int from pg_policy) as policies,
         (select count(*)::int from pg_trigger where tgname like '!%') as triggers,
         (select count(*)::int from pg_class where relnamespace = 'rowgate_policy'::regnamespace) as views
       from pg_class where relname = 'account'`,
    );
    expect(rows).toMatchObject([{ locked: true, triggers: 0, views: 0 }]);
    expect((await failureOf(tenants.ask('member', { org_id: '1' }, ids))).code).toBe('42501');
  });

  test('fails with file and line when a rule names a column that a migration has dropped', async () => {
    tenants = await installTenants();
    await tenants.owner.query('alter table account drop column balance');
    const { message } = await failureOf(tenants.apply());
    expect(message).toMatch(
      /tables\/account.yaml:5:\d+ RG_UNKNOWN_COLUMN column "balance" does not exist on public.account/,
    );
  });

  test('leaves nothing pending after a column was removed from both the table and its rules', async () => {
    tenants = await installTenants();
    await tenants.owner.query('alter table account drop column balance');
    await tenants.rewrite(rulesWith('tables/account.yaml', ', balance]', ']'));
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
  });

  test('refuses to run when the plan no longer equals the plan that the operator confirmed', async () => {
    tenants = await makeTenants();
    const { plan } = await installedPlan();
    await tenants.owner.query('alter table account enable row level security');
    const before = await catalogState(tenants.owner, tenants.prefix);
    await expect(tenants.apply({ agreed: plan.digest })).rejects.toThrow(PlanChangedError);
    expect(await catalogState(tenants.owner, tenants.prefix)).toEqual(before);
  });

  test('runs when the plan still equals the plan that the operator confirmed', async () => {
    tenants = await makeTenants();
    const { plan } = await installedPlan();
    const applied = await tenants.apply({ agreed: plan.digest });
    expect(applied.plan.digest).toBe(plan.digest);
  });
});

/**
 * Returns the plan after Rowgate's own tables exist, so that the plan contains only the objects that the rules need.
 */
async function installedPlan() {
  await migrateGateway(tenants.owner);
  return tenants.prepare();
}

describe('apply, when it fails', () => {
  beforeEach(async () => {
    tenants = await makeTenants({ from: 'empty' });
  });

  test.each([
    [
      'a rule with a date that Postgres refuses',
      async () => {
        await tenants.owner.query('alter table account add column seen timestamptz');
        await tenants.rewrite(
          rulesWith(
            'tables/account.yaml',
            'not_banned:\n    select: { filter: {',
            'not_banned:\n    select: { filter: { seen: { _gt: 2025-13-45 },',
          ),
        );
      },
      'RG_REFUSED',
    ],
    [
      'a schema where PUBLIC may create objects, which only a late check finds',
      async () => {
        await tenants.superuser.query('grant create on schema public to public');
      },
      'RG_SCHEMA_WRITABLE',
    ],
    [
      'a role of the same name that Rowgate did not create',
      async () => {
        await tenants.superuser.query(`create role "${tenants.prefix}writer"`);
      },
      'RG_FOREIGN_ROLE',
    ],
    [
      'a table that belongs to another owner',
      async () => {
        await tenants.superuser.query('alter table account owner to current_user');
      },
      'RG_NOT_OWNER',
    ],
    [
      'a privilege that only the role that granted it can revoke',
      async () => {
        await tenants.superuser.query(`create role "${tenants.prefix}giver"; grant select on account to "${tenants.prefix}giver" with grant option;
        set role "${tenants.prefix}giver"; grant select on account to public; reset role`);
      },
      'RG_DRIFT',
    ],
  ])('leaves the database unchanged after %s', async (_name, spoil, code) => {
    await installedPlan();
    await spoil();
    const before = await catalogState(tenants.owner, tenants.prefix);
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain(code);
    expect(await catalogState(tenants.owner, tenants.prefix)).toEqual(before);
  });

  test('names ROWGATE_ROLE_PREFIX as the cure when a role belongs to another installation', async () => {
    await tenants.superuser.query(
      `create role "${tenants.prefix}member"; comment on role "${tenants.prefix}member" is 'rowgate:of another'`,
    );
    const { message } = await failureOf(tenants.apply());
    expect(message).toBe(
      `RG_FOREIGN_ROLE the Postgres role "${tenants.prefix}member" belongs to another installation of Rowgate; set ROWGATE_ROLE_PREFIX to a prefix of your own`,
    );
  });

  test('says that the login lacks CREATEROLE before it changes anything', async () => {
    const { superuser, prefix, database } = tenants;
    await superuser.query(`create role "${prefix}plain" login; alter database "${database.name}" owner to "${prefix}plain";
      alter table org owner to "${prefix}plain"; alter table account owner to "${prefix}plain";
      alter schema public owner to "${prefix}plain"; alter type mood owner to "${prefix}plain"`);
    const plain = await tenants.connectAs(`${prefix}plain`);
    const settings = { metadata: tenants.metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-' };
    const { message } = await failureOf(applyMetadata(plain, settings));
    expect(message).toBe(
      `RG_NOT_OWNER login "${prefix}plain" may not create and change roles (CREATEROLE)\nas a superuser, in this database:\n  alter role "${prefix}plain" createrole;`,
    );
  });
});

test('apply fails with RG_LOCK_LIMIT and changes nothing when it would hold its locks longer than allowed', async () => {
  tenants = await makeTenants();
  await tenants.superuser.query(`create function stall() returns event_trigger language plpgsql
    as $$ begin perform pg_catalog.pg_sleep(600); end $$;
    create event trigger stall on ddl_command_end when tag in ('CREATE POLICY') execute function stall()`);
  const pending = await tenants.pending();
  const { message } = await failureOf(tenants.apply({ lockSeconds: 1 }));
  expect(message).toContain(
    'RG_LOCK_LIMIT apply needed its locks for longer than 1 s, and nothing was changed',
  );
  expect(await tenants.pending()).toEqual(pending);
  await tenants.superuser.query('drop event trigger stall');
});

test('apply fails with RG_LOCK_LIMIT when it stops for longer than it may hold its locks', async () => {
  tenants = await makeTenants();
  const pending = await tenants.pending();
  const client = await tenants.database.connectOwner();
  client.on('error', () => {});
  const { rows } = await client.query('select pg_catalog.pg_backend_pid() as pid');
  const { superuser, metadata, prefix } = tenants;
  const session = 'select from pg_catalog.pg_stat_activity where pid = $1';
  const query = async (text: string, values?: unknown[]) => {
    const result = await client.query(text, values);
    if (text.startsWith('update rowgate.installation set applied_at')) {
      await expect
        .poll(async () => (await superuser.query(session, [rows[0].pid])).rows)
        .toEqual([]);
    }
    return result;
  };
  const stopping: pg.Client = Object.create(client, { query: { value: query } });
  const settings = { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-', lockSeconds: 1 };
  const { message } = await failureOf(applyMetadata(stopping, settings));
  expect(message).toContain('RG_LOCK_LIMIT');
  expect(await tenants.pending()).toEqual(pending);
});

describe('several processes that run apply at the same time', () => {
  test('are refused by name while one of them runs on a new database', async () => {
    tenants = await makeTenants({ from: 'empty' });
    const settings = {
      metadata: tenants.metadata,
      rolePrefix: tenants.prefix,
      headerPrefix: 'X-Gql-',
    };
    const others = await Promise.all([1, 2, 3].map(() => tenants.database.connectOwner()));
    const outcomes = await Promise.allSettled(
      others.map((client) => applyMetadata(client, settings)),
    );
    const changes = outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.plan.changes.length > 0] : [],
    );
    expect(changes.filter(Boolean)).toEqual([true]);
    const refusals = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason.message)] : [],
    );
    expect(refusals.filter((message) => !message.includes('RG_APPLYING'))).toEqual([]);
    expect(await tenants.pending()).toEqual([]);
  });

  test('are refused with the name of the one that runs, and do not wait', async () => {
    tenants = await makeTenants();
    const holder = await tenants.database.connectOwner();
    await holder.query('begin; select * from account');
    const applier = { actor: 'Ada', revision: undefined, version: '1' };
    const applying = tenants.apply({ applier });
    await lockIsWaitedFor(tenants.superuser);
    const second = await tenants.database.connectOwner();
    const settings = { metadata: tenants.metadata, rolePrefix: tenants.prefix };
    const { message } = await failureOf(
      applyMetadata(second, { ...settings, headerPrefix: 'X-Gql-' }),
    );
    expect(message).toMatch(
      /RG_APPLYING another apply is running: rowgate apply by Ada as login \S+, pid \d+; nothing was changed/,
    );
    await holder.query('commit');
    await applying;
  });

  test('cannot be refused by a login that takes the advisory locks of the database', async () => {
    tenants = await makeTenants();
    await tenants.apply();
    const gateway = await tenants.connectGateway();
    await gateway.query('select pg_advisory_lock(1919907687, 1)');
    await expect(tenants.apply()).resolves.toBeDefined();
    await expect(
      gateway.query('begin; lock table rowgate.apply_history in exclusive mode'),
    ).rejects.toThrow('permission denied');
  });

  test('wait for a transaction that reads a table with rules, and then succeed', async () => {
    tenants = await makeTenants();
    const reader = await tenants.database.connectOwner();
    await reader.query('begin; select * from account');
    const applying = tenants.apply();
    await lockIsWaitedFor(tenants.superuser);
    await reader.query('commit');
    await applying;
    expect(await tenants.pending()).toEqual([]);
  });

  test('fail with RG_LOCKED when another session holds its lock longer than all attempts last', async () => {
    tenants = await makeTenants();
    const holder = await tenants.database.connectOwner();
    await holder.query('begin; select * from account');
    const { message } = await failureOf(tenants.apply({ attempts: 2 }));
    await holder.query('rollback');
    expect(message).toContain('RG_LOCKED another session keeps locks');
  });

  test('do not block other readers while waiting for a lock', async () => {
    tenants = await makeTenants();
    const holder = await tenants.database.connectOwner();
    const reader = await tenants.database.connectOwner();
    await holder.query('begin; select * from account');
    const applying = tenants.apply();
    await lockIsWaitedFor(tenants.superuser);
    expect(await column(reader, 'select count(*) from account')).toEqual(['4']);
    await holder.query('commit');
    await applying;
  });
});

/** Resolves when a session waits for a lock on a table. */
async function lockIsWaitedFor(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_locks where not granted and locktype = 'relation' and database = (select oid from pg_database where datname = current_database())",
    );
    if (rowCount !== 0) return;
  }
}
