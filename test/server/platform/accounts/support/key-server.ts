import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { SignatureAlgorithm } from '../../../../../server/config/signature-algorithms.ts';

/** An HTTP server for tests. A test can change its answer and stop it. */
export interface AnswerServer {
  readonly url: string;
  /** The paths of all requests so far. */
  readonly requests: string[];
  answer: RequestListener;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startAnswerServer(answer: RequestListener): Promise<AnswerServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    started.answer(request, response);
  });
  const port = await listen(server, 0);
  const started: AnswerServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer,
    goAway: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    comeBack: async () => {
      await listen(server, port);
    },
  };
  return started;
}

/** Makes an answer with this JSON for every request. */
export const json =
  (value: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
  };

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A key pair with which a test signs tokens. */
export interface TestKey {
  /** The public key in the format of a key set. */
  readonly jwk: JWK;
  /** The private key. */
  readonly privateJwk: JWK;
  sign(claims: object, header?: object): Promise<string>;
}

export async function makeTestKey(algorithm: SignatureAlgorithm, kid?: string): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const name = kid === undefined ? {} : { kid };
  return {
    jwk: { ...(await exportJWK(publicKey)), ...name },
    privateJwk: { ...(await exportJWK(privateKey)), ...name },
    sign: (claims, header) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, ...name, ...header })
        .sign(privateKey),
  };
}
