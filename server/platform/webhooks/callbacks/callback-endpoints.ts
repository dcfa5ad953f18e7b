import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import { type TSchema, Type } from 'typebox';
import type { Config } from '../../../config/config.ts';
import { type Answer, defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { Queue } from '../../../queue/open-queue.ts';
import type { Format } from '../../../rendering/format.ts';
import type { ProviderName } from './callback-provider.ts';
import { cardPayload, cardProvider } from './card-provider.ts';
import { custodyPayload, custodyProvider } from './custody-provider.ts';
import { logStreamPayload, makeIdentityProvider } from './identity-provider.ts';
import { makeInbox } from './inbox.ts';
import { kycPayload, kycProvider } from './kyc-provider.ts';
import { makeRefusalRecord, type RecordRefusal, UnprovenSender } from './refusals.ts';
import { addressProof, cardProof, digestProof, type SenderProof } from './sender-proof.ts';
import { type TakeCallback, takingMany, takingOne } from './take-callback.ts';

export interface CallbackServices {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly queue: Pick<Queue, 'boss'>;
  readonly format: Format;
  readonly config: Pick<Config, 'webhooks'>;
  readonly logger: pino.Logger;
  /** Default: refusals are logged, and not counted. */
  readonly registry?: Registry;
}

/** Largest body of a callback. */
const mostBytes = 1024 * 1024;

const takenIn = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Of what was stored; of a list, of one of its parts',
    }),
    duplicate: Type.Boolean({ description: 'Whether all of it was here before' }),
    events: Type.Optional(Type.Integer({ description: 'Of a list: how many events it has' })),
    malformed: Type.Optional(
      Type.Integer({ description: 'Of a list: how many of them could not be used; they are kept' }),
    ),
  },
  { title: 'CallbackReceipt', additionalProperties: false },
);

/** The four endpoints that providers call; what they bring is stored and processed by a worker. */
export function makeCallbackEndpoints(services: CallbackServices): Endpoint[] {
  const { pool, queue, format, config, logger, registry } = services;
  const { custodySecrets, cardSecrets, kycSecrets, logStreamAddresses } = config.webhooks;
  const inbox = makeInbox(pool, queue.boss);
  const recordRefusal = makeRefusalRecord(logger, registry);
  const common = { logger, recordRefusal };
  return [
    callbackEndpoint({
      ...common,
      provider: 'custody',
      path: '/webhooks/on-insert-custody-webhook-payload-transaction',
      operationId: 'takeCustodyCallback',
      summary: 'Takes in what the custody provider says of transfers and balances',
      body: custodyPayload,
      proof: digestProof({
        scheme: 'custodySignature',
        header: 'x-signature-sha256',
        algorithm: 'sha256',
        secrets: custodySecrets,
      }),
      take: takingOne(custodyProvider, inbox),
    }),
    callbackEndpoint({
      ...common,
      provider: 'card',
      path: '/webhooks/on-card-webhook',
      operationId: 'takeCardCallback',
      summary: 'Takes in what the card issuer says of payments and cards',
      body: cardPayload,
      proof: cardProof(cardSecrets),
      take: takingOne(cardProvider, inbox),
    }),
    callbackEndpoint({
      ...common,
      provider: 'kyc',
      path: '/webhooks/on-kyc-provider-webhook-payload',
      operationId: 'takeKycCallback',
      summary: 'Takes in what the KYC provider says of people and their documents',
      body: kycPayload,
      proof: digestProof({
        scheme: 'kycDigest',
        header: 'x-payload-digest',
        algorithm: 'sha1',
        secrets: kycSecrets,
      }),
      take: takingOne(kycProvider, inbox),
    }),
    callbackEndpoint({
      ...common,
      provider: 'identity',
      path: '/webhooks/on-identity-provider-log-streams',
      operationId: 'takeLogStream',
      summary: 'Takes in records of the identity provider’s log, one or a list',
      description: 'Only from the addresses of `ROWGATE_IDP_LOG_ALLOWLIST`.',
      body: logStreamPayload,
      proof: addressProof(logStreamAddresses),
      take: takingMany(makeIdentityProvider(format), inbox),
    }),
  ];
}

interface CallbackDefinition {
  readonly provider: ProviderName;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly body: TSchema;
  readonly proof: SenderProof;
  readonly take: TakeCallback;
  readonly logger: pino.Logger;
  readonly recordRefusal: RecordRefusal;
}

const answers: Readonly<Record<number, Answer>> = {
  202: {
    description: 'It is stored, and will have its effect once',
    content: { 'application/json': takenIn },
  },
  400: { description: 'It cannot be used, and is kept for inspection; `detail` says where' },
  401: { description: 'It does not show that it comes from the provider' },
};

function callbackEndpoint(definition: CallbackDefinition): Endpoint {
  const { provider, proof, take, logger, recordRefusal, ...described } = definition;
  return defineEndpoint({
    ...described,
    method: 'post',
    tag: 'webhooks',
    rawBytes: mostBytes,
    access: {
      schemes: proof.schemes,
      admit: async (request) => {
        const failure = proof.failureOfHeaders(request);
        if (failure) throw new UnprovenSender(failure);
      },
    },
    answers,
    onError: (error, request) => recordRefusal(provider, error, request),
    handle: async ({ raw, request }, response) => {
      const failure = proof.failureOfBody(request, raw);
      if (failure) throw new UnprovenSender(failure);
      response.status(202).json(await orUnavailable(take(raw), logger));
    },
  });
}
