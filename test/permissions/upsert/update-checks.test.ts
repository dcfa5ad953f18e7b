import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { column, installTenants, type Tenants } from '../attacks/tenants.ts';
import { askAs, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { someoneWaits } from '../support/waiting.ts';
import { checkName, checkOf, rules, schema } from './notes.ts';

let tenants: Tenants;
let guard: string;
beforeAll(async () => {
  tenants = await installTenants({ schema, rules });
  guard = await checkName(tenants);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const us = { org_id: '1' };

/** Asks the guard, then Postgres's policies, as a mutation does. */
const upsert = (slug: string, target = '(at, slug)', serial = 'null') =>
  `insert into public.note as t values ('${slug}', '2026-01-01', 1, 'ann', 'new', false, ${serial})
   on conflict ${target} do update set body = excluded.body where rowgate_api.${guard}(t.at, t.slug)`;

describe('the update check', () => {
  test.each([
    ['a function where a filter passes some rows alone', 'writer', expect.any(Object)],
    ['open where every row passes', 'calm', 'open'],
    ['nothing without a rule for insert', 'not_banned', undefined],
    ['nothing where the role does not read the whole key', 'member', undefined],
  ])('names %s', async (_what, role, expected) => {
    expect(await checkOf(tenants, role)).toEqual(expected);
  });
});

describe('an upsert that runs the update check', () => {
  test('changes a row that the role may update', async () => {
    expect((await tenants.ask('writer', us, upsert('mine'))).affected).toBe(1);
  });

  test.each([
    ['outside the update filter', 'locked'],
    ['outside the select filter', 'theirs'],
  ])('passes over a row %s, where Postgres alone fails', async (_what, slug) => {
    const unguarded = upsert(slug).replace(/ where .*/, '');
    const { code } = await failureOf(tenants.ask('writer', us, unguarded));
    const { affected } = await tenants.ask('writer', us, upsert(slug));
    expect({ code, affected }).toEqual({ code: '42501', affected: 0 });
  });

  test('inserts a row that is new', async () => {
    expect((await tenants.ask('writer', us, upsert('fresh'))).affected).toBe(1);
  });

  test('finds the row by its key where another constraint is in conflict', async () => {
    const by = (serial: string) => tenants.ask('writer', us, upsert('other', '(serial)', serial));
    expect([(await by('1')).affected, (await by('2')).affected]).toEqual([1, 0]);
  });

  test('changes a row that is younger than the statement', async () => {
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
    column(login, `select rowgate_api.${guard}('2026-01-01', '${slug}')`);

  test('gets true for a row that it sees and may update', async () => {
    expect(await asking('mine')).toEqual(['t']);
  });

  test.each([
    ['that it may not update', 'locked'],
    ['that it may update but not see', 'theirs'],
    ['that there is not', 'nobody'],
  ])('hears the same of a row %s', async (_what, slug) => {
    expect(await asking(slug)).toEqual(['f']);
  });

  test('gets false without its variables', async () => {
    const nobody = await tenants.addLogin('nameless', ['writer']);
    expect(await column(nobody, `select rowgate_api.${guard}('2026-01-01', 'mine')`)).toEqual([
      'f',
    ]);
  });

  test('is refused where the update check belongs to another role', async () => {
    const other = await tenants.addLogin('other', ['member'], us);
    const { code } = await failureOf(
      other.query(`select rowgate_api.${guard}('2026-01-01', 'mine')`),
    );
    expect(code).toBe('42501');
  });
});
