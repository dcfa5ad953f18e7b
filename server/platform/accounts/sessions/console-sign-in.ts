import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { AdminSignIn } from '../../../admin/admin-person.ts';
import { bearerScheme, sessionScheme } from '../security-schemes.ts';
import { notAdmin } from './sign-in-refusals.ts';
import { findSignedIn, type SignedIn, type SignedInServices } from './signed-in-access.ts';

/**
 * Makes the sign-in of platform admins to the console, by their session or Bearer token of the platform. API keys are
 * not accepted, because the console records a person.
 */
export function makeConsoleSignIn(services: SignedInServices): AdminSignIn {
  return {
    title: 'admin of the platform',
    schemes: [sessionScheme, bearerScheme],
    identify: async (request) => {
      const signedIn = await findSignedIn(request, services);
      if (!signedIn) return undefined;
      const { user, expiresAt } = signedIn;
      if (!user.isPlatformAdmin) throw notAdmin();
      const proof = proofOf(signedIn, request);
      // The e-mail address belongs to the identity provider. The display name can be changed by the person.
      return { id: user.id, name: user.email, proof, endsAt: expiresAt.getTime() };
    },
    isCurrent: async (client, { id, proof }) => {
      const { kind, digest, begunAt } = readProof(proof);
      const isSession = kind === 'session';
      const { rowCount } = await client.query(
        `select from rowgate_auth.find_user($1, $2, $3) u
         where u.is_platform_admin and not u.token_is_revoked
           and ($4::bytea is null or exists (
             select from rowgate_auth.session s
             where s.user_id = $1 and s.expire > pg_catalog.now()
               and pg_catalog.sha256(pg_catalog.convert_to(s.sid, 'UTF8')) = $4))`,
        [id, begunAt, isSession ? null : digest, isSession ? digest : null],
      );
      return rowCount === 1;
    },
  };
}

/** What identifies a session or token without opening it. */
interface Proof {
  readonly kind: SignedIn['by']['kind'];
  /** Of the id of the session, or of the token. */
  readonly digest: Buffer;
  readonly begunAt: Date;
}

function proofOf({ by }: SignedIn, { sessionID, session }: Request): string {
  const { digest, begunAt } =
    by.kind === 'bearer'
      ? { digest: by.token.digest, begunAt: by.token.issuedAt }
      : {
          digest: createHash('sha256').update(sessionID).digest(),
          begunAt: new Date(session.createdAt ?? 0),
        };
  return [by.kind, digest.toString('hex'), begunAt.toISOString()].join(' ');
}

/** The signature of the console's cookie protects the proof, so its form is known. */
function readProof(proof: string): Proof {
  const [kind, digest = '', begunAt = ''] = proof.split(' ');
  return {
    kind: kind === 'bearer' ? 'bearer' : 'session',
    digest: Buffer.from(digest, 'hex'),
    begunAt: new Date(begunAt),
  };
}
