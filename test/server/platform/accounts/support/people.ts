import { Browser } from './browser.ts';
import type { World } from './world.ts';

const alder = '00000000-0000-4000-8000-000000000001';

/** The headers by which somebody asks with a token of the issuer. */
export async function bearerOf(
  { issuer }: Pick<World, 'issuer'>,
  ...token: Parameters<World['issuer']['tokenFor']>
) {
  return { Authorization: `Bearer ${await issuer.tokenFor(...token)}` };
}

/** A browser with the session of somebody. */
export async function signedIn(
  { issuer, server }: Pick<World, 'issuer' | 'server'>,
  subject: string,
): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(subject));
  return browser;
}

/** Somebody of one test alone, with roles besides `user`. Returns the subject. */
export async function makeNewcomer(
  { sql }: Pick<World, 'sql'>,
  name: string,
  ...roles: string[]
): Promise<string> {
  await sql(
    `insert into public."user" (id, organization_id, email) values ('idp|${name}', '${alder}', '${name}@x.example')`,
    ...['user', ...roles].map(
      (one) => `insert into public.user_role values ('idp|${name}', '${one}')`,
    ),
  );
  return `idp|${name}`;
}
