import { expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';

const storageOf = (environment: Readonly<Record<string, string>>) =>
  parseConfig(environment, '/srv/app').config.storage;

test('the configuration stores files in the data folder by default', () => {
  expect(storageOf({ ROWGATE_DATA_DIR: 'data' })).toEqual({
    kind: 'disk',
    folder: '/srv/app/data/files',
  });
  expect(storageOf({ ROWGATE_STORAGE_URL: 'file:///srv/my%20files' })).toEqual({
    kind: 'disk',
    folder: '/srv/my files',
  });
});

test('an object storage bucket needs only its name', () => {
  expect(storageOf({ ROWGATE_STORAGE_URL: 's3://my-files' })).toEqual({
    kind: 's3',
    bucket: 'my-files',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
    credentials: undefined,
  });
});

test.each([
  's3:///folder',
  's3://a',
  's3://Files_1',
  's3://user:secret@files',
  's3://files?region=x',
  's3://files/.hidden',
  's3://files//folder',
  'file://host/folder',
  'file:///a?b',
  'https://files.example.com',
  '/srv/files',
])('the storage setting %s is rejected, and the message does not repeat it', (url) => {
  const reading = () => storageOf({ ROWGATE_STORAGE_URL: url });
  expect(reading).toThrow('ROWGATE_STORAGE_URL must be a URL like s3://bucket/folder');
  expect(reading).not.toThrow(url);
});

test.each([
  [
    { ROWGATE_STORAGE_REGION: 'x' },
    'ROWGATE_STORAGE_REGION also requires a ROWGATE_STORAGE_URL that begins with s3://',
  ],
  [
    { ROWGATE_STORAGE_URL: 'file:///srv', ROWGATE_STORAGE_ENDPOINT: 'https://x' },
    'ROWGATE_STORAGE_ENDPOINT also requires a ROWGATE_STORAGE_URL that begins with s3://',
  ],
  [
    { ROWGATE_STORAGE_URL: 's3://files', ROWGATE_STORAGE_ACCESS_KEY_ID: 'x' },
    'ROWGATE_STORAGE_ACCESS_KEY_ID also requires ROWGATE_STORAGE_SECRET_KEY',
  ],
  [
    { ROWGATE_STORAGE_URL: 's3://files', ROWGATE_STORAGE_SECRET_KEY: 'x' },
    'ROWGATE_STORAGE_SECRET_KEY also requires ROWGATE_STORAGE_ACCESS_KEY_ID',
  ],
])('the storage settings %j are rejected because one is missing', (environment, problem) => {
  expect(() => storageOf(environment)).toThrow(problem);
});
