import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endPrograms, startProgram } from '../../support/program.ts';
import { program, runRowgate, serveRowgate } from '../../support/rowgate.ts';
import { appliedEnvironment } from './support/start.ts';

/** A Node below 24 on this machine, beside the one of the packages. */
const oldNode = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'node'))
  .filter((file) => existsSync(file))
  .find(
    (file) =>
      Number.parseInt(
        execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }),
        10,
      ) < 24,
  );

describe.runIf(oldNode)('started by an older Node', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase({ from: 'applied' });
    environment = await appliedEnvironment(database);
  });
  afterEach(endPrograms);
  afterAll(async () => {
    await removeFolders();
    await database.drop();
  });

  test('the program hands over to the Node that came with it', async () => {
    expect(await runRowgate(['--version'], {}, oldNode)).toMatchObject({ code: 0, stderr: '' });
  });

  test('the exit code is kept', async () => {
    expect(await runRowgate(['nonsense'], {}, oldNode)).toMatchObject({ code: 2 });
  });

  test('SIGTERM is passed on, and the server ends well', async () => {
    const served = await serveRowgate(environment, ['--only', 'graphql'], oldNode);
    expect(await served.end()).toBe(0);
  });

  test('without a Node of its own the program says what it needs and ends with 2', async () => {
    const folder = await makeDataFolder();
    copyFileSync(program, path.join(folder, 'rowgate.js'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const alone = startProgram(oldNode ?? '', [path.join(folder, 'rowgate.js'), 'serve']);
    expect(await alone.ended).toBe(2);
    expect(alone.stderr()).toMatch(/^rowgate: needs Node 24 or later, this is \d+/);
  });
});
