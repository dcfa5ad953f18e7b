import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMisspelling } from '../../../permissions/expressions/session-variables.ts';

const known = ['user_id', 'organization_id', 'code'];

describe('findMisspelling, with the header prefix X-Hasura-', () => {
  test.each([
    ['X-Gql-User-Id', 'X-Hasura-User-Id'],
    ['X_Hasura_User_Id', 'X-Hasura-User-Id'],
    ['x-hasura_user-id', 'X-Hasura-User-Id'],
    ['XHasura-User-Id', 'X-Hasura-User-Id'],
    ['{{X-Hasura-User-Id}}', 'X-Hasura-User-Id'],
    ['X-Hasura', undefined],
  ])('takes %j for a misspelt session variable and returns the right header', (text, header) => {
    expect(findMisspelling(text, 'X-Hasura-', known)).toEqual({ header });
  });
});

describe('findMisspelling, with the header prefix X-Gql-', () => {
  test.each([
    'xgqluserid',
    'X-GQLUserId',
    'x-hasurauserid',
    'X-Gql/User-Id',
    'X-Gql,User-Id',
    'X-Gql+User-Id',
    'X·Gql·User·Id',
  ])('takes %j for a misspelt X-Gql-User-Id', (text) => {
    expect(findMisspelling(text, 'X-Gql-', known)).toEqual({ header: 'X-Gql-User-Id' });
  });
});

describe('findMisspelling, with another header prefix', () => {
  test.each([
    ['X-Acme-App-', 'X-AcmeApp-User-Id', 'X-Acme-App-User-Id'],
    ['X-Acme-App-', 'x_acme_app_user_id', 'X-Acme-App-User-Id'],
    ['App-', 'App_User_Id', 'App-User-Id'],
    ['App-', 'X-Gql-User-Id', 'App-User-Id'],
    ['A-', 'X-Hasura-User-Id', 'A-User-Id'],
  ])(
    '%s: takes %j for a misspelt session variable and returns the right header',
    (prefix, text, header) => {
      expect(findMisspelling(text, prefix, known)).toEqual({ header });
    },
  );

  test('does not take a longer word for a variable when the prefix is a single word', () => {
    expect(findMisspelling('Postcode', 'Post-', known)).toBeUndefined();
  });

  test('does not take ordinary text for a variable when the prefix is a single letter', () => {
    for (const text of ['a_b', 'A b', 'a', 'a.b.c']) {
      expect(findMisspelling(text, 'A-', known), text).toBeUndefined();
    }
  });
});

describe('findMisspelling does not take an ordinary value for a variable:', () => {
  test.each([
    '',
    '-',
    'x',
    'X-100-200',
    'x-large',
    'x-large-blue',
    'X-Ray',
    'x-ray-code-9',
    'X',
    'xgqlfoo',
    'gql',
    'gql.user_id',
    'hasura',
    'hasura-user-id',
    'user_id',
    'User-Id',
    'session.user_id',
    'current_user',
    'my-app-user-id',
    'order-user-id',
    'draft',
    'user@example.com',
    'https://example.com/x-gql',
    '%x-%',
    '^x-[a-z]+$',
    '00000000-0000-4000-8000-000000000001',
    '2026-11-22T18:00:00Z',
    'local|alder-admin',
    '{"a": 1}',
    'a.b.c',
    'text/plain',
    'application/x-www-form-urlencoded',
    'X'.repeat(10_000),
    `x${'-a'.repeat(5_000)}`,
  ])('%j', (text) => {
    expect(findMisspelling(text, 'X-Gql-', known)).toBeUndefined();
  });
});

test('findMisspelling recognizes a variable with any separator between its words', () => {
  const separator = fc.constantFrom('-', '_', '.', ' ', '\u2010', '\u2011', '\u2013', '\u2212');
  const around = fc.constantFrom(['', ''], ['{{', '}}'], ['${', '}'], [' ', ''], ['"', '"']);
  fc.assert(
    fc.property(
      fc.tuple(separator, separator, separator, around),
      ([first, second, third, [before, after]]) => {
        const text = `${before}X${first}Gql${second}User${third}Id${after}`;
        fc.pre(!text.startsWith('X-Gql-'));
        expect(findMisspelling(text, 'X-Gql-', known)).toEqual({ header: 'X-Gql-User-Id' });
      },
    ),
  );
});
