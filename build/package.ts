// Builds the packages `rowgate` and `rowgate-check` in dist/packages, or in the folder that the first argument names.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildConsole } from '../server/console/build-console.ts';
import { importedPackages, loadedFiles } from './packages/loaded-files.ts';
import { type LockedPackages, lockedFor } from './packages/lock.ts';
import {
  bundledPackages,
  checkManifest,
  type Manifest,
  rowgateManifest,
  type Versions,
} from './packages/manifest.ts';
import { thirdPartyNotices } from './packages/third-party-notices.ts';

const root = path.resolve(import.meta.dirname, '..');
const output = path.resolve(process.argv[2] ?? path.join(root, 'dist/packages'));
const documents = ['CHANGELOG.md', 'LICENSE', 'SECURITY.md'];

const work = mkdtempSync(path.join(tmpdir(), 'rowgate-package-'));
try {
  mkdirSync(output, { recursive: true });
  await packRowgate(path.join(work, 'rowgate'));
  packCheck(path.join(work, 'rowgate-check'));
} finally {
  rmSync(work, { recursive: true });
}

async function packRowgate(folder: string): Promise<void> {
  compile('tsconfig.rowgate.json', path.join(folder, 'dist'));
  compile('tsconfig.metadata.json', path.join(folder, 'metadata'));
  await buildConsole(path.join(folder, 'dist/server/console/built'));
  copy('metadata', path.join(folder, 'metadata'), (file) => !file.endsWith('.ts'));
  copy('sql', path.join(folder, 'dist/sql'));
  copy('docs', path.join(folder, 'docs'), (file) => !file.includes('.vitepress'));
  for (const name of ['bin/rowgate.js', 'bin/compile-cache.js', 'README.md']) {
    copy(name, path.join(folder, name));
  }
  pack(folder, rowgateManifest(), bundledPackages);
}

/**
 * Makes the package `rowgate-check`. It contains only the files that its commands load, without the rest of the server.
 */
function packCheck(folder: string): void {
  const built = path.join(work, 'check');
  compile('tsconfig.check.json', built);
  const files = loadedFiles(path.join(built, 'server/check.js'));
  for (const file of files) {
    cpSync(file, path.join(folder, 'dist', path.relative(built, file)), { recursive: true });
  }
  copy('sql/gateway', path.join(folder, 'dist/sql/gateway'));
  copy('bin/rowgate-check.js', path.join(folder, 'bin/rowgate-check.js'));
  copy('build/packages/rowgate-check.md', path.join(folder, 'README.md'));
  pack(folder, checkManifest(importedPackages(files)));
}

/**
 * Compiles TypeScript to JavaScript without checking types, which another step does. Packages hold JavaScript, because
 * Node runs no TypeScript below `node_modules`.
 */
function compile(project: string, outDir: string): void {
  run(path.join(root, 'node_modules/.bin/tsc'), [
    '--project',
    path.join(import.meta.dirname, 'packages', project),
    '--outDir',
    outDir,
  ]);
}

/** @param bundled versions of packages that files of the product contain, so that it does not install them */
function pack(folder: string, manifest: Manifest, bundled: Versions = {}): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(path.join(folder, 'package.json'), text);
  // The built program reads its version from the manifest beside it.
  writeFileSync(path.join(folder, 'dist/package.json'), text);
  const whole = { ...manifest, dependencies: { ...manifest.dependencies, ...bundled } };
  const packages = lockedFor(root, whole);
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(root, packages));
  for (const name of documents) copy(name, path.join(folder, name));
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output], folder);
  const name = `${manifest.name}-${manifest.version}`;
  writeFileSync(path.join(output, `${name}.sbom.json`), billOfMaterials(whole, packages));
}

/**
 * Makes the bill of materials: a list, in the format CycloneDX, of all packages that an installation of the product
 * contains.
 */
function billOfMaterials(manifest: Manifest, packages: LockedPackages): Buffer {
  const cwd = path.join(work, `${manifest.name}-lock`);
  mkdirSync(cwd);
  const { name, version } = manifest;
  const lock = { name, version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(path.join(cwd, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(cwd, 'package-lock.json'), JSON.stringify(lock));
  const options = ['--package-lock-only', '--sbom-format', 'cyclonedx'];
  return execFileSync('npm', ['sbom', ...options], { cwd, maxBuffer: 2 ** 28 });
}

function copy(name: string, target: string, filter: (file: string) => boolean = () => true): void {
  cpSync(path.join(root, name), target, { recursive: true, filter });
}

function run(program: string, args: readonly string[], cwd = root): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
