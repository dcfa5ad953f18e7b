import type { Logger } from 'pino';
import type { Caller } from '../caller/authenticate.ts';
import type { ServedExtensions } from './execute/extension-runner.ts';
import type { ServedModel } from './execute/hasura-engines.ts';
import type { RoleEngine } from './request/role-engine.ts';

/** A served model, and the address at which another dialect finds the database. */
export interface OtherDialectOptions extends ServedModel {
  readonly gatewayUrl: string;
  readonly logger: Logger;
}

/** A dialect of GraphQL beside Hasura's, with an endpoint of its own. */
export interface OtherDialect {
  /** A path; absent: only the dialect's extensions are served. */
  readonly endpoint: string | undefined;
  engineOf(caller: Caller): RoleEngine;
  /** The fields that it adds to Hasura's dialect. */
  readonly extensions: ServedExtensions | undefined;
}

/** Resolves to undefined where the metadata asks for no other dialect. @throws MetadataError */
export type OpenOtherDialect = (options: OtherDialectOptions) => Promise<OtherDialect | undefined>;
