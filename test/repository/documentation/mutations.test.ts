import { expect, test } from 'vitest';
import { readPages } from '../../support/documentation.ts';
import { readBlocks } from './blocks.ts';

test('the examples of the documentation use all seven kinds of mutations that write', () => {
  const answers = readPages()
    .flatMap(readBlocks)
    .filter(({ world, language }) => world === 'platform' && language === 'graphql')
    .flatMap(({ answer }) => (answer ? JSON.parse(answer.text) : []));
  const asked = new Set(answers.flatMap(({ data = {} }: { data?: object }) => Object.keys(data)));
  expect([...asked]).toEqual(
    expect.arrayContaining([
      ...['delete_invoice', 'delete_invoice_by_pk', 'insert_invoice', 'insert_invoice_one'],
      ...['update_invoice', 'update_invoice_by_pk', 'update_invoice_many'],
    ]),
  );
});
