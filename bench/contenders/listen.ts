import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** The settings of all contenders. */
export interface ContenderSettings {
  readonly gatewayUrl: string;
  readonly secret: string;
  /** The Postgres role of the tenant. */
  readonly role: string;
  readonly metadata: string;
  readonly poolSize: number;
  /** The file for the request log. */
  readonly logFile: string;
}

export function contenderSettings(): ContenderSettings {
  return JSON.parse(process.env.ROWGATE_BENCH ?? '{}') as ContenderSettings;
}

/** Serves on a free port and sends the port to the parent process. */
export function listen(app: Express): Promise<void> {
  return listening(createServer(app));
}

export async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send?.({ port: (server.address() as AddressInfo).port });
}
