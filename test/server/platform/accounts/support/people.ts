import { Browser } from './browser.ts';
import type { World } from './world.ts';

const alder = '00000000-0000-4000-8000-000000000001';

/** Makes the headers of a person with a token of the issuer. */
export async function bearerOf(
  { issuer }: Pick<World, 'issuer'>,
  ...token: Parameters<World['issuer']['tokenFor']>
) {
  return { Authorization: `Bearer ${await issuer.tokenFor(...token)}` };
}

/** Makes a browser with the session of a person. */
export async function signedIn(
  { issuer, server }: Pick<World, 'issuer' | 'server'>,
  subject: string,
): Promise<Browser> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(subject));
  return browser;
}

/** Creates a person for one test, with roles besides `user`. Returns the id. */
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
