import type { Config } from '../../config/config.ts';
import type { EnvironmentReader } from '../../config/environment.ts';
import { type CallbackConfig, readCallbackConfig } from './callback-config.ts';
import { type DocumentsConfig, readDocumentsConfig } from './document-config.ts';
import { type IdentityConfig, readIdentityConfig } from './identity-config.ts';
import { type JobConfig, readJobConfig } from './job-config.ts';
import { type KycConfig, readKycConfig } from './kyc-config.ts';
import { readTriggerConfig, type TriggerConfig } from './trigger-config.ts';

/** The settings of the platform, without the settings of the gateway. */
export interface PlatformSettings {
  /** The application that links in mails lead to, without a slash at its end. Absent: built-in pages. */
  readonly appUrl: string | undefined;
  readonly identity: IdentityConfig;
  readonly documents: DocumentsConfig;
  /** Absent: files of KYC documents cannot be fetched. */
  readonly kyc: KycConfig | undefined;
  readonly callbacks: CallbackConfig;
  readonly triggers: TriggerConfig;
  readonly jobs: JobConfig;
}

/** The settings of the gateway and of the platform. */
export type PlatformConfig = Config & PlatformSettings;

/** Reads the settings of the platform. Problems are collected in `read`, so that all are reported together. */
export function readPlatformSettings(
  read: EnvironmentReader,
  { config, folder }: { readonly config: Config; readonly folder: string },
): PlatformSettings {
  return {
    appUrl: read.webUrl('ROWGATE_APP_URL'),
    identity: readIdentityConfig(read, config.callers),
    documents: readDocumentsConfig(read, { folder, isDemo: config.database.kind === 'embedded' }),
    kyc: readKycConfig(read),
    callbacks: readCallbackConfig(read),
    triggers: readTriggerConfig(read),
    jobs: readJobConfig(read),
  };
}
