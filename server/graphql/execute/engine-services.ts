import type { Model } from '../../../permissions/index.ts';
import type { Config } from '../../config/config.ts';
import type { AnswerMemory } from '../../db/requests/answer-memory.ts';
import type { RequestPool } from '../../db/requests/request-pool.ts';
import type { ListedDocuments } from '../known-documents/listed-documents.ts';
import type { Registry } from '../schema/registry/read-registry.ts';

/** One version of the model, with the state that the engines of a dialect share. */
export interface EngineServices {
  readonly model: Model;
  readonly registry: Registry;
  readonly listed: ListedDocuments;
  readonly pool: RequestPool;
  readonly memory: AnswerMemory;
  readonly config: Config;
}
