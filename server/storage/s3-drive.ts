import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { S3Driver } from 'flydrive/drivers/s3';
import type { S3StorageConfig } from '../config/storage-config.ts';
import { errorCode, ProcessError } from '../errors.ts';
import type { Drive } from './drive-storage.ts';
import type { ByteRange } from './storage.ts';

type GetObjectArguments = Parameters<S3Driver['createGetObjectCommand']>;

const packages = ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'];

/**
 * Opens a bucket as a drive. Amazon's SDK is large, so it is an optional dependency.
 * @throws ProcessError RG_CONFIG when the SDK is not installed
 */
export async function openS3Drive(config: S3StorageConfig): Promise<Drive> {
  const { S3Driver } = await loadDriver();
  const { bucket, prefix, region, endpoint, credentials } = config;
  const options = {
    bucket,
    region,
    ...(credentials && { credentials }),
    ...(endpoint !== undefined && optionsForOtherServices(endpoint)),
    visibility: 'private' as const,
    // Files get no access-control list. Buckets are private by default, and many services refuse requests that set such
    // a list.
    supportsACL: false,
  };
  const currentRange = new AsyncLocalStorage<ByteRange>();
  const driver = new (class extends S3Driver {
    protected override createGetObjectCommand(...[client, input]: GetObjectArguments) {
      const range = currentRange.getStore();
      const Range = range && `bytes=${range.start}-${range.end}`;
      return super.createGetObjectCommand(client, { ...input, ...(Range && { Range }) });
    }
  })(options);
  return {
    driver,
    prefix,
    open: async (key, range): Promise<Readable | undefined> => {
      try {
        return await (range
          ? currentRange.run(range, () => driver.getStream(key))
          : driver.getStream(key));
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    },
  };
}

/**
 * Options for services other than Amazon's. They may support neither a host name for each bucket nor newer checksums,
 * so both are switched off.
 */
function optionsForOtherServices(endpoint: string) {
  const whenRequired = 'WHEN_REQUIRED' as const;
  return {
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: whenRequired,
    responseChecksumValidation: whenRequired,
  };
}

async function loadDriver(): Promise<typeof import('flydrive/drivers/s3')> {
  try {
    return await import('flydrive/drivers/s3');
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ProcessError(
      'RG_CONFIG',
      'ROWGATE_STORAGE_URL names a bucket, but the packages for it are not installed',
      { exitCode: 2, hint: `run \`npm install ${packages.join(' ')}\``, cause: error },
    );
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata
    ?.httpStatusCode;
}
