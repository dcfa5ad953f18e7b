import pino from 'pino';

/** The fields of a line of the request log. */
export interface RequestFields {
  readonly requestId: string;
  readonly method: string | undefined;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

/** Texts that contain no secret and no character that JSON escapes, because they consist of names and slashes. */
const plain = /^[\w/.:~-]*$/;

/**
 * Makes a function that writes lines for requests at level info, exactly as the logger writes them. Most requests need
 * none of the steps of a logger: its search for secrets, serializers, and escapes.
 * @returns a function that returns false, and writes nothing, for fields that need these steps
 */
export function requestLine(logger: pino.Logger): (fields: RequestFields) => boolean {
  const { streamSym, chindingsSym, timeSym, lsCacheSym } = pino.symbols;
  const stream: pino.DestinationStream = Reflect.get(logger, streamSym);
  const time: () => string = Reflect.get(logger, timeSym);
  const levels: Readonly<Record<number, string>> = Reflect.get(logger, lsCacheSym);
  const begin = levels[logger.levels.values.info ?? Number.NaN];
  const bindings: string = Reflect.get(logger, chindingsSym);
  if (begin === undefined || !logger.isLevelEnabled('info')) return () => false;
  return ({ requestId, method = '', path, status, ms }) => {
    if (!plain.test(path) || !plain.test(requestId) || !plain.test(method)) return false;
    stream.write(
      `${begin}${time()}${bindings},"requestId":"${requestId}","method":"${method}","path":"${path}","status":${status},"ms":${ms},"msg":"request"}\n`,
    );
    return true;
  };
}
