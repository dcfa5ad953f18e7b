import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { errorOf } from './support/error-of.ts';
import { type Ask, type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table author (id int primary key, name text not null, rank int not null default 0);
create table article (id int primary key, author_id int references author, title text not null);
create index on article (author_id);
create function statement(author) returns text language sql stable as $$ select current_query() $$;
create function settings(author) returns json language sql stable as $$ select json_build_object(
  'jit', current_setting('jit'), 'workers', current_setting('max_parallel_workers_per_gather'),
  'hash', current_setting('hash_mem_multiplier'), 'memory', current_setting('work_mem')) $$;
create function drafts(one author) returns setof article language sql stable
  as $$ select * from article where author_id = one.id $$;
create function all_authors() returns setof author language sql stable as $$ select * from author $$;
create function patience(one author) returns text language sql stable as $$ select pg_sleep(60)::text $$;
insert into author values (1, 'Ada'), (2, 'Bob'), (3, 'Cy');
insert into article values (1, 1, 'Alpha'), (2, 1, 'Beta'), (3, 2, 'Gamma'), (4, null, 'Orphan');`;

const metadata = {
  'roles.yaml': `roles:
  narrow: { limits: { crossings: 2 } }
  wide: { limits: { crossings: 1000 } }
  hurried: { limits: { seconds: 1 } }
  one: { group: a, purpose: sees names }
  two: { group: a, purpose: sees ranks }
  both: { inherits: [one, two] }
  led: { group: a, purpose: sees articles by their authors }
  free: { group: a, purpose: sees ids by authors }
  inheriting: { inherits: [led, free] }
`,
  'tables/author.yaml': `table: author
computed_fields:
  statement: { function: statement }
  settings: { function: settings }
  drafts: { function: drafts }
  patience: { function: patience }
permissions:
  narrow: { select: { filter: {}, columns: '*', computed_fields: '*' } }
  wide: { select: { filter: {}, columns: '*', computed_fields: '*' } }
  hurried: { select: { filter: {}, columns: '*', computed_fields: '*' } }
  one: { select: { filter: { id: { _lt: 3 } }, columns: [id, name] } }
  two: { select: { filter: { id: { _gt: 1 } }, columns: [id, rank] } }
`,
  'tables/article.yaml': `table: article
permissions:
  narrow: { select: { filter: {}, columns: '*' } }
  wide: { select: { filter: {}, columns: '*' } }
  hurried: { select: { filter: {}, columns: '*', allow_aggregations: true } }
  one: { select: { filter: {}, columns: [id, author_id] } }
  two: { select: { filter: {}, columns: [id, author_id, title] } }
  led: { select: { filter: { author: { rank: { _eq: X-Gql-Rank } } }, columns: [id, title] } }
  free: { select: { filter: { author: { rank: { _gt: X-Gql-Rank } } }, columns: [id] } }
`,
  'functions/all_authors.yaml': 'function: all_authors\n',
};

let gateway: Gateway;
let small: Pick<Gateway, 'ask'>;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  const { limits } = parseConfig({}, '/').config;
  small = await gateway.beside({ limits: { ...limits, crossings: 3 } });
});
afterAll(() => gateway.stop());

const tooMany = (count: number) =>
  `the conditions and orderings of one operation may follow relationships, aggregates and computed fields ${count} times in all; put conditions on one related row into one object, compare with lists (_in), or split it into several operations`;
const each = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
const list = (parts: readonly string[]) => `[${parts.join(', ')}]`;
const titled = (index: number) => `{articles: {title: {_neq: "${index}"}}}`;
const named = (index: number) => `{author: {name: {_neq: "${index}"}}}`;

/** Returns the error of a query on a server that allows three crossings per operation. */
async function refusal(query: string, ask: Ask = {}): Promise<string> {
  return errorOf(await small.ask(query, ask));
}

describe('crossings (uses of a relationship, aggregate or computed field in where or order_by)', () => {
  test('are refused beyond fifty per operation', async () => {
    const query = (count: number) =>
      `{ article(where: {_and: ${list(each(count, named))}}) { id } }`;
    expect((await gateway.ask(query(50))).data.article).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(errorOf(await gateway.ask(query(51)))).toBe(
      `node-limit-exceeded $.selectionSet.article.args.where ${tooMany(50)}`,
    );
  });

  test.each([
    ['_or', 'author', `where: {_or: ${list(each(4, titled))}}`],
    ['_not', 'author', `where: {_and: ${list(each(4, (n) => `{_not: ${titled(n)}}`))}}`],
    ['nested', 'author', 'where: {articles: {author: {articles: {author: {id: {_gt: 0}}}}}}'],
    [
      'aggregates',
      'author',
      `where: {_and: ${list(each(4, (n) => `{articles_aggregate: {count: {predicate: {_neq: ${n}}}}}`))}}`,
    ],
    [
      'filters of aggregates',
      'author',
      'where: {articles_aggregate: {count: {predicate: {_gt: 0}, filter: {author: {articles: {author: {id: {_gt: 0}}}}}}}}',
    ],
    [
      'computed rows',
      'author',
      `where: {_and: ${list(each(4, (n) => `{drafts: {title: {_neq: "${n}"}}}`))}}`,
    ],
    [
      'computed values',
      'author',
      `where: {_and: ${list(each(4, (n) => `{statement: {_neq: "${n}"}}`))}}`,
    ],
    ['on rows of a function', 'all_authors', `where: {_and: ${list(each(4, titled))}}`],
    ['on aggregated rows', 'author_aggregate', `where: {_and: ${list(each(4, titled))}}`],
  ])('in where count towards the limit: %s', async (_what, field, args) => {
    const selected = field.endsWith('_aggregate') ? 'aggregate { count }' : 'id';
    const query = `{ ${field}(${args}) { ${selected} } }`;
    expect(await refusal(query)).toBe(
      `node-limit-exceeded $.selectionSet.${field}.args.where ${tooMany(3)}`,
    );
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });

  test.each([
    [
      'relationships',
      'article',
      '[{author: {id: asc}}, {author: {name: asc}}, {author: {rank: desc}}, {author: {statement: asc}}]',
    ],
    ['nested', 'article', '{author: {articles_aggregate: {max: {title: asc, id: asc}}}}'],
    [
      'aggregates',
      'author',
      '{articles_aggregate: {count: asc, max: {id: asc, title: asc}, min: {id: asc}}}',
    ],
    [
      'aggregates of computed rows',
      'author',
      '{drafts_aggregate: {count: asc, max: {id: asc, title: asc}, min: {id: asc}}}',
    ],
  ])(
    'in order_by count towards the limit, once for each ordering expression: %s',
    async (_what, field, order) => {
      const query = `{ ${field}(order_by: ${order}) { id } }`;
      expect(await refusal(query)).toBe(
        `node-limit-exceeded $.selectionSet.${field}.args.order_by ${tooMany(3)}`,
      );
      expect((await gateway.ask(query)).errors).toBeUndefined();
    },
  );

  test.each([
    [
      'root fields',
      `{ a: author(where: {_and: ${list(each(2, titled))}}) { id } b: author(where: {_and: ${list(each(2, titled))}}) { id } }`,
      'author',
    ],
    [
      'conditions and orderings',
      `{ author(where: {_and: ${list(each(3, titled))}}, order_by: {articles_aggregate: {count: asc}}) { id } }`,
      'author',
    ],
    [
      'nested lists',
      `{ author(where: ${titled(1)}) { a: articles(where: ${named(1)}) { id } b: articles(where: ${named(1)}) { id } c: articles(where: ${named(1)}) { id } } }`,
      'author.selectionSet.articles',
    ],
    [
      'fragments',
      `{ a: author { ...f } b: author { ...f } } fragment f on author { articles(where: {_and: ${list(each(2, named))}}) { id } }`,
      'author.selectionSet.articles',
    ],
  ])('from several places of one operation are added up: %s', async (_what, query, field) => {
    expect(await refusal(query)).toContain(`node-limit-exceeded $.selectionSet.${field}.args.`);
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });

  test.each([
    [
      'update',
      `update_author(where: {_and: ${list(each(4, titled))}}, _set: {rank: 1})`,
      'update_author.args.where',
    ],
    [
      'delete',
      `delete_author(where: {_and: ${list(each(4, titled))}})`,
      'delete_author.args.where',
    ],
    [
      'updates',
      `update_author_many(updates: ${list(each(4, (n) => `{where: ${titled(n)}, _set: {rank: 1}}`))})`,
      'update_author_many.args.where',
    ],
    [
      'conflicts',
      `insert_author(objects: [{id: 1, name: "x"}], on_conflict: {constraint: author_pkey, update_columns: [rank], where: {_and: ${list(each(4, titled))}}})`,
      'insert_author.args.on_conflict.where',
    ],
  ])('in the where of a mutation count towards the limit: %s', async (_what, field, path) => {
    expect(await refusal(`mutation { ${field} { affected_rows } }`)).toBe(
      `node-limit-exceeded $.selectionSet.${path} ${tooMany(3)}`,
    );
  });

  test('in on_conflict count once, even if Postgres needs a separate insert statement for each row', async () => {
    const objects = each(
      4,
      (n) => `{id: ${n + 10}, title: "x", author: {data: {id: ${n + 10}, name: "x"}}}`,
    );
    const conflict =
      'on_conflict: {constraint: article_pkey, update_columns: [title], where: {author: {name: {_eq: "x"}}}}';
    const answer = await small.ask(
      `mutation { insert_article(objects: ${list(objects)}, ${conflict}) { affected_rows } delete_article(where: {id: {_gt: 9}}) { affected_rows } delete_author(where: {id: {_gt: 9}}) { affected_rows } }`,
    );
    expect(answer.data?.insert_article).toEqual({ affected_rows: 8 });
  });

  test('count towards the limit for an inheriting role too', async () => {
    const query = `{ article(where: {_and: ${list(each(4, named))}}) { id } }`;
    expect(await refusal(query, { role: 'both' })).toContain(tooMany(3));
    const answer = await gateway.ask(query, { role: 'both' });
    expect(answer.data.article).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('have a lower limit if the role sets one, but never a higher limit than the server setting', async () => {
    const query = (count: number) =>
      `{ author(where: {_and: ${list(each(count, titled))}}) { id } }`;
    const ask = async (count: number, role: string) => gateway.ask(query(count), { role });
    expect((await ask(2, 'narrow')).errors).toBeUndefined();
    expect(errorOf(await ask(3, 'narrow'))).toContain(tooMany(2));
    expect(errorOf(await ask(51, 'wide'))).toContain(tooMany(50));
  });

  test('do not include conditions on columns of the table itself, of which 500 are accepted', async () => {
    const query = `{ author(where: {_or: ${list(each(500, (n) => `{id: {_eq: ${n}}}`))}}) { id } }`;
    expect((await small.ask(query)).data.author).toHaveLength(3);
  });
});

describe('equal conditions or orderings that repeat in one list', () => {
  const query =
    'query ($where: author_bool_exp!) { author(where: $where, order_by: {id: asc}) { id } }';
  const ask = (where: unknown) => small.ask(query, { with: { where } });
  const having = (title: string) => ({ articles: { title: { _neq: title } } });

  test('count once towards the limit if they are written in the document', async () => {
    const literal = `{ author(where: {_and: ${list(each(9, () => titled(1)))}}) { id } }`;
    expect((await small.ask(literal)).data.author).toEqual([{ id: 1 }, { id: 2 }]);
    const variables = `query ($t: String!, $u: String!) { author(where: {_or: [${each(
      9,
      (n) => `{articles: {title: {_eq: ${n % 2 ? '$t' : '$u'}}}}`,
    )}]}) { id } }`;
    const answer = await small.ask(variables, { with: { t: 'Alpha', u: 'Gamma' } });
    expect(answer.data.author).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('count once towards the limit if they come from variables, counted again for each request', async () => {
    const equal = { _and: each(4, () => having('Gamma')) };
    const other = { _and: ['Alpha', 'Beta', 'Alpha', 'Gamma'].map(having) };
    const different = { _and: ['Alpha', 'Beta', 'Gamma', 'Delta'].map(having) };
    expect((await ask(equal)).data.author).toEqual([{ id: 1 }]);
    expect((await ask(other)).data.author).toEqual([{ id: 1 }]);
    expect(errorOf(await ask(different))).toContain(tooMany(3));
    expect((await ask(equal)).data.author).toEqual([{ id: 1 }]);
  });

  test('count once at any depth of _and, _or and _not', async () => {
    const pair = [having('Gamma'), having('Gamma')];
    const where = { _or: [{ _and: pair }, { id: { _eq: 3 } }, { _not: { _or: pair } }] };
    expect((await ask(where)).data.author).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('in order_by count once, and the first one applies', async () => {
    const order = list(each(9, (n) => `{articles_aggregate: {count: ${n ? 'asc' : 'desc'}}}`));
    const { data } = await small.ask(`{ author(order_by: ${order}) { id } }`);
    expect(data.author).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

describe('the number of tables that one operation reads', () => {
  const tooManyTables =
    "one operation may read 4 tables, each field, alias and condition counted separately, with the tables that the role's rules lead to; select fewer, or split it into several operations";
  let few: Pick<Gateway, 'ask'>;
  beforeAll(async () => {
    const { limits } = parseConfig({}, '/').config;
    few = await gateway.beside({ limits: { ...limits, tables: 4 } });
  });
  const aliases = (count: number, field: string) => each(count, (n) => `a${n}: ${field}`).join(' ');

  test.each([
    ['lists', aliases(5, 'author { id }'), 'author'],
    ['rows by their keys', aliases(5, 'author_by_pk(id: 1) { id }'), 'author_by_pk'],
    [
      'lists of related rows',
      `author { ${aliases(4, 'articles { id }')} }`,
      'author.selectionSet.articles',
    ],
    ['related rows', `article { ${aliases(4, 'author { id }')} }`, 'article.selectionSet.author'],
    [
      'aggregates',
      `author { ${aliases(4, 'articles_aggregate { aggregate { count } }')} }`,
      'author.selectionSet.articles_aggregate',
    ],
    ['computed rows', `author { ${aliases(4, 'drafts { id }')} }`, 'author.selectionSet.drafts'],
    ['computed values', `author { ${aliases(4, 'statement')} }`, 'author.selectionSet.statement'],
    ['functions', aliases(5, 'all_authors { id }'), 'all_authors'],
  ])('is limited, and each field counts: %s', async (_what, fields, path) => {
    expect(errorOf(await few.ask(`{ ${fields} }`))).toBe(
      `node-limit-exceeded $.selectionSet.${path} ${tooManyTables}`,
    );
    expect((await gateway.ask(`{ ${fields} }`)).errors).toBeUndefined();
  });

  test('counts each table in order_by once, and each table in where twice', async () => {
    const query = (args: string) => `{ author(${args}) { id } }`;
    const [one, two] = [titled(1), `{_and: ${list(each(2, titled))}}`];
    expect((await few.ask(query(`where: ${one}`))).errors).toBeUndefined();
    expect(errorOf(await few.ask(query(`where: ${two}`)))).toContain(tooManyTables);
    const order = '{articles_aggregate: {count: asc, max: {id: asc}}}';
    expect(errorOf(await few.ask(query(`order_by: ${order}`)))).toContain(tooManyTables);
  });

  test("includes tables that the role's select filter reads, or that decide whether a column is masked", async () => {
    const ask = async (fields: string, role: string) =>
      few.ask(`{ ${fields} }`, { role, variables: { Rank: '0' } });
    expect((await ask('article { id }', 'led')).errors).toBeUndefined();
    expect((await ask('a: article { id } b: article { id }', 'led')).errors).toBeUndefined();
    expect(errorOf(await ask(aliases(3, 'article { id }'), 'led'))).toContain(tooManyTables);
    expect((await ask('article { id }', 'inheriting')).errors).toBeUndefined();
    expect(errorOf(await ask('article { id same: title title }', 'inheriting'))).toBe(
      `node-limit-exceeded $.selectionSet.article.selectionSet.title ${tooManyTables}`,
    );
  });

  test('counts the tables in the answer of update_many once, however many updates it has', async () => {
    const updates = list(each(5, (n) => `{where: {id: {_eq: ${n}}}, _set: {rank: 1}}`));
    const answer = await few.ask(
      `mutation { update_author_many(updates: ${updates}) { returning { articles { author { id } } } } }`,
    );
    expect(answer.data.update_author_many).toHaveLength(5);
  });

  test('counts each alias of `returning` in a mutation', async () => {
    const update = (times: number) => {
      const parts = Array.from({ length: times }, (_, index) => `a${index}: returning { id }`);
      return `mutation { update_author(where: {}, _inc: {rank: 0}) { ${parts.join(' ')} } }`;
    };
    expect((await few.ask(update(5))).data.update_author.a4).toHaveLength(3);
    expect(errorOf(await few.ask(update(6)))).toMatch(/^node-limit-exceeded .*returning/);
  });
});

// Postgres does not turn a subquery with "offset 0" into a join. Every statement has two more such subqueries, which
// keep Postgres from computing the list and the answer twice. They are not counted.
const fencesIn = (statement: string) => statement.split('offset 0)').length - 1 - 2;

describe('the SQL statement of a request', () => {
  test('joins at most ten subqueries from where, since Postgres would take long to plan more joins', async () => {
    const fences = async (where: string) => {
      const { data } = await gateway.ask(`{ author(where: {_and: ${where}}) { id statement } }`);
      const [first] = data.author;
      return [data.author.length, fencesIn(first.statement)];
    };
    expect(await fences(list(each(10, titled)))).toEqual([2, 0]);
    expect(await fences(list(each(12, titled)))).toEqual([2, 2]);
    expect(await fences(list(each(6, (n) => `{articles: ${named(n)}}`)))).toEqual([2, 1]);
    expect(await fences(`[{_or: ${list(each(30, titled))}}]`)).toEqual([2, 0]);
  });

  test('joins up to 20 subqueries from where that find a row by its key', async () => {
    const fences = async (count: number) => {
      const { data } = await gateway.ask(
        `{ article(where: {_and: ${list(each(count, named))}}) { author { statement } } }`,
      );
      const [first] = data.article;
      return [data.article.length, fencesIn(first.author.statement)];
    };
    expect(await fences(20)).toEqual([3, 0]);
    expect(await fences(50)).toEqual([3, 30]);
  });

  const settings = async (fields: string, role?: string) =>
    (await gateway.ask(`{ ${fields} author_by_pk(id: 1) { settings } }`, role ? { role } : {})).data
      .author_by_pk.settings;

  test('uses neither JIT compilation nor parallel workers, even if these are configured for the login', async () => {
    const owner = await gateway.database.connectSuperuser();
    const login = `rowgate_${gateway.database.name}_gateway_login`;
    for (const set of [
      'jit = on',
      'max_parallel_workers_per_gather = 4',
      'hash_mem_multiplier = 8',
    ])
      await owner.query(`alter role ${login} set ${set}`);
    const fresh = await gateway.beside({});
    await owner.query(`alter role ${login} reset all`);
    const { data } = await fresh.ask('{ author_by_pk(id: 1) { settings } }', { role: 'hurried' });
    expect(data.author_by_pk.settings).toEqual({
      jit: 'off',
      workers: '0',
      hash: '2',
      memory: '4MB',
    });
  });

  test('sets a lower work_mem, the more tables and sorts it has', async () => {
    const many = each(60, (n) => `a${n}: author(order_by: {name: asc}) { id }`).join(' ');
    expect(await settings('')).toMatchObject({ memory: '4MB' });
    expect(await settings(many)).toMatchObject({ memory: '268kB' });
  });

  test('is stopped at the time limit of the role while it evaluates a slow computed field in order_by', async () => {
    const order =
      '[{patience: asc}, {articles_aggregate: {count: asc}}, {drafts_aggregate: {count: asc}}]';
    const answer = await gateway.ask(`{ author(order_by: ${order}) { id } }`, { role: 'hurried' });
    expect(errorOf(answer)).toBe(
      'time-limit-exceeded $ the operation took longer than 1000 ms and was stopped',
    );
  });
});
