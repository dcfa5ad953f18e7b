import type { AddressInfo } from 'node:net';
import express from 'express';
import pino from 'pino';
import { parseConfig } from '../../../../server/config/config.ts';
import type { Environment } from '../../../../server/config/environment.ts';
import { makeApp } from '../../../../server/http/app.ts';
import { listen } from '../../../../server/http/connections/listen.ts';
import type { Endpoint } from '../../../../server/http/endpoint/define-endpoint.ts';
import { mountEndpoints } from '../../../../server/http/endpoint/mount.ts';
import type { Phase } from '../../../../server/http/service-endpoints.ts';

/** The server's Express app with the endpoints of a test. It has no database. */
export interface TestApp {
  readonly url: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface TestAppOptions {
  readonly endpoints?: readonly Endpoint[];
  readonly environment?: Environment;
  /** The phase of the server's start. Default: serving. */
  readonly phase?: Phase;
  /** The logger of requests. Default: a silent one. */
  readonly logger?: pino.Logger;
}

/** Starts the app. A request body may have at most 1024 bytes. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { endpoints = [], environment = {}, phase = 'serving' } = options;
  const { config } = parseConfig(environment, '/nowhere');
  const app = makeApp({
    config,
    logger: options.logger ?? pino({ level: 'silent' }),
    phase: () => phase,
    service: [],
    routes: express.Router().use(mountEndpoints(endpoints, 1024)),
  });
  const server = await listen(app, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    fetch: (path, init) => fetch(`${url}${path}`, init),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
