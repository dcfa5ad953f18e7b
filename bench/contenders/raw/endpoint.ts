import { createServer } from 'node:http';
import { type Operation, operations, parametersOf } from '../../throughput/operations.ts';
import { contenderSettings, listening } from '../listen.ts';

/** An operation with the text of its parameters. */
export interface Call {
  readonly operation: Operation;
  readonly parameters: readonly string[];
  readonly tenant: string;
}

/**
 * Serves the known operations over node:http, with nothing that a floor does not need.
 * @param run runs one operation and returns the JSON of `data`
 */
export async function serveFloor(run: (call: Call) => Promise<string>): Promise<void> {
  const { secret } = contenderSettings();
  const byQuery = new Map(operations.map((operation) => [operation.hasura, operation]));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { query, variables } = JSON.parse(Buffer.concat(chunks).toString());
      const operation = byQuery.get(query);
      if (request.headers['x-gql-admin-secret'] !== secret || !operation) {
        response.writeHead(400).end();
        return;
      }
      const tenant = String(request.headers['x-gql-tenant-id']);
      const parameters = parametersOf(variables ?? {});
      const text = `{"data":${await run({ operation, parameters, tenant })}}`;
      const length = Buffer.byteLength(text);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      response.end(text);
    });
  });
  await listening(server);
}
