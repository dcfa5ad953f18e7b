// Run by npm around `npm pack`: JavaScript, since Node strips no types under node_modules; and a manifest
// without what only checkouts need: Node, and the oldest Postgres for tests.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const manifest = path.join(root, 'package.json');
const kept = path.join(root, 'package.json.kept');
const dist = path.join(root, 'dist');
const metadata = path.join(root, 'metadata');

const steps = { before, after };
steps[process.argv[2]]();

function before() {
  rmSync(dist, { recursive: true, force: true });
  for (const project of ['tsconfig.build.json', 'tsconfig.metadata.json']) {
    execFileSync('tsc', ['--project', path.join(root, project)], { stdio: 'inherit' });
  }
  cpSync(path.join(root, 'sql'), path.join(dist, 'sql'), { recursive: true });
  copyFileSync(manifest, kept);
  const packed = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const name of Object.keys(packed.optionalDependencies)) {
    if (name.startsWith('node-') || name === 'pg14') delete packed.optionalDependencies[name];
  }
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`);
}

function after() {
  renameSync(kept, manifest);
  rmSync(dist, { recursive: true, force: true });
  for (const name of readdirSync(metadata, { recursive: true })) {
    if (name.endsWith('.js')) rmSync(path.join(metadata, name));
  }
}
