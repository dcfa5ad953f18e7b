import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBlocks } from '../../../repository/documentation/blocks.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import { firstAnswer } from './support/subscribe.ts';

// Runs the subscriptions of docs/clients/subscriptions.md.
const file = 'docs/clients/subscriptions.md';
const text = readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8');
const blocks = readBlocks({ file, text });
const subscriptions = blocks.filter(({ language }) => language === 'graphql');

let gateway: Gateway;
beforeAll(async () => {
  const files = blocks.flatMap((block) =>
    block.file?.startsWith('metadata/') ? [[block.file.slice('metadata/'.length), block.text]] : [],
  );
  const schema = blocks.find(({ language }) => language === 'sql')?.text ?? '';
  gateway = await startGateway({ schema, metadata: Object.fromEntries(files) });
});
afterAll(() => gateway.stop());

function askOf(headers: Readonly<Record<string, string>>): Ask {
  const { 'X-Gql-Role': role = '', ...others } = headers;
  const variables = Object.entries(others).map(([name, value]) => [
    name.slice('X-Gql-'.length),
    value,
  ]);
  return { role, variables: Object.fromEntries(variables) };
}

test('the page has subscriptions of both kinds', () => {
  expect(subscriptions.length).toBeGreaterThan(3);
});

test.each(subscriptions)(
  'the first message of the subscription $title is the answer of the page',
  async ({ text: document, headers, answer }) => {
    const message = await firstAnswer(gateway, document, askOf(headers));
    expect(message).toEqual(JSON.parse(answer?.text ?? ''));
  },
);
