import type { Logger } from 'pino';
import type { Model } from '../../permissions/index.ts';
import type { Caller } from '../caller/authenticate.ts';
import type { Config } from '../config/config.ts';
import type { AnswerMemory } from '../db/requests/answer-memory.ts';
import type { RequestPool } from '../db/requests/request-pool.ts';
import type { ExtensionRunner } from './execute/extension-runner.ts';
import type { Engine } from './request/engine.ts';
import type { ListedDocuments } from './request/listed-documents.ts';
import type { Registry } from './schema/registry/read-registry.ts';
import type { ExtensionCatalog } from './schema/view/extension-catalog.ts';

/** Everything the engines of a dialect need to serve one version of the model. */
export interface ServedModel {
  readonly model: Model;
  readonly registry: Registry;
  readonly listed: ListedDocuments;
  readonly pool: RequestPool;
  readonly memory: AnswerMemory;
  readonly config: Config;
}

/** A served model, and where another dialect finds the database. */
export interface OtherDialectOptions extends ServedModel {
  readonly gatewayUrl: string;
  readonly logger: Logger;
}

/** A dialect of GraphQL beside Hasura's, with an endpoint of its own. */
export interface OtherDialect {
  /** A path; absent: it is not served, and only its extensions are. */
  readonly endpoint: string | undefined;
  engineOf(caller: Caller): Engine;
  /** The fields that it adds to Hasura's dialect. */
  readonly extensions: ServedExtensions | undefined;
}

/** Fields of extensions in Hasura's dialect. */
export interface ServedExtensions {
  readonly catalog: ExtensionCatalog;
  runnerOf(caller: Pick<Caller, 'role' | 'isBackend'>): ExtensionRunner;
}

/** Resolves to undefined where the metadata asks for no other dialect. @throws MetadataError */
export type OpenOtherDialect = (options: OtherDialectOptions) => Promise<OtherDialect | undefined>;
