import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endPrograms, startProgram } from '../../support/program.ts';
import { program, runRowgate, serveRowgate } from '../../support/rowgate.ts';
import { appliedEnvironment } from './support/start.ts';

/** A Node older than 24 from the PATH of this machine. Undefined without such a Node; then these tests cannot run. */
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

describe.runIf(oldNode)(
  'the program, when a Node older than the required version starts it,',
  () => {
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

    test('runs itself again with the Node from its packages', async () => {
      expect(await runRowgate(['--version'], {}, oldNode)).toMatchObject({ code: 0, stderr: '' });
    });

    test('exits with the exit code of that second process', async () => {
      expect(await runRowgate(['nonsense'], {}, oldNode)).toMatchObject({ code: 2 });
    });

    test('forwards SIGTERM to that second process, and the server exits with 0', async () => {
      const served = await serveRowgate(environment, ['--only', 'graphql'], oldNode);
      expect(await served.end()).toBe(0);
    });

    test('names the required version and exits with 2 when its packages contain no Node', async () => {
      const folder = await makeDataFolder();
      copyFileSync(program, path.join(folder, 'rowgate.js'));
      writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
      const alone = startProgram(oldNode ?? '', [path.join(folder, 'rowgate.js'), 'serve']);
      expect(await alone.ended).toBe(2);
      expect(alone.stderr()).toMatch(/^rowgate: needs Node 24 or later, this is \d+/);
    });
  },
);
