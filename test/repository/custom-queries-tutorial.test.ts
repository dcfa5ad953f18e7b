import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { likeness } from './likeness.ts';
import { type Followed, followTutorial, readTutorial } from './tutorial.ts';

const tutorial = await readTutorial('custom-queries-and-mutations.md');
const { files, commands, examples } = tutorial;
let followed: Followed;
beforeAll(async () => {
  followed = await followTutorial(tutorial, async (folder) => {
    const env = { PARTS_PORT: '0' };
    const service = startProgram(process.execPath, [path.join(folder, 'handler.mjs')], { env });
    return { PARTS_URL: await service.firstLine() };
  });
});
afterAll(() => followed.end());

describe('the tutorial about custom queries and mutations', { shuffle: false }, () => {
  test('has files, commands and examples', () => {
    expect(files.map(({ name }) => name)).toEqual([
      ...['schema.sql', 'metadata/roles.yaml', 'metadata/tables/repair.yaml'],
      ...['metadata/graphile.config.ts', 'metadata/graphile.yaml', 'metadata/actions.yaml'],
      'handler.mjs',
    ]);
    expect(commands.map(([command]) => command)).toEqual(['check', 'apply', 'serve']);
    expect(examples).toHaveLength(6);
  });

  test.each(examples)('$title responds as the tutorial shows', async ({ command, answer }) => {
    expect(await followed.typeIn(command)).toEqual(likeness(answer));
  });

  test('logs no error when a service refuses a call', () => {
    expect(followed.served.stdout() + followed.served.stderr()).not.toContain('"level":"error"');
  });
});
