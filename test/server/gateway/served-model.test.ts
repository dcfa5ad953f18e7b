import { expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import { openServedModel } from '../../../server/gateway/served-model.ts';

const first = { fingerprint: 'first' } as Model;
const second = { fingerprint: 'second' } as Model;

/** Returns a loader of rules. Each call returns or throws the next of these outcomes. */
function loading(...outcomes: readonly (Model | Error)[]): () => Promise<Model> {
  const left = [...outcomes];
  return async () => {
    const next = left.shift();
    if (next === undefined || next instanceof Error) throw next;
    return next;
  };
}

test('a server without GraphQL serves the rules that it loaded last', async () => {
  const rules = await openServedModel(loading(first, second));
  expect(rules.model()).toBe(first);
  await rules.reload();
  expect(rules.model()).toBe(second);
});

test('a server continues with the old rules when loading the new ones fails', async () => {
  const rules = await openServedModel(loading(first, new Error('a mistake')));
  await expect(rules.reload()).rejects.toThrow('a mistake');
  expect(rules.model()).toBe(first);
});
