import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindVariables } from '../../../permissions/login/bind-variables.ts';
import { connectionLimit, timeout } from '../../../permissions/login/login-limits.ts';
import { loginNameProblem } from '../../../permissions/login/login-name.ts';
import type { RoleModel } from '../../../permissions/types/model.ts';
import { makeTenants, type Tenants } from '../attacks/tenants.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
let roles: ReadonlyMap<string, RoleModel>;
beforeAll(async () => {
  tenants = await makeTenants();
  roles = (await tenants.model()).roles;
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

function bind(role: string, variables: readonly string[], takesSession = false) {
  return bindVariables(variables, roles.get(role) as RoleModel, {
    ...{ headerPrefix: 'X-Gql-', takesSession },
  });
}

describe('the variables given to login create', () => {
  test.each([
    ['member', [], 'role member requires x-gql-org-id'],
    [
      'member',
      ['X-Gql-Org-Id=one'],
      'X-Gql-Org-Id is "one", which is no int4, as a rule of role member reads it',
    ],
    ['member', ['X-Gql-Org-Id=1', 'X-Gql-Org-Id=2'], 'X-Gql-Org-Id is given twice'],
    ['calm', ['X-Gql-Mood='], 'X-Gql-Mood has no value, which counts as missing'],
    ['calm', ['X-Gql-Mood'], 'X-Gql-Mood has no value, which counts as missing'],
    [
      'calm',
      ['X-Gql-Mood=sad'],
      'X-Gql-Mood is "sad", which is no mood, as a rule of role calm reads it',
    ],
    [
      'calm',
      ['X-Gql-Mod=calm'],
      'no rule of role calm reads X-Gql-Mod; did you mean "x-gql-mood"?',
    ],
    ['calm', ['X-Gql-Org-Id=1'], 'no rule of role calm reads X-Gql-Org-Id; it reads x-gql-mood'],
    ['admin', ['X-Gql-Org-Id=1'], 'no rule of role admin reads X-Gql-Org-Id; it reads none'],
    ['calm', ['mood=calm'], '"mood" is no variable; write X-Gql-Some-Name=value'],
    ['calm', ['X-Gql-Role=admin'], '"X-Gql-Role" is no variable; write X-Gql-Some-Name=value'],
  ])('are refused for role %s with the values %j', (role, variables, problem) => {
    expect(bind(role, variables).problems).toEqual([problem]);
  });

  test('are all checked, so that every problem is reported at once', () => {
    expect(bind('member', ['x=1', 'X-Gql-Mood=calm']).problems).toHaveLength(3);
  });

  test('may be ones that no rule reads when functions receive all variables', () => {
    const { values, problems } = bind('calm', ['X-Gql-Org-Id=1', 'X-Gql-Mood=calm'], true);
    expect(problems).toEqual([]);
    expect([...values]).toEqual([
      ['org_id', '1'],
      ['mood', 'calm'],
    ]);
  });

  test('may have any case in their names and = in their values', () => {
    const { values, problems } = bind('writer', ['x-gql-org-id=1', 'X-GQL-USER-ID=a=b']);
    expect(problems).toEqual([]);
    expect([...values]).toEqual([
      ['org_id', '1'],
      ['user_id', 'a=b'],
    ]);
  });

  test('may omit a variable that only some rules of the role read, and login create reports its absence', () => {
    expect(bind('writer', ['X-Gql-Org-Id=1'])).toMatchObject({ problems: [], absent: ['user_id'] });
  });
});

test.each([
  ['', 'it is empty'],
  ['a\u0000b', 'it holds U+0000, which cannot be seen'],
  ['line\nbreak', 'it holds U+000A, which cannot be seen'],
  ['x'.repeat(64), 'it is 64 bytes long, 63 is the limit'],
  ['ö'.repeat(32), 'it is 64 bytes long, 63 is the limit'],
  ['PG_monitor', 'it begins with pg_, which Postgres keeps for itself'],
  ['public', 'Postgres keeps this word for itself'],
  ['None', 'Postgres keeps this word for itself'],
  ['current_user', 'Postgres keeps this word for itself'],
  ['rowgate_app_investor', 'it begins with rowgate_app_, as the roles that apply makes do'],
])('login create refuses the login name %j', (name, problem) => {
  expect(loginNameProblem(name, 'rowgate_app_')).toBe(problem);
});

test.each(['alice', 'x'.repeat(63), 'ö'.repeat(31), 'Ann "the" Å; --', '1st', 'select'])(
  'login create accepts the login name %j',
  (name) => {
    expect(loginNameProblem(name, 'rowgate_app_')).toBeUndefined();
  },
);

describe('the limits given to login create', () => {
  test.each([
    ['1', 1],
    ['10000', 10_000],
    ['none', null],
  ])('accept a connection limit of %s', (text, limit) => {
    expect(connectionLimit(text)).toBe(limit);
  });

  test.each(['0', '-1', '10001', '1.5', 'many', ''])('refuse a connection limit of %j', (text) => {
    expect(() => connectionLimit(text)).toThrow(
      `--connection-limit is ${JSON.stringify(text)}; it must be a number from 1 to 10000, or none`,
    );
  });

  test.each(['1ms', '60s', '5min', '2h', '2147483647ms'])('accept a timeout of %s', (text) => {
    expect(timeout('--statement-timeout', text)).toBe(text);
  });

  test.each(['0', '0s', '60', '-1s', '1d', '2147483648ms', '600h', "1s'", ''])(
    'refuse a timeout of %j',
    (text) => {
      expect(() => timeout('--statement-timeout', text)).toThrow(
        `--statement-timeout is ${JSON.stringify(text)}; it must be a time of at most 24 days`,
      );
    },
  );
});
