import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, headersOf, startGateway } from './support/gateway.ts';

const query = `{ article_by_pk(id: 1) {
  id views price score published published_at tags meta raw mood path place part body
} }`;
const aggregates = `{ article_aggregate(where: {id: {_in: [1, 2]}}) { aggregate {
  count sum { id views price } avg { id price } max { views score }
} } }`;

const textOf = async (gateway: Gateway, source: string) => {
  const response = await gateway.send({
    headers: headersOf({}),
    body: JSON.stringify({ query: source }),
  });
  // Postgres writes blanks in JSON that JSON.stringify does not write, so the texts are compared without blanks.
  return (await response.text()).replace(/\s*([,:])\s*/g, '$1');
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

describe('values of columns in an answer', () => {
  test('are returned as Postgres prints them, numbers with every digit', async () => {
    expect(await textOf(gateway, query)).toBe(
      [
        '{"data":{"article_by_pk":{"id":1,"views":9007199254740993,"price":10.50,"score":0.1',
        '"published":true,"published_at":"2026-01-02T03:04:05+00:00","tags":["a","b"]',
        '"meta":{"k":{"n":[1,2]},"x y":3},"raw":{"a":{"b":1}},"mood":"sad","path":"Top.Science"',
        '"place":"(1,2)","part":{"r":1,"i":2},"body":"first"}}}',
      ].join(','),
    );
  });

  test('keep every digit in aggregates too', async () => {
    expect(await textOf(gateway, aggregates)).toBe(
      [
        '{"data":{"article_aggregate":{"aggregate" :{"count" :2,"sum" :{"id" :3',
        '"views" :9007199254740998,"price" :30.75},"avg" :{"id" :1.5000000000000000',
        '"price" :15.3750000000000000},"max" :{"views" :9007199254740993,"score" :0.2}}}}}',
      ]
        .join(',')
        .replaceAll(' :', ':'),
    );
  });

  test('of JSON columns can be reduced to a part by the argument path', async () => {
    const paths = `{ article_by_pk(id: 1) {
      a: meta(path: "k") b: meta(path: "$.k.n[1]") c: meta(path: "['x y']") d: raw(path: "a.b")
      e: meta(path: "nothing") f: meta(path: "$") g: meta(path: null) h: meta(path: ".k.['n'].[0]")
    } }`;
    const whole = { k: { n: [1, 2] }, 'x y': 3 };
    expect((await gateway.ask(paths)).data.article_by_pk).toEqual({
      ...{ a: { n: [1, 2] }, b: 2, c: 3, d: 1, e: null, f: whole, g: whole, h: 1 },
    });
  });

  test('of JSON columns can be reduced to a part by the argument path from a variable', async () => {
    const paths = 'query ($p: String) { article_by_pk(id: 1) { meta(path: $p) } }';
    const ask = async (p: string | null) =>
      (await gateway.ask(paths, { with: { p } })).data.article_by_pk.meta;
    expect(await ask('$.k.n')).toEqual([1, 2]);
    expect(await ask('["x y"]')).toBe(3);
    expect(await ask(null)).toHaveProperty('k');
  });

  test('of JSON columns cause an error if the argument path is invalid', async () => {
    const { errors } = await gateway.ask('{ article_by_pk(id: 1) { meta(path: "a[b") } }');
    expect(errors?.[0]).toEqual({
      message: 'the JSON path "a[b" cannot be read from character 2 on',
      extensions: {
        code: 'parse-failed',
        path: '$.selectionSet.article_by_pk.selectionSet.meta.args.path',
      },
    });
  });
});

describe('numbers that are returned as strings by configuration', () => {
  let stringifying: Pick<Gateway, 'ask'>;
  beforeAll(async () => {
    stringifying = await gateway.beside({ stringifyNumericTypes: true });
  });

  test('are those of the types bigint, numeric and double precision', async () => {
    expect((await stringifying.ask(query)).data.article_by_pk).toMatchObject({
      ...{ id: 1, views: '9007199254740993', price: '10.50', score: '0.1' },
    });
  });

  test('include aggregates of columns of these types, but not of int columns', async () => {
    expect((await stringifying.ask(aggregates)).data.article_aggregate.aggregate).toEqual({
      count: 2,
      sum: { id: 3, views: '9007199254740998', price: '30.75' },
      avg: { id: 1.5, price: '15.3750000000000000' },
      max: { views: '9007199254740993', score: '0.2' },
    });
  });
});
