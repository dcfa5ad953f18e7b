import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSchema } from 'postgraphile';
import { execute, hookArgs } from 'postgraphile/grafast';
import { type ExecutionResult, parse } from 'postgraphile/graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { likeness } from './likeness.ts';
import { type Followed, followTutorial, readTutorial } from './tutorial.ts';

const tutorial = await readTutorial('in-front-of-postgraphile.md');
const { files, commands, examples } = tutorial;
let followed: Followed;
beforeAll(async () => {
  followed = await followTutorial(tutorial);
});
afterAll(() => followed.end());

describe('the tutorial about PostGraphile applications', { shuffle: false }, () => {
  test('has files, commands and examples', () => {
    expect(files.map(({ name }) => name)).toEqual([
      ...['schema.sql', 'graphile.config.ts', 'metadata/graphile.yaml', 'metadata/roles.yaml'],
      ...['metadata/tables/customer.yaml', 'metadata/tables/repair.yaml'],
    ]);
    expect(commands.map(([command]) => command)).toEqual(['check', 'apply', 'serve']);
    expect(examples).toHaveLength(5);
  });

  test('adds Rowgate in about ten lines', () => {
    const lines = files
      .filter(({ name }) => name.startsWith('metadata/'))
      .flatMap(({ text }) => text.trim().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(12);
  });

  test.each(examples)('$title responds as the tutorial shows', async ({ command, answer }) => {
    expect(await followed.typeIn(command)).toEqual(likeness(answer));
  });

  test('names the keys of the preset that have no effect', () => {
    for (const key of ['pgServices', 'grafserv', 'grafast']) {
      expect(followed.served.stderr() + followed.served.stdout()).toContain(`"${key}"`);
    }
  });

  test('has an application that stock PostGraphile serves with the same preset', async () => {
    process.env.DATABASE_URL = followed.ownerUrl;
    const query = '{ allRepairs { nodes { headline customerByCustomerId { fullName } } } }';
    const url = pathToFileURL(path.join(followed.folder, 'graphile.config.ts')).href;
    const { default: preset } = (await import(/* @vite-ignore */ url)) as {
      readonly default: GraphileConfig.Preset;
    };
    const { schema, resolvedPreset } = await makeSchema(preset);
    const args = { schema, document: parse(query), resolvedPreset, requestContext: {} };
    const { data, errors } = (await execute(await hookArgs(args))) as ExecutionResult;
    await resolvedPreset.pgServices?.[0]?.release?.();
    expect(errors).toBeUndefined();
    const answer = await followed.typeIn(
      `curl -s http://127.0.0.1:5678/graphql -H "X-Gql-Admin-Secret: $SECRET" -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`,
    );
    expect(answer).toEqual({ data });
  });
});
