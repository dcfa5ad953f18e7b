import type { Asker } from './asker.ts';
import type { RunnableRequest } from './request.ts';

/** Runs the operations of one role in one dialect of GraphQL. */
export interface Engine {
  /** The text of a response that has data. @throws RequestError, CallerError */
  run(request: RunnableRequest, asker: Asker): Promise<string>;
  /** Checks the document of a request, but not its variables. @throws RequestError */
  check(request: RunnableRequest): void;
}
