import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCases, mutationCases, queryCases } from './support/library-operations.ts';
import { type Data, startTwoLibraries, type TwoLibraries } from './support/two-libraries.ts';

let libraries: TwoLibraries;
beforeAll(async () => {
  libraries = await startTwoLibraries();
});
afterAll(() => libraries.stop());

async function before(query: string | undefined): Promise<Data> {
  return query === undefined ? {} : await libraries.stock(query);
}

describe('for admin, /graphql returns the same data as unmodified PostGraphile:', () => {
  test.each(queryCases)('$title', async ({ query, from, variables }) => {
    const values = variables?.((await before(from)).data);
    const expected = await libraries.stock(query, values);
    expect(expected).toEqual({ data: expect.anything() });
    const answer = await libraries.rowgate(query, values);
    expect(answer).toEqual(expected);
    // The comparison as text also shows that keys have the order of the document.
    expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
  });
});

describe('for admin, a mutation in /graphql writes and returns the same as unmodified PostGraphile:', () => {
  test.each(mutationCases)('$title', async ({ query, from, variables }) => {
    const values = variables?.((await before(from)).data);
    const old = await libraries.rows();
    const expected = await libraries.stock(query, values);
    expect(expected).toEqual({ data: expect.anything() });
    expect(await libraries.rowgate(query, values)).toEqual(expected);
    const { rowgate, stock } = await libraries.rows();
    expect(rowgate).toEqual(stock);
    expect(rowgate).not.toEqual(old.rowgate);
  });
});

describe('for admin, /graphql refuses the same operations as unmodified PostGraphile:', () => {
  test.each(errorCases)('$title', async ({ query, variables, hasMessage }) => {
    const old = await libraries.rows();
    const values = variables?.({});
    const expected = await libraries.stock(query, values);
    const answer = await libraries.rowgate(query, values);
    const messages = (expected as { readonly errors: readonly string[] }).errors;
    expect(messages).not.toEqual([]);
    expect(answer).toEqual({ errors: [hasMessage ? messages[0] : expect.any(String)] });
    expect(await libraries.rows()).toEqual(old);
  });
});

test('a type of a relational interface (smart tag @interface) has only those columns of the shared table that the role may read', async () => {
  const query = '{ allDiscs { nodes { type minutes } } }';
  const nodes = [
    { type: 'disc', minutes: 44 },
    { type: 'disc', minutes: null },
  ];
  expect(await libraries.rowgate(query, {}, 'listener')).toEqual({ data: { allDiscs: { nodes } } });
  expect(await libraries.rowgate('{ allDiscs { nodes { title } } }', {}, 'listener')).toEqual({
    errors: [expect.stringMatching(/^Cannot query field "title" on type "Disc"/)],
  });
});

test('a type of a relational interface is absent from the schema of a role that may not read the table of the interface', async () => {
  const query = '{ allShelves { nodes { label } } }';
  expect(await libraries.rowgate(query, {}, 'counter')).toEqual({
    data: { allShelves: { nodes: expect.any(Array) } },
  });
  expect(await libraries.rowgate('{ allDiscs { nodes { minutes } } }', {}, 'counter')).toEqual({
    errors: [expect.stringMatching(/^Cannot query field "allDiscs" on type "Query"/)],
  });
});
