import type { IncomingMessage, ServerResponse } from 'node:http';

/** Names and values of headers in turn. */
export type HeaderList = readonly string[];

/** A request whose answer begins with some headers. */
export interface WithAnswerHeaders extends IncomingMessage {
  answerHeaders?: HeaderList | undefined;
}

/**
 * Writes status and headers of an answer, with the headers that the first steps have prepared. Node takes longer to set
 * headers one by one.
 */
export function writeHead(
  response: ServerResponse<WithAnswerHeaders>,
  status: number,
  headers: HeaderList,
): void {
  const { answerHeaders = [] } = response.req;
  const list = [...answerHeaders, ...headers];
  if (response.getHeaderNames().length > 0) {
    // A list would replace headers that are set.
    for (let index = 0; index < list.length; index += 2) {
      response.setHeader(list[index] ?? '', list[index + 1] ?? '');
    }
    response.writeHead(status);
  } else response.writeHead(status, list);
}
