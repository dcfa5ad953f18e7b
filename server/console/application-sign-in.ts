import type { AdminSessions } from '../admin/admin-access.ts';
import type { AdminSignIn, SignedInAdmin } from '../admin/admin-person.ts';
import { refuseOtherPages } from './refuse-other-pages.ts';

/**
 * Identifies the administrators of an application by the session that the application has begun, for signing in to the
 * console. Only pages of the console may use that session: a page of another site could otherwise sign its visitors in.
 */
export function applicationSignIn(signIn: AdminSignIn): AdminSessions {
  return {
    schemes: signIn.schemes,
    read: async (request) => {
      refuseOtherPages(request);
      const admin = await signIn.identify(request);
      return admin && { actor: actorOf(admin), person: admin, endsAt: admin.endsAt };
    },
  };
}

const maxNameLength = 150;

/** Names a person for the record. Control characters could forge a line where the log is read as text. */
function actorOf({ name, id }: SignedInAdmin): string {
  const [shown, ofPerson] = [name, id].map((text) =>
    text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, maxNameLength),
  );
  return `${shown} (${ofPerson})`;
}
