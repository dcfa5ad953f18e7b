import type pg from 'pg';
import type pino from 'pino';
import { Type } from 'typebox';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import type { ApiAnswer } from '../../../http/endpoint/api-operation.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { tokensTag } from '../../api-tags.ts';
import { makeApiKeyAccess } from '../api-keys/api-key-access.ts';
import { issuedTokenBody, issuedTokenSchema } from '../issued-token.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { ApiKeyCaller } from '../user.ts';
import { findTokenUser, noSuchUser, refuseOtherOrganization } from './find-token-user.ts';
import { issueSdkToken, type SdkTokenRequest } from './issue-sdk-token.ts';

export interface SdkEndpointOptions {
  readonly pool: pg.Pool;
  readonly limits: RateLimits;
  readonly logger: pino.Logger;
}

const userId = Type.String({
  pattern: '^\\P{C}{1,255}$',
  description: 'The id of the person at the identity provider',
  examples: ['local|alder-investor'],
});
const organizationId = Type.String({
  format: 'uuid',
  description: 'The organization of the person',
});
const levelName = Type.String({
  pattern: '^[^\\p{C}\\p{Zl}\\p{Zp}]{1,100}$',
  default: 'basic-kyc-level',
  description: 'The level at which the KYC provider verifies the person',
});

const answers: Readonly<Record<number, ApiAnswer>> = {
  200: {
    description: 'A token for the data API only, valid for 30 minutes',
    content: { 'application/json': issuedTokenSchema },
  },
  403: { description: 'The key lacks the scope, or may not use the organization' },
  404: { description: 'The person does not exist, or the key may not see the person' },
};

/** Makes the endpoints where programs request tokens for SDKs. */
export function makeSdkEndpoints(options: SdkEndpointOptions): readonly Endpoint[] {
  return [workflowEndpoint(options), kycEndpoint(options)];
}

function workflowEndpoint(options: SdkEndpointOptions): Endpoint {
  const { pool, limits, logger } = options;
  return defineEndpoint({
    method: 'post',
    path: '/auth/workflow-sdk/init-token',
    operationId: 'issueWorkflowSdkToken',
    tag: tokensTag,
    summary: 'issue a token for the workflow SDK',
    access: limitedByKey(makeApiKeyAccess('sdk:workflow', options), limits),
    limit: limits.byAddress('tokens'),
    body: Type.Object({ userId, organizationId }, { additionalProperties: false }),
    answers,
    handle: async ({ who: key, body }, response) => {
      const organization = body.organizationId.toLowerCase();
      refuseOtherOrganization(organization, key.organizationId);
      const user = await orUnavailable(findTokenUser(pool, body.userId, key), logger);
      refuseOtherOrganization(organization, user.organizationId);
      const request = { kind: 'workflow', keyId: key.keyId, userId: user.id } as const;
      const token = await issue({ ...request, organizationId: organization }, options);
      response.json(issuedTokenBody(token));
    },
  });
}

function kycEndpoint(options: SdkEndpointOptions): Endpoint {
  const { pool, limits, logger } = options;
  return defineEndpoint({
    method: 'post',
    path: '/auth/kyc-sdk/init-token',
    operationId: 'issueKycSdkToken',
    tag: tokensTag,
    summary: 'issue a token for the KYC SDK, and set the level of the profile',
    access: limitedByKey(makeApiKeyAccess('sdk:kyc', options), limits),
    limit: limits.byAddress('tokens'),
    body: Type.Object(
      { userId, levelName: Type.Optional(levelName) },
      { additionalProperties: false },
    ),
    answers: {
      ...answers,
      409: {
        description:
          'Compliance has locked the profile, or it is approved or in review at another level',
      },
    },
    handle: async ({ who: key, body }, response) => {
      const user = await orUnavailable(findTokenUser(pool, body.userId, key), logger);
      const token = await issue(
        {
          kind: 'kyc',
          keyId: key.keyId,
          userId: user.id,
          organizationId: user.organizationId,
          levelName: body.levelName,
        },
        options,
      );
      response.json(issuedTokenBody(token));
    },
  });
}

/**
 * Adds a rate limit for each API key. Only requests with a verified key count, so that senders without the key cannot
 * exhaust its limit.
 */
function limitedByKey(access: Access<ApiKeyCaller>, limits: RateLimits): Access<ApiKeyCaller> {
  return {
    ...access,
    admit: async (request) => {
      const key = await access.admit(request);
      await limits.byAccount('tokens', `key:${key.keyId}`);
      return key;
    },
  };
}

async function issue(request: SdkTokenRequest, { pool, logger }: SdkEndpointOptions) {
  const issued = await orUnavailable(issueSdkToken(pool, request), logger);
  if (issued === 'gone') throw noSuchUser();
  if (issued === 'locked') {
    const detail = 'compliance has locked the profile of this person';
    throw new Refusal({ status: 409, code: 'profile-locked', detail });
  }
  if (issued === 'other_level') {
    const detail =
      'the profile is approved or in review at another level; leave levelName out, or let compliance reopen it';
    throw new Refusal({ status: 409, code: 'other-level', detail });
  }
  return issued;
}
