import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { commands } from '../../../../permissions/index.ts';
import { parseConfig } from '../../../../server/config/config.ts';
import { makeCommandContext } from '../../../../server/start/make-command-context.ts';
import { serverParts } from '../../../../server/start/server-parts.ts';
import { errorOf } from '../support/error-of.ts';
import { type Gateway, headersOf, startGateway } from '../support/gateway.ts';
import { hashOf, kinds, operationSettings, operationsMetadata, persisted, post } from './world.ts';

let gateway: Gateway;
let open: Pick<Gateway, 'ask' | 'send'>;
beforeAll(async () => {
  gateway = await startGateway({
    metadata: { ...operationsMetadata, 'ops/kinds.graphql': kinds },
    config: operationSettings({ allowList: true }),
    unauthorizedRole: 'anybody',
  });
  open = await gateway.beside({});
});
afterAll(() => gateway.stop());

const refused = 'validation-failed $ query is not allowed';
const titles = `query titles($limit: Int = 2) { article(limit: $limit, order_by: {id: asc}) { ...one } }
  fragment one on article { id title }`;
const authors = '{ author(where: {name: {_eq: "Ada"}}) { id author: name } }';
const asked = async (query: string, role = 'reader') => gateway.ask(query, { role });
const errorFor = async (query: string, role?: string) => errorOf(await asked(query, role));

describe('a document in the allow-list', () => {
  test('runs', async () => {
    expect((await asked(titles)).data.article).toHaveLength(2);
  });

  test('runs with the variables of the request', async () => {
    const { data } = await gateway.ask(titles, { role: 'reader', with: { limit: 1 } });
    expect(data.article).toHaveLength(1);
  });

  test.each([
    ['white space', titles.replaceAll(' ', '\n\t ,')],
    ['comments', titles.replace('{', '{ # { author { id } }\n')],
    [
      '__typename',
      titles
        .replaceAll('{ ...one', '{ __typename ...one')
        .replace('id title', 'id title __typename'),
    ],
    ['the order of definitions', titles.split('\n').toReversed().join('\n')],
    ['the spelling of strings', authors.replace('"Ada"', '"""Ada"""')],
  ])('runs even if the sent text differs in %s', async (_what, query) => {
    expect((await asked(query)).errors).toBeUndefined();
  });

  test('runs if the allow-list takes it from a .graphql file', async () => {
    expect((await asked(kinds)).data.__schema.queryType.name).toBe('query_root');
  });

  test('returns only rows that the rules of the role allow', async () => {
    expect(await errorFor(authors, 'counter')).toContain("field 'author' not found");
  });
});

describe('a document that is not in the allow-list', () => {
  test.each([
    ['another field', titles.replace('title }', 'title author_id }')],
    ['another alias', titles.replace('{ id', '{ x: id')],
    ['an alias of __typename', titles.replace('{ id', '{ x: __typename id')],
    ['a directive at __typename', titles.replace('{ id', '{ __typename @include(if: true) id')],
    ['another argument', authors.replace('Ada', 'Bob')],
    ['an additional argument', authors.replace('(where', '(limit: 1, where')],
    ['another default', titles.replace('= 2', '= 3')],
    ['another name', titles.replace('titles', 'Titles')],
    ['an additional fragment', `${titles} fragment two on author { id }`],
    [
      'another fragment',
      titles.replace('fragment one on article { id title', 'fragment one on article { id mood'),
    ],
    [
      'a fragment called __typename',
      `${authors.replace('{ id', '{ ...__typename id')} fragment __typename on author { name }`,
    ],
    ['an additional operation', `${titles} query more { author { id } }`],
    ['the inside of a fragment', '{ article(limit: 2, order_by: {id: asc}) { id title } }'],
    ['only introspection', '{ __schema { types { name } } }'],
    ['only __typename', '{ __typename }'],
    ['a mutation', 'mutation { delete_article(where: {}) { affected_rows } }'],
  ])('is refused: %s', async (_what, query) => {
    expect(await errorFor(query)).toBe(refused);
  });

  test('is refused with the same error if it does not fit the schema, which reveals nothing', async () => {
    expect(await errorFor('{ no_such_field }')).toBe(refused);
  });

  test.each([[900], [2000], [3500]])(
    'with %i nested levels is refused without an internal error',
    async (depth) => {
      const query = `${'{a'.repeat(depth)}${'}'.repeat(depth)}`;
      // How many levels the parser accepts depends on the size of the stack, so either of two errors may occur.
      expect(await errorFor(query)).toMatch(/^validation-failed/);
    },
  );

  test('is refused in a batch, while a listed document in the same batch runs', async () => {
    const batch = [{ query: titles }, { query: '{ author { id } }' }];
    const answers = (await post(gateway, batch)) as unknown as readonly object[];
    expect(answers.map((one) => Object.keys(one))).toEqual([['data'], ['errors']]);
  });

  test('runs in the role admin', async () => {
    expect((await gateway.ask('{ author { secret } }')).errors).toBeUndefined();
  });

  test('runs if the allow-list is disabled', async () => {
    expect((await open.ask('{ author { id } }', { role: 'reader' })).errors).toBeUndefined();
  });
});

describe('a document in a collection of the allow-list that lists its allowed roles', () => {
  const query = '{ article { id author_id } }';

  test('runs for a listed role', async () => {
    expect((await asked(query, 'linker')).errors).toBeUndefined();
  });

  test('is refused for a role that is not listed', async () => {
    expect(await errorFor(query, 'reader')).toBe(refused);
  });

  test('is refused for every role if the list is empty', async () => {
    expect(await errorFor('{ author { id } }')).toBe(refused);
  });
});

describe('a document of the allow-list, requested by documentId instead of its text (trusted document),', () => {
  test.each([
    ['its name', 'web/authors'],
    ['its sha256', hashOf(authors)],
    ['its sha256 with the name of the digest', `sha256:${hashOf(authors)}`],
  ])('runs by %s', async (_what, documentId) => {
    expect((await post(gateway, { documentId })).data.author).toEqual([{ id: 1, author: 'Ada' }]);
  });

  test('runs by its hash as a persisted query, without being registered first', async () => {
    expect((await post(open, persisted(hashOf(authors)))).data.author).toHaveLength(1);
  });

  test('runs by GET', async () => {
    const response = await gateway.send(
      { method: 'GET', headers: headersOf({ role: 'reader' }) },
      '/v1/graphql?documentId=web/titles&variables={"limit":1}',
    );
    expect(((await response.json()) as { data: { article: object[] } }).data.article).toHaveLength(
      1,
    );
  });

  test.each([
    ['that only another role may use', 'staff/everything'],
    ['that no role may use', 'unused/secret'],
    ['that does not exist', 'web/nothing'],
  ])('%s is reported as not found', async (_what, documentId) => {
    expect(errorOf(await post(open, { documentId }))).toBe(
      'validation-failed $.documentId no document is listed under this id',
    );
  });

  test('is refused if the request also contains a query', async () => {
    expect(errorOf(await post(gateway, { documentId: 'web/titles', query: titles }))).toBe(
      'bad-request $.documentId a document is named in one way only',
    );
  });
});

describe('a persisted query with the allow-list enabled', () => {
  test('is refused and not stored if the allow-list does not contain it', async () => {
    const query = '{ author { id name } }';
    expect(errorOf(await post(gateway, { query, ...persisted(hashOf(query)) }))).toBe(refused);
    expect(errorOf(await post(gateway, persisted(hashOf(query)), 'linker'))).toContain('NotFound');
  });

  test('stays refused for other roles after admin has registered it', async () => {
    const query = '{ author { id email } }';
    const registered = await gateway.send({
      headers: headersOf({}),
      body: JSON.stringify({ query, ...persisted(hashOf(query)) }),
    });
    expect(await registered.json()).toHaveProperty('data');
    expect(errorOf(await post(gateway, persisted(hashOf(query))))).toBe(refused);
  });
});

describe('the role of requests without credentials, with the allow-list enabled,', () => {
  const stranger = async (query: string) => {
    const headers = { 'content-type': 'application/json', 'X-Gql-Debug': 'true' };
    return gateway.send({ headers, body: JSON.stringify({ query }) });
  };

  test('runs documents of collections without a list of roles', async () => {
    expect(await (await stranger(titles)).json()).toHaveProperty('data.article.length', 2);
  });

  test('cannot run other documents', async () => {
    expect(errorOf((await (await stranger('{ article { id } }')).json()) as never)).toBe(refused);
  });

  test('gets no response headers for debugging, even if it requests them', async () => {
    const names = [...(await stranger(titles)).headers.keys()];
    expect(names.filter((name) => name.startsWith('x-rowgate'))).toEqual([]);
  });
});

describe('the command check, about operations of the allow-list,', () => {
  const check = commands.find(({ name }) => name === 'check');
  const findings = async () => {
    const { config } = parseConfig({ DATABASE_URL: gateway.database.ownerUrl }, '/');
    const { context, close } = makeCommandContext({
      config,
      logger: pino({ level: 'silent' }),
      ...serverParts,
    });
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const options = { metadata: gateway.folder };
    await check?.run(options, [], { ...context, print, printError: print });
    await close();
    const about = lines.filter((line) => line.includes('RG_ALLOW_LIST'));
    return about.map((line) => line.replaceAll(`${gateway.folder}/`, ''));
  };

  test('reports nothing if some role can run each operation', async () => {
    expect(await findings()).toEqual([]);
  });

  test('warns about operations that no role can run', async () => {
    onTestFinished(() => gateway.write({ 'ops/kinds.graphql': kinds }));
    await gateway.write({
      'ops/kinds.graphql': 'query fine { author { name } }\nquery wrong { author { secret } }',
    });
    expect(await findings()).toEqual([
      expect.stringMatching(
        /^ops\/kinds\.graphql:1:1 warning RG_ALLOW_LIST no role that the operation "kinds" is listed for can run it: field 'secret' not found in type: 'author'/,
      ),
    ]);
  });
});

test('a document added to the allow-list runs after the metadata is loaded again', async () => {
  onTestFinished(async () => {
    await gateway.write({ 'allow_list.yaml': operationsMetadata['allow_list.yaml'] ?? '' });
    await gateway.reload();
  });
  const query = '{ author { name } }';
  expect(await errorFor(query)).toBe(refused);
  await gateway.write({
    'allow_list.yaml': `${operationsMetadata['allow_list.yaml']}  - { collection: late }
`.replace('  unused:', `  late: { operations: [{ name: names, query: '${query}' }] }\n  unused:`),
  });
  await gateway.reload();
  expect((await asked(query)).errors).toBeUndefined();
});
