import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnvironmentReader } from './environment.ts';

/** The storage of uploaded files. */
export type StorageConfig = DiskStorageConfig | S3StorageConfig;

export interface DiskStorageConfig {
  readonly kind: 'disk';
  /** An absolute path. */
  readonly folder: string;
}

/** A bucket of a service with the S3 API. */
export interface S3StorageConfig {
  readonly kind: 's3';
  readonly bucket: string;
  /** Text before the name of each stored file. It is empty or ends with a slash. */
  readonly prefix: string;
  /** Default us-east-1. */
  readonly region: string;
  /** The URL of the service. Absent: Amazon's endpoint of the region. */
  readonly endpoint: string | undefined;
  /** Absent: the AWS SDK finds credentials by its own rules, e.g. from the role of the machine. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
}

const defaultRegion = 'us-east-1';

/** Reads and validates the storage settings. Problems are collected in `read`, so that all are reported together. */
export function readStorageConfig(read: EnvironmentReader, dataDir: string): StorageConfig {
  const ownFolder: StorageConfig = { kind: 'disk', folder: path.join(dataDir, 'files') };
  const region = read.text('ROWGATE_STORAGE_REGION');
  const endpoint = read.webUrl('ROWGATE_STORAGE_ENDPOINT');
  const accessKeyId = read.text('ROWGATE_STORAGE_ACCESS_KEY_ID');
  const secretAccessKey = read.secret('ROWGATE_STORAGE_SECRET_KEY', 1);
  const place = readPlace(read);
  if (place?.kind !== 's3') {
    refuseWithoutBucket(read);
    return place ?? ownFolder;
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const lonely = accessKeyId === undefined ? 'SECRET_KEY' : 'ACCESS_KEY_ID';
    const other = accessKeyId === undefined ? 'ACCESS_KEY_ID' : 'SECRET_KEY';
    read.complain(`ROWGATE_STORAGE_${lonely}`, `also requires ROWGATE_STORAGE_${other}`);
  }
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey };
  return { ...place, region: region ?? defaultRegion, endpoint, credentials };
}

type Place = DiskStorageConfig | Pick<S3StorageConfig, 'kind' | 'bucket' | 'prefix'>;

function readPlace(read: EnvironmentReader): Place | undefined {
  const text = read.text('ROWGATE_STORAGE_URL');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.port === '';
  if (isPlain && url.protocol === 'file:' && url.host === '') {
    return { kind: 'disk', folder: fileURLToPath(url) };
  }
  if (isPlain && url.protocol === 's3:' && isBucket(url.host) && isPrefix(url.pathname)) {
    const prefix = url.pathname.replaceAll(/^\/|\/$/g, '');
    return { kind: 's3', bucket: url.host, prefix: prefix === '' ? '' : `${prefix}/` };
  }
  return read.complain(
    'ROWGATE_STORAGE_URL',
    'must be a URL like s3://bucket/folder or file:///srv/rowgate-files',
  );
}

function isBucket(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text);
}

function isPrefix(text: string): boolean {
  return /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/.test(text);
}

/** Refuses S3 settings without an S3 URL, because they would have no effect. */
function refuseWithoutBucket(read: EnvironmentReader): void {
  const lonely = [...read.names].find(
    (name) =>
      name.startsWith('ROWGATE_STORAGE_') &&
      name !== 'ROWGATE_STORAGE_URL' &&
      read.text(name) !== undefined,
  );
  if (lonely !== undefined) {
    read.complain(lonely, 'also requires a ROWGATE_STORAGE_URL that begins with s3://');
  }
}
