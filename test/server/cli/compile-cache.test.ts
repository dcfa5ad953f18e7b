import { chmod, chown, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { endPrograms, startProgram } from '../../support/program.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin');
/** In place of the whole program: says where Node keeps what it compiled, here and in threads. */
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

/** The folder in use, and the one that threads are told of. */
async function kept(root: string, env: Readonly<Record<string, string>> = {}) {
  const run = startProgram(process.execPath, [path.join(root, 'bin/rowgate.js')], { env });
  const [used, told] = JSON.parse(await run.firstLine());
  await run.ended;
  return { used: used ?? undefined, told: told ?? undefined };
}

test('what Node compiles is kept beside the packages, for threads too', async () => {
  const { root, packages } = await installed();
  const folder = path.join(packages, '.cache/rowgate');
  const { used, told } = await kept(root);
  expect(path.dirname(used)).toBe(folder);
  expect(told).toBe(folder);
});

test('a folder that more may write than the packages is not used', async () => {
  const { root, packages } = await installed();
  await mkdir(path.join(packages, '.cache/rowgate'), { recursive: true });
  await chmod(path.join(packages, '.cache/rowgate'), 0o777);
  expect(await kept(root)).toEqual({});
});

test('a link to elsewhere is not followed', async () => {
  const { root, packages } = await installed();
  await mkdir(path.join(packages, '.cache'));
  await symlink(await makeDataFolder(), path.join(packages, '.cache/rowgate'));
  expect(await kept(root)).toEqual({});
});

test.runIf(process.getuid?.() === 0)('packages of somebody else are left alone', async () => {
  const { root, packages } = await installed();
  await chown(packages, 65534, 65534);
  expect(await kept(root)).toEqual({});
});

test('the folder that the environment names goes first', async () => {
  const { root } = await installed();
  const named = await makeDataFolder();
  const { used } = await kept(root, { NODE_COMPILE_CACHE: named });
  expect(path.dirname(used)).toBe(named);
});
