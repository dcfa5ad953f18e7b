import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { column, installTenants, type Tenants } from '../attacks/tenants.ts';
import { askAs, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { someoneWaits } from '../support/waiting.ts';
import { checkName, checkOf, rules, schema } from './notes.ts';

let tenants: Tenants;
let updateCheck: string;
beforeAll(async () => {
  tenants = await installTenants({ schema, rules });
  updateCheck = await checkName(tenants);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const us = { org_id: '1' };

/** Returns an upsert that calls the update check before Postgres applies the policies, as a mutation does. */
const upsert = (slug: string, target = '(at, slug)', serial = 'null') =>
  `insert into public.note as t values ('${slug}', '2026-01-01', 1, 'ann', 'new', false, ${serial})
   on conflict ${target} do update set body = excluded.body where rowgate_api.${updateCheck}(t.at, t.slug)`;

describe('the update check, a function that returns whether a role may update the conflicting row of an upsert,', () => {
  test.each([
    ['exists if the update filter passes only some rows', 'writer', expect.any(Object)],
    ['is "open" if every row passes, so no function is needed', 'calm', 'open'],
    ['does not exist without an insert rule', 'not_banned', undefined],
    ['does not exist if the role cannot read the whole key', 'member', undefined],
  ])('%s', async (_what, role, expected) => {
    expect(await checkOf(tenants, role)).toEqual(expected);
  });
});

describe('an upsert that calls the update check', () => {
  test('updates a conflicting row that the role may update', async () => {
    expect((await tenants.ask('writer', us, upsert('mine'))).affected).toBe(1);
  });

  test.each([
    ['outside the update filter', 'locked'],
    ['outside the select filter', 'theirs'],
  ])('skips a conflicting row %s, where an upsert without it fails', async (_what, slug) => {
    const unguarded = upsert(slug).replace(/ where .*/, '');
    const { code } = await failureOf(tenants.ask('writer', us, unguarded));
    const { affected } = await tenants.ask('writer', us, upsert(slug));
    expect({ code, affected }).toEqual({ code: '42501', affected: 0 });
  });

  test('inserts a row without conflict', async () => {
    expect((await tenants.ask('writer', us, upsert('fresh'))).affected).toBe(1);
  });

  test('finds the row by its primary key when another unique key is in conflict', async () => {
    const by = (serial: string) => tenants.ask('writer', us, upsert('other', '(serial)', serial));
    expect([(await by('1')).affected, (await by('2')).affected]).toEqual([1, 0]);
  });

  test('updates a conflicting row that was committed after the statement began', async () => {
    const rival = await tenants.database.connectOwner();
    const gateway = await tenants.connectGateway();
    onTestFinished(() => rival.end());
    await rival.query(
      "begin; insert into note values ('young', '2026-01-01', 1, 'bo', 'old', false, 9)",
    );
    const asked = askAs(gateway, await tenants.caller('writer', us), upsert('young'));
    await expect.poll(() => someoneWaits(rival)).toBe(true);
    await rival.query('commit');
    expect((await asked).affected).toBe(1);
  });
});

describe('a direct login that calls the update check itself', () => {
  let login: Awaited<ReturnType<Tenants['addLogin']>>;
  beforeAll(async () => {
    login = await tenants.addLogin('asking', ['writer'], us);
  });
  const asking = (slug: string) =>
    column(login, `select rowgate_api.${updateCheck}('2026-01-01', '${slug}')`);

  test('gets true for a row that it sees and may update', async () => {
    expect(await asking('mine')).toEqual(['t']);
  });

  test.each([
    ['that it may not update', 'locked'],
    ['that it may update but not see', 'theirs'],
    ['that does not exist', 'missing'],
  ])('gets false for a row %s, so it cannot test whether the row exists', async (_what, slug) => {
    expect(await asking(slug)).toEqual(['f']);
  });

  test('gets false when it has no stored variables', async () => {
    const nameless = await tenants.addLogin('nameless', ['writer']);
    expect(
      await column(nameless, `select rowgate_api.${updateCheck}('2026-01-01', 'mine')`),
    ).toEqual(['f']);
  });

  test('is refused when its role has no update check', async () => {
    const other = await tenants.addLogin('other', ['member'], us);
    const { code } = await failureOf(
      other.query(`select rowgate_api.${updateCheck}('2026-01-01', 'mine')`),
    );
    expect(code).toBe('42501');
  });
});
