import type { NextFunction, Request, Response } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeServiceEndpoints } from '../../../server/http/service-endpoints.ts';
import { startApp, type TestApp } from './support/app.ts';

const arrived = Promise.withResolvers<void>();
const answer = Promise.withResolvers<readonly string[]>();
let arrivals = 0;
let questions = 0;
let app: TestApp;
beforeAll(async () => {
  const endpoints = makeServiceEndpoints({
    phase: () => 'serving',
    unreadiness: () => {
      questions += 1;
      return answer.promise;
    },
  });
  const counting = endpoints.map((endpoint) => ({
    ...endpoint,
    handler: (request: Request, response: Response, next: NextFunction) => {
      const handled = endpoint.handler(request, response, next);
      arrivals += 1;
      if (arrivals === 3) arrived.resolve();
      return handled;
    },
  }));
  app = await startApp({ endpoints: counting });
});
afterAll(() => app.stop());

test('concurrent requests to /readyz share one check of the database', async () => {
  const responses = [app.fetch('/readyz'), app.fetch('/readyz'), app.fetch('/readyz')];
  await arrived.promise;
  answer.resolve(['the database has drifted']);
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect([statuses, questions]).toEqual([[503, 503, 503], 1]);
  await app.fetch('/readyz');
  expect(questions).toBe(2);
});
