import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callers, schemaOf, settle } from '../../../bench/rules/data.ts';
import { costByHand, costOfRole, sourceOf } from '../../../bench/rules/measure-rule.ts';
import { metadataOf, roles, uses } from '../../../bench/rules/shapes.ts';
import type { Model } from '../../../permissions/index.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

/**
 * Rules that read more pages than the same filter by hand. The page docs/operators/fast-rules.md explains them. The test
 * fails when one of them becomes fast, so that the list stays true.
 */
const exceptions: readonly string[] = [
  'array_variable, list, all',
  'one_of_two_related, list, twenty',
  'one_of_two_related, list, all',
  'one_of_two_related, count, all',
  'one_of_two_related, nested, twenty',
  'one_of_two_related, nested, all',
  'not_related, count, none',
  'not_related, count, one',
  'not_related, count, twenty',
  'not_related, count, all',
];

let made: Installation;
let gateway: pg.Client;
let model: Model;
beforeAll(async () => {
  made = await install({ schema: schemaOf(100_000), rules: metadataOf() });
  await settle(made.owner);
  gateway = await made.connectGateway();
  model = await made.model();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const cases = roles.flatMap((role) =>
  Object.keys(uses).flatMap((use) => Object.keys(callers).map((caller) => ({ role, use, caller }))),
);

const nameOf = ({ role, use, caller }: (typeof cases)[number]) => `${role}, ${use}, ${caller}`;

/** Returns the pages that the role reads, and the pages that it may read. */
async function pagesOf({ role, use, caller }: (typeof cases)[number]) {
  const variables = callers[caller];
  if (!variables) throw new RangeError(`no caller ${caller}`);
  const one = { role, use, variables };
  const byRole = await costOfRole(gateway, one, sourceOf(model, role), made.prefix);
  const { pages } = await costByHand(made.owner, one);
  return { pages: byRole.pages, most: 1.2 * pages + 10 };
}

describe('a rule on 100,000 invoices of 2,000 organizations', () => {
  test.each(cases.filter((one) => !exceptions.includes(nameOf(one))))(
    'reads at most 1.2 times the pages of the filter by hand and 10 more: $role, $use, caller in $caller',
    async (one) => {
      const { pages, most } = await pagesOf(one);
      expect(pages).toBeLessThanOrEqual(most);
    },
  );

  test.each(cases.filter((one) => exceptions.includes(nameOf(one))))(
    'is a documented exception: $role, $use, caller in $caller',
    async (one) => {
      const { pages, most } = await pagesOf(one);
      expect(pages).toBeGreaterThan(most);
    },
  );
});
