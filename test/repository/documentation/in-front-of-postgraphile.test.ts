import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSchema } from 'postgraphile';
import { execute, hookArgs } from 'postgraphile/grafast';
import { type ExecutionResult, parse } from 'postgraphile/graphql';
import { expect, test } from 'vitest';
import { readPage } from '../../support/documentation.ts';
import { readBlocks } from './blocks.ts';
import { describePage } from './describe-page.ts';

const tutorial = 'docs/tutorials/in-front-of-postgraphile.md';

describePage(tutorial, {
  startsProgram: true,
  afterwards: (world) => {
    test("the server logs which keys of the tutorial's preset have no effect", () => {
      for (const key of ['pgServices', 'grafserv', 'grafast']) {
        expect(world().log()).toContain(`"${key}"`);
      }
    });

    test('PostGraphile alone and Rowgate in front of it answer the same query with the same preset', async () => {
      process.env.DATABASE_URL = world().environment.DATABASE_URL;
      const query = '{ allRepairs { nodes { headline customerByCustomerId { fullName } } } }';
      const url = pathToFileURL(path.join(world().folder, 'graphile.config.ts')).href;
      const { default: preset } = (await import(/* @vite-ignore */ url)) as {
        readonly default: GraphileConfig.Preset;
      };
      const { schema, resolvedPreset } = await makeSchema(preset);
      const args = { schema, document: parse(query), resolvedPreset, requestContext: {} };
      const { data, errors } = (await execute(await hookArgs(args))) as ExecutionResult;
      await resolvedPreset.pgServices?.[0]?.release?.();
      expect(errors).toBeUndefined();
      const response = await fetch(`${await world().serve()}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Gql-Admin-Secret': world().adminSecret(),
        },
        body: JSON.stringify({ query }),
      });
      expect(await response.json()).toEqual({ data });
    });
  },
});

test('the tutorial in front of PostGraphile adds at most twelve lines of metadata', () => {
  const lines = readBlocks(readPage(tutorial))
    .filter(({ file }) => file?.startsWith('metadata/'))
    .flatMap(({ text }) => text.trim().split('\n').slice(1));
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.length).toBeLessThanOrEqual(12);
});
