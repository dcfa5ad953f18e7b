import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRequestError } from '../../../server/graphql/errors/postgres-error.ts';
import type { RoleView } from '../../../server/graphql/schema/view/role-view.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, memberOf, one, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ sharesRoles: false });
});
afterAll(() => gateway.stop());

const failure = async (query: string, variables?: unknown) =>
  errorOf(await gateway.ask(query, { with: variables }));

const article = 'validation-failed $.selectionSet.article';
/** The expected error for a value that does not fit the type of a column. */
const unread = 'parse-failed $.selectionSet.article';

describe('an invalid document', () => {
  test.each([
    ['{', 'validation-failed $.query not a valid graphql query'],
    ['', 'validation-failed $.query not a valid graphql query'],
    [
      'fragment f on author { id }',
      'validation-failed $ exactly one operation has to be present in the document when operationName is not specified',
    ],
    [
      'mutation { insert_author { id } }',
      "validation-failed $.selectionSet.insert_author.args.objects missing required field 'objects'",
    ],
    [
      'subscription { author { id } }',
      'not-supported $ subscriptions need a WebSocket, or the header accept: text/event-stream',
    ],
    [
      '{ nothing }',
      "validation-failed $.selectionSet.nothing field 'nothing' not found in type: 'query_root'",
    ],
    [
      '{ article { nothing } }',
      `${article}.selectionSet.nothing field 'nothing' not found in type: 'article'`,
    ],
    [
      '{ a: article { author { b: nothing } } }',
      `${article}.selectionSet.author.selectionSet.nothing field 'nothing' not found in type: 'author'`,
    ],
    [
      '{ ...f } fragment f on query_root { article { nothing } }',
      `${article}.selectionSet.nothing field 'nothing' not found in type: 'article'`,
    ],
    ['{ article }', `${article} missing selection set for 'article'`],
    [
      '{ article { id { x } } }',
      `${article}.selectionSet.id unexpected subselection set for non-object field`,
    ],
    [
      '{ article { ...f } } fragment f on article { author { articles { ...f } } }',
      `${article}.selectionSet.f.selectionSet.author.selectionSet.articles.selectionSet the fragment definition(s) f form a cycle`,
    ],
    [
      '{ article { ...o } } fragment o on article { id ...a } fragment a on article { ...b } fragment b on article { ...c } fragment c on article { ...a }',
      `${article}.selectionSet.o.selectionSet.a.selectionSet.b.selectionSet.c.selectionSet the fragment definition(s) a, b, and c form a cycle`,
    ],
    ['{ article { ...f } }', `${article}.selectionSet reference to undefined fragment "f"`],
    [
      '{ article { id @unknown } }',
      `${article}.selectionSet directive 'unknown' is not defined in the schema`,
    ],
    [
      '{ article { id @skip } }',
      `${article}.selectionSet.skip.args.if missing required field 'if'`,
    ],
    [
      '{ article { id @skip(if: "true") } }',
      `${article}.selectionSet.skip.args.if expected a boolean for type 'Boolean', but found a string`,
    ],
    [
      '{ article { id @skip(if: false) @skip(if: true) } }',
      `${article}.selectionSet the following directives are used more than once: ['skip']`,
    ],
    [
      'query @include(if: true) { article { id } }',
      "validation-failed $ directive 'include' is not allowed on a query",
    ],
    [
      '{ article { id: title id } }',
      'validation-failed $ Fields "id" conflict because "title" and "id" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
    ],
  ])('is refused: %s', async (query, expected) => {
    expect(await failure(query)).toBe(expected);
  });

  test('without the operation that operationName selects is refused', async () => {
    const answer = await gateway.ask('query a { author { id } }', { operationName: 'b' });
    expect(errorOf(answer)).toBe(
      'validation-failed $ no such operation found in the document: "b"',
    );
  });
});

describe('an invalid argument', () => {
  test.each([
    ['{ article(nothing: 1) { id } }', `${article} 'article' has no argument named 'nothing'`],
    [
      '{ article_by_pk { id } }',
      "validation-failed $.selectionSet.article_by_pk.args.id missing required field 'id'",
    ],
    [
      '{ article_by_pk(id: null) { id } }',
      "validation-failed $.selectionSet.article_by_pk.args.id unexpected null value for type 'Int'",
    ],
    [
      '{ article(limit: "3") { id } }',
      `${article}.args.limit expected a non-negative 32-bit integer for type 'Int', but found a string`,
    ],
    [
      '{ article(offset: true) { id } }',
      `${article}.args.offset expected a 32-bit integer, or a 64-bit integer represented as a string for type 'Int', but found a boolean`,
    ],
    [
      '{ article(limit: -1) { id } }',
      `${article}.args.limit expected a non-negative 32-bit integer for type 'Int', but found an integer`,
    ],
    [
      '{ article(limit: 99999999999) { id } }',
      'parse-failed $.selectionSet.article.args.limit The value 9.9999999999e10 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(limit: 1e400) { id } }',
      'parse-failed $.selectionSet.article.args.limit The value 1.0e400 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(limit: 12345678901234567890.10) { id } }',
      'parse-failed $.selectionSet.article.args.limit The value 1.23456789012345678901e19 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(limit: 0.050) { id } }',
      'parse-failed $.selectionSet.article.args.limit The value 5.0e-2 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(limit: 0.50) { id } }',
      'parse-failed $.selectionSet.article.args.limit The value 0.5 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(offset: "x") { id } }',
      `${article}.args.offset expected a 32-bit integer, or a 64-bit integer represented as a string for type 'Int', but found a string`,
    ],
    [
      '{ article(where: null) { id } }',
      `${article}.args.where expected an object for type 'article_bool_exp', but found null`,
    ],
    [
      'mutation { update_author(where: null, _set: {}) { affected_rows } }',
      "validation-failed $.selectionSet.update_author.args.where expected an object for type 'author_bool_exp', but found null",
    ],
    [
      'mutation { insert_author(objects: null) { affected_rows } }',
      'validation-failed $.selectionSet.insert_author.args.objects expected a list, but found null',
    ],
    [
      '{ article(distinct_on: [null]) { id } }',
      `${article}.args.distinct_on[0] expected an enum value for type 'article_select_column', but found null`,
    ],
    [
      '{ article(where: []) { id } }',
      `${article}.args.where expected an object for type 'article_bool_exp', but found a list`,
    ],
    [
      '{ article(where: {title: {_ne: "a"}}) { id } }',
      `${article}.args.where.title._ne field '_ne' not found in type: 'String_comparison_exp'`,
    ],
    [
      '{ article(where: {_and: [{id: {_eq: 1}}, {nothing: {}}]}) { id } }',
      `${article}.args.where._and[1].nothing field 'nothing' not found in type: 'article_bool_exp'`,
    ],
    [
      '{ article(where: {id: {_eq: null}}) { id } }',
      `${article}.args.where.id._eq unexpected null value for type 'Int'`,
    ],
    [
      '{ article(where: {id: {_in: [1, null]}}) { id } }',
      `${article}.args.where.id._in[1] unexpected null value for type 'Int'`,
    ],
    [
      '{ article(where: {_or: null}) { id } }',
      `${article}.args.where._or expected a list, but found null`,
    ],
    [
      '{ article(where: {id: {_is_null: "true"}}) { id } }',
      `${article}.args.where.id._is_null expected a boolean for type 'Boolean', but found a string`,
    ],
    [
      '{ article(where: {id: {_eq: 2147483648}}) { id } }',
      'parse-failed $.selectionSet.article.args.where.id._eq The value 2.147483648e9 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      '{ article(where: {title: {_eq: 1}}) { id } }',
      `${unread}.args.where.title._eq expected a string for type 'String', but found an integer`,
    ],
    [
      '{ article(where: {published: {_eq: 1.5}}) { id } }',
      `${unread}.args.where.published._eq expected a boolean for type 'Boolean', but found a float`,
    ],
    [
      '{ article(where: {price: {_eq: true}}) { id } }',
      `${unread}.args.where.price._eq expected a number for type 'numeric', but found a boolean`,
    ],
    [
      '{ article(where: {published_at: {_eq: {}}}) { id } }',
      `${unread}.args.where.published_at._eq expected a string for type 'timestamptz', but found an object`,
    ],
    [
      '{ article(where: {mood: {_eq: angry}}) { id } }',
      `${article}.args.where.mood._eq expected one of the values ['sad', 'happy-go'] for type 'mood', but found 'angry'`,
    ],
    [
      '{ article(where: {path: {_eq: "a..b"}}) { id } }',
      'parse-failed $.selectionSet.article.args.where.path._eq Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3',
    ],
    [
      '{ article(order_by: {id: up}) { id } }',
      `${article}.args.order_by[0].id expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'] for type 'order_by', but found 'up'`,
    ],
    [
      '{ article(order_by: {id: "asc"}) { id } }',
      `${article}.args.order_by[0].id expected an enum value for type 'order_by', but found a string`,
    ],
    [
      '{ billing_invoice(distinct_on: [nothing]) { total } }',
      "validation-failed $.selectionSet.billing_invoice.args.distinct_on[0] expected one of the values ['number', 'organization_id', 'total'] for type 'billing_invoice_select_column', but found 'nothing'",
    ],
    [
      '{ __type { name } }',
      "validation-failed $.selectionSet.__type.args.name missing required field 'name'",
    ],
  ])('of %s is refused', async (query, expected) => {
    expect(await failure(query)).toBe(expected);
  });
});

describe('an invalid variable', () => {
  test.each([
    [
      'query ($x: Int) { article(where: {title: {_eq: $x}}) { id } }',
      {},
      `${article}.args.where.title._eq variable 'x' is declared as 'Int', but used where 'String' is expected`,
    ],
    [
      'query ($x: Int) { article_by_pk(id: $x) { id } }',
      { x: 1 },
      "validation-failed $.selectionSet.article_by_pk.args.id variable 'x' is declared as 'Int', but used where 'Int!' is expected",
    ],
    [
      'query ($x: nothing) { article(where: $x) { id } }',
      {},
      `${article}.args.where variable 'x' is declared as 'nothing', but used where 'article_bool_exp' is expected`,
    ],
    ['{ article(where: $x) { id } }', {}, `${article}.args.where unbound variable "x"`],
    [
      'query ($x: Int!) { article_by_pk(id: $x) { id } }',
      {},
      'validation-failed $.variableValues expecting a value for non-nullable variable: "x"',
    ],
    [
      'query ($x: Int! = 1) { article_by_pk(id: $x) { id } }',
      { x: null },
      'validation-failed $ null value found for non-nullable type: "Int!"',
    ],
    [
      'query ($x: Int) { article(where: {id: {_eq: $x}}) { id } }',
      { x: null },
      `${article}.args.where.id._eq unexpected null value for type 'Int'`,
    ],
    [
      'query ($x: Int) { article(where: {id: {_eq: $x}}) { id } }',
      {},
      `${article}.args.where.id._eq unexpected null value for type 'Int'`,
    ],
    [
      'query ($x: article_bool_exp) { article(where: $x) { id } }',
      { x: { author: { nothing: {} } } },
      `${article}.args.where.author.nothing field 'nothing' not found in type: 'author_bool_exp'`,
    ],
    [
      'query ($x: article_bool_exp) { article(where: $x) { id } }',
      { x: { id: { _in: [1, 'a'] } } },
      'data-exception $ invalid input syntax for type integer: "a"',
    ],
    [
      'query ($x: mood) { article(where: {mood: {_eq: $x}}) { id } }',
      { x: 'angry' },
      `${article}.args.where.mood._eq expected one of the values ['sad', 'happy-go'] for type 'mood', but found 'angry'`,
    ],
    [
      'query ($x: Int) { article(limit: $x) { id } }',
      { x: 1.5 },
      'parse-failed $.selectionSet.article.args.limit The value 1.5 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?',
    ],
    [
      'query ($x: Int) { article(limit: $x) { id } }',
      { x: '1' },
      `${article}.args.limit expected a non-negative 32-bit integer for type 'Int', but found a string`,
    ],
    ['{ article { id } }', [1], 'parse-failed $.variables expected an object for "variables"'],
  ])('of %s is refused', async (query, variables, expected) => {
    expect(await failure(query, variables)).toBe(expected);
  });

  test('with a number of a million digits is refused quickly, because its digits are not scanned repeatedly', async () => {
    const zeros = '0'.repeat(1_000_000);
    const refusal = await failure('query ($x: Int) { article(offset: $x) { id } }', {
      x: `1${zeros}1`,
    });
    expect(refusal).toBe(
      `parse-failed $.selectionSet.article.args.offset The value 1.${zeros}1e1000001 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
    );
  });
});

describe('an error of Postgres', () => {
  const badUuid = '{ organization_by_pk(id: "nonsense") { id } }';

  test('is reported to admin with its message', async () => {
    expect(await failure(badUuid)).toBe(
      'data-exception $ invalid input syntax for type uuid: "nonsense"',
    );
  });

  test('is reported to roles other than admin by its code, without the message', async () => {
    expect(errorOf(await gateway.ask(badUuid, memberOf(one)))).toBe(
      'data-exception $ a value is not written as its type requires',
    );
  });

  test('about an invalid LIKE pattern is reported with the code bad-request', async () => {
    const query = String.raw`{ article(where: {title: {_like: "A\\"}}) { id } }`;
    expect(await failure(query)).toBe(
      'bad-request $ LIKE pattern must not end with escape character',
    );
  });

  test('about an invalid value of an extension type is reported as a data exception', async () => {
    expect(await failure('{ article(where: {path: {_matches: "a{"}}) { id } }')).toMatch(
      /^data-exception \$ lquery syntax error/,
    );
  });

  test('about a missing privilege is reported without the table and the reason', async () => {
    const owner = await gateway.database.connectOwner();
    const role = `${gateway.rolePrefix}member`;
    await owner.query(`revoke select on setting, author from ${role}`);
    await owner.query(`revoke select (rank) on author from ${role}`);
    expect(errorOf(await gateway.ask('{ author { rank } }', memberOf(one)))).toBe(
      'permission-error $ permission denied',
    );
    await gateway.apply();
  });

  test('that says nothing useful to the client is logged, and reported only as an internal error', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query('alter table setting rename to settings');
    expect(await failure('{ setting { level } }')).toBe('unexpected $ database query error');
    expect(gateway.log.join('')).toContain('relation \\"public.setting\\" does not exist');
    await owner.query('alter table settings rename to setting');
  });
});

describe('an error that Postgres did not raise', () => {
  const limits = { statementTimeoutMs: 1000, maxRows: 1, maxBytes: 1, callsOwner: false };
  const view = { role: { isAdmin: false } as RoleView, ...limits };

  test.each([
    [new TypeError('of undefined'), 'unexpected', 'internal error'],
    [new RangeError('too deep'), 'unexpected', 'internal error'],
    [
      new Error('Connection terminated'),
      'unavailable',
      'the database cannot be reached or is too busy; nothing was done, try again',
    ],
    [
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      'unavailable',
      'the database cannot be reached or is too busy; nothing was done, try again',
    ],
  ])(
    'is reported as unavailable, or as an internal error if it is a bug of the server: %s',
    (error, code, message) => {
      expect(toRequestError(error, view)).toMatchObject({
        code,
        message,
        cause: error,
      });
    },
  );
});
