import { Browser } from './browser.ts';
import type { World } from './world.ts';

const alder = '00000000-0000-4000-8000-000000000001';

/** Makes request headers with a token that the issuer has signed for a person. */
export async function bearerOf(
  { issuer }: Pick<World, 'issuer'>,
  ...token: Parameters<World['issuer']['tokenFor']>
) {
  return { Authorization: `Bearer ${await issuer.tokenFor(...token)}` };
}

/** Makes a browser that has a session of a person. */
export async function signedIn(
  { issuer, server }: Pick<World, 'issuer' | 'server'>,
  subject: string,
): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(subject));
  return browser;
}

/** Creates a person for one test, with these roles besides `user`. Returns the person's id. */
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
