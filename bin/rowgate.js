#!/usr/bin/env node
// Plain JavaScript for all versions of Node, so that an old Node reports its version instead of a syntax error.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const neededMajor = 24;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// Disables Graphile's development checks, which are for authors of its plugins. If the variable is not set, Graphile
// prints a warning at each start.
process.env.GRAPHILE_ENV ??= 'production';

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  const { enableCompileCache } = await import('./compile-cache.js');
  enableCompileCache(root);
  await import(pathToFileURL(program()).href);
} else {
  const node = bundledNode();
  if (node === undefined) refuse();
  else handOver(node);
}

/** Returns the main file: the built file in a package, the source file in a checkout. */
function program() {
  const built = path.join(root, 'dist', 'server', 'main.js');
  return existsSync(built) ? built : path.join(root, 'server', 'main.ts');
}

/** Returns the Node that `npm ci` installed as an optional dependency; undefined on other platforms. */
function bundledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    );
    const node = path.join(path.dirname(manifest), 'bin', 'node');
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

function handOver(node) {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`rowgate: cannot run ${node}: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

function refuse() {
  process.stderr.write(
    `rowgate: needs Node ${neededMajor} or later, this is ${process.versions.node}; ` +
      'install it from https://nodejs.org, or run npm ci without --omit=optional\n',
  );
  process.exitCode = 2;
}
