import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parsePlatformConfig } from '../support/platform.ts';
import { type ComposeFile, composeSchema } from './compose-schema.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
const file = parse(text, { merge: true }) as ComposeFile;

/**
 * Returns the environment of a service with every required variable filled in. Each value is `filled-<name>`, padded
 * to at least 40 characters, because secrets must be that long.
 */
function environmentOf(service: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(file.services[service]?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?[^}]*\}/g, (_match: string, variable: string) =>
        `filled-${variable}`.padEnd(40, 'x'),
      ),
    ]),
  );
}

test('docker-compose.yml is valid by the schema of compose files', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(composeSchema);
  validate(file);
  expect(validate.errors).toBeNull();
});

test('the schema of compose files refuses a misspelled key, so the test above can fail', () => {
  const validate = new Ajv2020().compile(composeSchema);
  expect(validate({ ...file, services: { gateway: { enviroment: {} } } })).toBe(false);
});

test('every service, config and volume that docker-compose.yml refers to is defined there', () => {
  const services = Object.values(file.services);
  const dependencies = services.flatMap((service) => Object.keys(service.depends_on ?? {}));
  const configs = services.flatMap((service) => service.configs ?? []);
  const volumes = services.flatMap((service) => service.volumes ?? []);
  expect(Object.keys(file.services)).toEqual(expect.arrayContaining(dependencies));
  expect(Object.keys(file.configs)).toEqual(
    expect.arrayContaining(configs.map(({ source }) => source)),
  );
  expect(Object.keys(file.volumes)).toEqual(
    expect.arrayContaining(volumes.map((volume) => volume.split(':')[0])),
  );
});

test('every variable in docker-compose.yml is required, so no secret has a default', () => {
  const variables = text.match(/(?<!\$)\$\{[^}]*\}/g) ?? [];
  expect(variables.length).toBeGreaterThan(0);
  expect(variables.filter((variable) => !/^\$\{\w+:\?/.test(variable))).toEqual([]);
});

describe.each(['gateway', 'worker'])('the %s of docker-compose.yml', (name) => {
  test('gets an environment that the server accepts without warnings', () => {
    const { config, warnings } = parsePlatformConfig(environmentOf(name), '/app');
    expect(warnings).toEqual([]);
    expect(config.database).toMatchObject({
      kind: 'given',
      sidecarUrl: expect.stringMatching(/^postgres:\/\/rowgate_sidecar:/),
    });
    expect(config.identity.secretKey).toMatch(/^filled-ROWGATE_SECRET_KEY/);
    expect(config.events.platformSecrets).toEqual([
      expect.stringMatching(/^filled-ROWGATE_PLATFORM_ADMIN_SECRET/),
    ]);
  });

  test('does not get the password of the owner of the tables', () => {
    expect(JSON.stringify(file.services[name])).not.toContain('OWNER');
    expect(environmentOf(name).DATABASE_URL).toBeUndefined();
  });

  test('starts only after the service "prepare" has migrated and applied', () => {
    expect(file.services[name]?.depends_on).toEqual({
      prepare: { condition: 'service_completed_successfully' },
    });
  });
});

test('the worker of docker-compose.yml calls the gateway by its service name and publishes no port', () => {
  expect(environmentOf('worker').ROWGATE_WEBHOOK_BASE_URL).toBe('http://gateway:5678');
  expect(file.services.worker?.ports).toBeUndefined();
});

test('the service "prepare" of docker-compose.yml gets a valid environment with the logins of owner, gateway and sidecar', () => {
  const { config, warnings } = parsePlatformConfig(environmentOf('prepare'), '/app');
  expect(warnings).toEqual([]);
  expect(config.database).toMatchObject({
    ownerUrl: expect.stringMatching(/^postgres:\/\/rowgate_owner:/),
    gatewayUrl: expect.stringMatching(/^postgres:\/\/rowgate_gateway:/),
    sidecarUrl: expect.stringMatching(/^postgres:\/\/rowgate_sidecar:/),
  });
});

test('docker-compose.yml creates every Postgres login that its environments use', () => {
  const logins = [...text.matchAll(/postgres:\/\/(\w+):/g)].map(([, login]) => login);
  expect(new Set(logins).size).toBe(3);
  const made = file.configs.roles?.content ?? '';
  expect(logins.filter((login) => !made.includes(`create role ${login} login`))).toEqual([]);
});

test('docker-compose.yml creates the owner of the tables with createrole but not as superuser', () => {
  expect(file.configs.roles?.content).toMatch(
    /create role rowgate_owner login createrole password/,
  );
});
