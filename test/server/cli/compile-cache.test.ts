import { chmod, chown, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { endPrograms, startProgram } from '../../support/program.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin');
/**
 * Replaces the program by a script that prints the compile cache folders of its process and
 * threads.
 */
const stub = `import module from 'node:module';
process.stdout.write(JSON.stringify([module.getCompileCacheDir(), process.env.NODE_COMPILE_CACHE]) + '\\n');`;

afterEach(async () => {
  await endPrograms();
  await removeFolders();
});

async function installed(): Promise<{ readonly root: string; readonly packages: string }> {
  const root = await makeDataFolder();
  const packages = path.join(root, 'node_modules');
  for (const folder of ['bin', 'server', 'node_modules']) {
    await mkdir(path.join(root, folder), { recursive: true });
  }
  for (const name of ['rowgate.js', 'compile-cache.js']) {
    await copyFile(path.join(bin, name), path.join(root, 'bin', name));
  }
  await writeFile(path.join(root, 'server/main.ts'), stub);
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}');
  return { root, packages };
}

/**
 * Returns the cache folder of the started process, and the folder its threads inherit through the
 * environment.
 */
async function cacheFolders(root: string, env: Readonly<Record<string, string>> = {}) {
  const run = startProgram(process.execPath, [path.join(root, 'bin/rowgate.js')], { env });
  const [used, inherited] = JSON.parse(await run.firstLine());
  await run.ended;
  return { used: used ?? undefined, inherited: inherited ?? undefined };
}

test('the program stores the compile cache beside its packages, and its threads use the same folder', async () => {
  const { root, packages } = await installed();
  const folder = path.join(packages, '.cache/rowgate');
  const { used, inherited } = await cacheFolders(root);
  expect(path.dirname(used)).toBe(folder);
  expect(inherited).toBe(folder);
});

test('the program uses no compile cache when other users may write to the cache folder', async () => {
  const { root, packages } = await installed();
  await mkdir(path.join(packages, '.cache/rowgate'), { recursive: true });
  await chmod(path.join(packages, '.cache/rowgate'), 0o777);
  expect(await cacheFolders(root)).toEqual({});
});

test('the program uses no compile cache when the cache folder is a symbolic link', async () => {
  const { root, packages } = await installed();
  await mkdir(path.join(packages, '.cache'));
  await symlink(await makeDataFolder(), path.join(packages, '.cache/rowgate'));
  expect(await cacheFolders(root)).toEqual({});
});

// Only root can give a folder to another user.
test.runIf(process.getuid?.() === 0)(
  'the program stores no compile cache when its packages belong to another user',
  async () => {
    const { root, packages } = await installed();
    await chown(packages, 65534, 65534);
    expect(await cacheFolders(root)).toEqual({});
  },
);

test('the program prefers the folder in NODE_COMPILE_CACHE to the one beside its packages', async () => {
  const { root } = await installed();
  const named = await makeDataFolder();
  const { used } = await cacheFolders(root, { NODE_COMPILE_CACHE: named });
  expect(path.dirname(used)).toBe(named);
});
