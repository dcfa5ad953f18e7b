import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { SignatureAlgorithm } from '../../../../../server/platform/config/identity-config.ts';

/** What answers at an address, changed and taken down as a test likes. */
export interface AnswerServer {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  answer: RequestListener;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startAnswerServer(answer: RequestListener): Promise<AnswerServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    started.answer(request, response);
  });
  const port = await listen(server, 0);
  const started: AnswerServer = {
    url: `http://127.0.0.1:${port}`,
    asked,
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

/** Answers every request with this JSON. */
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

/** A key pair that signs tokens. */
export interface TestKey {
  /** As a key set holds it. */
  readonly jwk: JWK;
  /** With the private half. */
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
