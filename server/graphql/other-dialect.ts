import type { Logger } from 'pino';
import type { Caller } from '../caller/authenticate.ts';
import type { EngineServices } from './execute/engine-services.ts';
import type { ServedExtensions } from './execute/extension-runner.ts';
import type { RoleEngine } from './request/role-engine.ts';

/** A served model, and the URL by which another dialect connects to the database. */
export interface OtherDialectOptions extends EngineServices {
  readonly gatewayUrl: string;
  readonly logger: Logger;
}

/** A dialect of GraphQL beside Hasura's, with a separate endpoint. */
export interface OtherDialect {
  /** Path of the endpoint. Undefined: only the extensions of the dialect are served. */
  readonly endpoint: string | undefined;
  engineOf(caller: Caller): RoleEngine | Promise<RoleEngine>;
  /** The fields that the dialect adds to Hasura's dialect. */
  readonly extensions: ServedExtensions | undefined;
}

/** Resolves to undefined if the metadata does not configure another dialect. @throws MetadataError */
export type OpenOtherDialect = (options: OtherDialectOptions) => Promise<OtherDialect | undefined>;
