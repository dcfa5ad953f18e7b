import type { Static, TObject, TSchema } from 'typebox';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import { defineEndpoint, type Endpoint } from '../http/endpoint/define-endpoint.ts';
import {
  type AdminScope,
  adminTag,
  requestHeaders,
  sendPacked,
  usualAnswers,
} from './admin-endpoint.ts';
import { refusalOf } from './admin-errors.ts';
import type { OwnerReadings } from './owner-readings.ts';

interface AdminReading<Query extends TObject>
  extends Pick<ApiOperation, 'path' | 'operationId' | 'summary' | 'description'> {
  /** The query of the address. Its values are texts. */
  readonly query?: Query;
  readonly answer: TSchema;
  /**
   * Returns the answer as JSON. It must contain no values of users' rows, because readings are not recorded. All admins
   * share it, so it must depend on nothing but the query.
   */
  work(query: Static<Query>, readings: OwnerReadings): Promise<string>;
}

/**
 * Makes an endpoint for lists, counters and states that the console asks for again and again. Unlike a use, a reading
 * is not recorded, changes nothing, and may run beside others.
 */
export function adminReading<Query extends TObject = TObject>(
  { query, answer, work, ...described }: AdminReading<Query>,
  { access, readings, logger }: AdminScope,
): Endpoint {
  return defineEndpoint({
    ...described,
    ...{ method: 'get', tag: adminTag, access, headers: requestHeaders },
    ...(query && { query }),
    answers: {
      ...usualAnswers,
      200: {
        description: 'The state now, or up to a second ago',
        content: { 'application/json': answer },
        headers: { 'Cache-Control': '`no-store`' },
      },
    },
    handle: async ({ who, query: given, request }, response) => {
      try {
        await readings.refuseSignedOut(who);
        const question = JSON.stringify(Object.entries(given ?? {}).sort());
        const found = await readings.shared(`${described.path} ${question}`, () =>
          work(given as Static<Query>, readings),
        );
        response.set('Cache-Control', 'no-store').type('json');
        await sendPacked(found, request, response);
      } catch (error) {
        throw refusalOf(error, logger);
      }
    },
  });
}
