import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import express, { type Request } from 'express';
import pg from 'pg';
import { identitySettings } from './identity-settings.ts';
import { listen } from './listen.ts';

// The smallest correct implementation: verifies one signature and reads the person with one query.
const { ownerUrl, poolSize, cookieKey, publicJwk, issuer, audience } = identitySettings();
const pool = new pg.Pool({ connectionString: ownerUrl, max: poolSize });
const key = createPublicKey({ key: publicJwk, format: 'jwk' });
const person = `select u.id, u.email, u.organization_id,
  array(select r.role from public.user_role r where r.user_id = u.id order by r.role collate "C") as roles`;
const bySession = `${person}, s.sess ->> 'expiresAt' as expires_at
  from rowgate_auth.session s join public."user" u on u.id = s.sess ->> 'userId'
  where s.sid = $1 and s.expire > now() and u.status = 'active'`;
const byId = `${person} from public."user" u where u.id = $1 and u.status = 'active'
  and not exists (select from rowgate_auth.revoked_token t where t.digest = sha256($2::bytea))`;

function sessionId({ headers }: Request): string | undefined {
  const [, id = '', signature = ''] = /by-hand=([^.;]+)\.([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const given = Buffer.from(signature, 'base64url');
  const right = createHmac('sha256', cookieKey).update(id).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
}

interface Claims {
  readonly sub: string;
  readonly exp: number;
}

function claimsOf(token: string): Claims | undefined {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const now = Date.now() / 1000;
  const isOurs = alg === 'RS256' && claims.iss === issuer && claims.aud === audience;
  return isOurs && claims.exp > now && claims.nbf <= now ? claims : undefined;
}

async function find(request: Request) {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) {
    const id = sessionId(request);
    const { rows } = await pool.query({ name: 'session', text: bySession, values: [id] });
    return rows[0];
  }
  const claims = claimsOf(token);
  if (!claims) return undefined;
  const { rows } = await pool.query({ name: 'id', text: byId, values: [claims.sub, token] });
  return rows[0] && { ...rows[0], expires_at: new Date(claims.exp * 1000).toISOString() };
}

const app = express().disable('x-powered-by').disable('etag');
app.get('/auth/session', async (request, response) => {
  const found = await find(request);
  if (!found) {
    response.status(401).end();
    return;
  }
  const { id, email, roles, organization_id: organizationId, expires_at: expiresAt } = found;
  response.json({ user: { id, email, roles, organizationId }, expiresAt });
});
await listen(app);
