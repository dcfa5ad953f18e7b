import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import { type TSchema, Type } from 'typebox';
import { orUnavailable } from '../../../../http/answers/unavailable.ts';
import type { ApiAnswer } from '../../../../http/endpoint/api-operation.ts';
import { defineEndpoint, type Endpoint } from '../../../../http/endpoint/define-endpoint.ts';
import type { Queue } from '../../../../queue/open-queue.ts';
import type { Format } from '../../../../rendering/format.ts';
import { webhooksTag } from '../../../api-tags.ts';
import type { CallbackConfig } from '../../../config/callback-config.ts';
import type { PlatformConfig } from '../../../config/platform-config.ts';
import { type Inbox, makeInbox } from '../inbox.ts';
import type { ProviderName } from '../providers/callback-provider.ts';
import { cardPayload, cardProvider } from '../providers/card-callbacks.ts';
import { custodyPayload, custodyProvider } from '../providers/custody-callbacks.ts';
import { logStreamPayload, makeIdentityLogProvider } from '../providers/identity-log.ts';
import { kycPayload, kycProvider } from '../providers/kyc-callbacks.ts';
import { makeRefusalRecord, type RecordRefusal, UnprovenSender } from './count-refusals.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import { addressProof, cardProof, digestProof, type SenderProof } from './sender-proof.ts';
import { type CallbackIntake, makeEventIntake, makeEventListIntake } from './take-callback.ts';

export interface CallbackServices {
  /** Connections of the sidecar login, which serves everything but the data API. */
  readonly pool: pg.Pool;
  readonly queue: Pick<Queue, 'boss'>;
  readonly format: Format;
  readonly config: Pick<PlatformConfig, 'callbacks'>;
  readonly logger: pino.Logger;
  /** The registry for the counter of refusals. Absent: refusals are only logged. */
  readonly registry?: Registry;
  /** Receives the refusals, for the console. */
  readonly recent?: RecentRefusals;
}

/** The maximum size of the body of a callback. */
const maxBytes = 1024 * 1024;

const callbackReceipt = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'The id of the stored callback, or of one of the records of a list',
    }),
    duplicate: Type.Boolean({ description: 'Whether all of it was stored already' }),
    events: Type.Optional(Type.Integer({ description: 'The number of events in a list' })),
    malformed: Type.Optional(
      Type.Integer({
        description: 'The number of invalid events in a list; they are stored for inspection',
      }),
    ),
  },
  { title: 'CallbackReceipt', additionalProperties: false },
);

/** Makes the four endpoints that providers call. They store callbacks, which a worker processes. */
export function makeCallbackEndpoints(services: CallbackServices): Endpoint[] {
  const { pool, queue, format, config } = services;
  const inbox = makeInbox(pool, queue.boss);
  const recordRefusal = makeRefusalRecord(services);
  return [
    custodyDefinition(config.callbacks, inbox),
    cardDefinition(config.callbacks, inbox),
    kycDefinition(config.callbacks, inbox),
    identityLogDefinition(config.callbacks, inbox, format),
  ].map((definition) =>
    callbackEndpoint({ ...definition, logger: services.logger, recordRefusal }),
  );
}

function custodyDefinition({ custodySecrets }: CallbackConfig, inbox: Inbox): CallbackDefinition {
  return {
    provider: 'custody',
    path: '/webhooks/on-insert-custody-webhook-payload-transaction',
    operationId: 'takeCustodyCallback',
    summary: 'Receives transfers and balances from the custody provider',
    body: custodyPayload,
    proof: digestProof({
      scheme: 'custodySignature',
      header: 'X-Signature-SHA256',
      description:
        'HMAC-SHA256 of the unchanged body in hexadecimal digits, with the secret of the custody provider.',
      algorithm: 'sha256',
      secrets: custodySecrets,
    }),
    take: makeEventIntake(custodyProvider, inbox),
  };
}

function cardDefinition({ cardSecrets }: CallbackConfig, inbox: Inbox): CallbackDefinition {
  return {
    provider: 'card',
    path: '/webhooks/on-card-webhook',
    operationId: 'takeCardCallback',
    summary: 'Receives payments and card changes from the card issuer',
    body: cardPayload,
    proof: cardProof(cardSecrets),
    take: makeEventIntake(cardProvider, inbox),
  };
}

function kycDefinition({ kycSecrets }: CallbackConfig, inbox: Inbox): CallbackDefinition {
  return {
    provider: 'kyc',
    path: '/webhooks/on-kyc-provider-webhook-payload',
    operationId: 'takeKycCallback',
    summary: 'Receives reviews of people and their documents from the KYC provider',
    body: kycPayload,
    proof: digestProof({
      scheme: 'kycDigest',
      header: 'x-payload-digest',
      description:
        'HMAC-SHA1 of the unchanged body in hexadecimal digits, with the secret of the KYC provider.',
      algorithm: 'sha1',
      secrets: kycSecrets,
    }),
    take: makeEventIntake(kycProvider, inbox),
  };
}

function identityLogDefinition(
  { logStreamAddresses }: CallbackConfig,
  inbox: Inbox,
  format: Format,
): CallbackDefinition {
  return {
    provider: 'identity',
    path: '/webhooks/on-identity-provider-log-streams',
    operationId: 'takeLogStream',
    summary: 'Receives records of the identity provider’s log, one or a list',
    description: 'Only from the addresses of `ROWGATE_IDP_LOG_ALLOWLIST`.',
    body: logStreamPayload,
    proof: addressProof(logStreamAddresses),
    take: makeEventListIntake(makeIdentityLogProvider(format), inbox),
  };
}

interface CallbackDefinition {
  readonly provider: ProviderName;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly body: TSchema;
  readonly proof: SenderProof;
  readonly take: CallbackIntake;
}

interface CallbackEndpointOptions extends CallbackDefinition {
  readonly logger: pino.Logger;
  readonly recordRefusal: RecordRefusal;
}

const answers: Readonly<Record<number, ApiAnswer>> = {
  202: {
    description: 'The callback is stored, and will have its effect once',
    content: { 'application/json': callbackReceipt },
  },
  400: {
    description: 'The callback is invalid and stored for inspection; `detail` names the problem',
  },
  401: { description: 'The callback does not prove that it comes from the provider' },
};

function callbackEndpoint(options: CallbackEndpointOptions): Endpoint {
  const { provider, proof, take, logger, recordRefusal, ...described } = options;
  return defineEndpoint({
    ...described,
    method: 'post',
    tag: webhooksTag,
    rawBytes: maxBytes,
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
