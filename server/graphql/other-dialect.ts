import type { Logger } from 'pino';
import type { Caller } from '../caller/authenticate.ts';
import type { ServedExtensions } from './execute/extension-runner.ts';
import type { ServedModel } from './execute/hasura-engines.ts';
import type { RoleEngine } from './request/role-engine.ts';

/** A served model, and the database URL that another dialect needs. */
export interface OtherDialectOptions extends ServedModel {
  readonly gatewayUrl: string;
  readonly logger: Logger;
}

/** A dialect of GraphQL beside Hasura's, with an endpoint of its own. */
export interface OtherDialect {
  /** The path of the endpoint; undefined: only the dialect's extensions are served. */
  readonly endpoint: string | undefined;
  engineOf(caller: Caller): RoleEngine;
  /** Fields that the dialect adds to Hasura's. */
  readonly extensions: ServedExtensions | undefined;
}

/** Opens the other dialect; resolves to undefined when the metadata has none. @throws MetadataError */
export type OpenOtherDialect = (options: OtherDialectOptions) => Promise<OtherDialect | undefined>;
