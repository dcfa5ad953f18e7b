import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { Type } from 'typebox';
import { isUnchanged } from '../../../http/answers/is-unchanged.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { SignedInUser } from '../../accounts/user.ts';
import { documentsTag } from '../../api-tags.ts';
import { isUuid } from '../../uuid.ts';
import type { SparklineFormat } from './describe-series.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { renderSparkline } from './render-sparkline.ts';
import { ownsWallet, readSeries } from './series.ts';

const lifetimeSeconds = 8 * 60;
/** The maximum size of all cached pictures, in characters; about 2,000 pictures of a month. */
const cacheBudget = 4 * 1024 * 1024;
const minDays = 7;
const maxDays = 365;
const defaultDays = 30;

export interface SparklineServices {
  readonly signedIn: Access<SignedInUser>;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly format: SparklineFormat;
  readonly logger: pino.Logger;
  /** Milliseconds since 1970; default: the clock of this machine. */
  readonly now?: () => number;
}

/** Makes the endpoint that sends a small chart of a wallet's value to its owner. */
export function makeSparklineEndpoint(services: SparklineServices): Endpoint {
  const { signedIn, logger, now = Date.now } = services;
  const pictures = new ExpiringCache<string>({
    lifetimeMs: lifetimeSeconds * 1000,
    budget: cacheBudget,
    costOf: (svg) => svg.length,
    now,
  });
  return defineEndpoint({
    method: 'get',
    path: '/wallets/{walletId}/sparkline',
    operationId: 'getWalletSparkline',
    tag: documentsTag,
    summary: 'get a small chart of the daily value of a wallet',
    description:
      'For the owner of the wallet, in US dollars. Past days are from snapshots, and today is the balance at the latest price. The picture is cached for 8 minutes.',
    access: signedIn,
    params: Type.Object({ walletId: Type.String({ description: 'The id of the wallet' }) }),
    query,
    headers: { 'If-None-Match': 'The `ETag` of the picture that the client has' },
    answers,
    handle: async ({ who: { user }, params, query, request }, response) => {
      const days = readDays(query.days);
      const { walletId } = params;
      // Ownership is checked at each request, even for a cached picture, because wallets can change owners.
      const work = isUuid(walletId)
        ? ownsWallet(services.pool, walletId, user.id)
        : Promise.resolve(false);
      if (!(await orUnavailable(work, logger))) throw notFound();
      const key = JSON.stringify([walletId.toLowerCase(), user.id, days]);
      const make = () => makePicture(services, walletId, user.id, days);
      const { value, madeAt } = await orUnavailable(pictures.get(key, make), logger);
      const age = Math.floor((now() - madeAt) / 1000);
      send(request, response, query.format === 'base64' ? asJson(value) : asSvg(value), age);
    },
  });
}

const query = Type.Object({
  format: Type.Optional(
    Type.Union([Type.Literal('svg'), Type.Literal('base64')], {
      default: 'svg',
      description: '`svg`: the picture itself; `base64`: JSON that contains it',
    }),
  ),
  days: Type.Optional(
    Type.String({
      default: String(defaultDays),
      description: `The number of days up to today: a whole number from ${minDays} to ${maxDays}`,
    }),
  ),
});

const base64Picture = Type.Object(
  {
    contentType: Type.Literal('image/svg+xml'),
    data: Type.String({ description: 'The picture in Base64' }),
  },
  { title: 'Base64Picture', additionalProperties: false },
);

const cacheHeaders = {
  'Cache-Control': '`private, max-age=480`',
  ETag: 'Identifies this picture in this format',
  Age: 'The age of the picture in seconds',
};

const answers = {
  200: {
    description: 'The picture; without known values it shows “no data”',
    content: { 'image/svg+xml': 'binary', 'application/json': base64Picture },
    headers: cacheHeaders,
  },
  304: { description: 'The client has the current picture', headers: cacheHeaders },
  404: { description: 'The wallet does not exist, or the caller does not own it' },
} as const;

function readDays(text = String(defaultDays)): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (days >= minDays && days <= maxDays) return days;
  const detail = `query.days must be a whole number from ${minDays} to ${maxDays}`;
  throw new Refusal({ status: 400, code: 'bad-request', detail });
}

/**
 * Makes the refusal. It is the same for a missing wallet and for another person's wallet, so that it does not reveal
 * which wallets exist.
 */
function notFound(): Refusal {
  const detail = 'the wallet does not exist, or it is not yours';
  return new Refusal({ status: 404, code: 'not-found', detail });
}

async function makePicture(
  { pool, format }: SparklineServices,
  wallet: string,
  owner: string,
  days: number,
): Promise<string> {
  const series = await readSeries(pool, wallet, owner, days);
  if (!series) throw notFound();
  return renderSparkline(series, format);
}

interface Body {
  readonly contentType: string;
  readonly text: string;
}

function asSvg(text: string): Body {
  return { contentType: 'image/svg+xml', text };
}

function asJson(svg: string): Body {
  const picture = {
    contentType: 'image/svg+xml',
    data: Buffer.from(svg, 'utf8').toString('base64'),
  };
  return { contentType: 'application/json', text: JSON.stringify(picture) };
}

function send(
  request: Request,
  response: Response,
  { contentType, text }: Body,
  age: number,
): void {
  response.vary('Cookie, Authorization').set({
    'Cache-Control': `private, max-age=${lifetimeSeconds}`,
    ETag: `"${createHash('sha256').update(text).digest('base64url')}"`,
    Age: String(age),
    // Pages of the same site may show the picture; other sites may not.
    'Cross-Origin-Resource-Policy': 'same-site',
  });
  if (isUnchanged(request, response)) return void response.status(304).end();
  response.type(contentType).send(text);
}
