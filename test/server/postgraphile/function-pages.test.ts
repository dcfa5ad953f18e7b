import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopMetadata, shopSchema } from './support/shop.ts';
import { type RunOptions, type StockEngines, startStockEngines } from './support/stock-engines.ts';

let stock: StockEngines;
beforeAll(async () => {
  stock = await startStockEngines({
    schema: `${shopSchema}
comment on function large_invoices(numeric) is '@behavior +resource:connection:backwards';`,
    metadata: shopMetadata,
  });
});
afterAll(() => stock.stop());

const natural = (place: unknown) =>
  Buffer.from(JSON.stringify(['natural', place])).toString('base64');

const query = `query ($first: Int, $last: Int, $offset: Int, $before: Cursor, $after: Cursor) {
  largeInvoices(threshold: "0", first: $first, last: $last, offset: $offset, before: $before, after: $after) {
    nodes { number } pageInfo { hasNextPage }
  }
}`;

interface Data {
  readonly largeInvoices: { readonly nodes: readonly { readonly number: string }[] };
}

async function numbers(
  variables: NonNullable<RunOptions['variables']>,
): Promise<readonly string[]> {
  const data = (await stock.run('admin', query, { variables })) as Data;
  return data.largeInvoices.nodes.map(({ number }) => number);
}

test.each([
  [{ before: natural(3) }, ['A-1', 'A-2']],
  [{ before: natural(1) }, []],
  [{ before: natural(3), after: natural(1) }, ['A-2']],
  [{ before: natural(2), after: natural(2) }, []],
  [{ before: natural(3), offset: 1 }, ['A-2']],
  [{ before: natural(4), offset: 1, after: natural(1) }, ['A-3']],
  [{ before: natural(3), first: 5 }, ['A-1', 'A-2']],
  [{ before: natural(3), first: 1 }, ['A-1']],
  [{ before: natural(3), last: 1 }, ['A-2']],
  [{ before: natural(99) }, ['A-1', 'A-2', 'A-3', 'B-1']],
  [{ before: null }, ['A-1', 'A-2', 'A-3', 'B-1']],
])(
  'the list of a database function with the variables %j contains only rows between the cursors',
  async (variables, expected) => {
    expect(await numbers(variables)).toEqual(expected);
  },
);

test('the list of a database function ends before the "before" cursor written in the document', async () => {
  const document = `{ largeInvoices(threshold: "0", before: "${natural(3)}") {
    nodes { number } pageInfo { hasNextPage } } }`;
  expect(await stock.run('admin', document)).toEqual({
    largeInvoices: {
      nodes: [{ number: 'A-1' }, { number: 'A-2' }],
      pageInfo: { hasNextPage: true },
    },
  });
});

test.each(['nonsense', natural('3')])(
  'the list of a database function refuses the malformed cursor %s',
  async (before) => {
    expect(await stock.run('admin', query, { variables: { before } })).toMatch(
      /^bad-request: Invalid .*cursor/,
    );
  },
);
