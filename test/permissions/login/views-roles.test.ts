import { afterEach, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { runCommand } from '../../support/command-line.ts';
import { query } from '../../support/query.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let made: Installation;

const rowgate = (...args: readonly string[]) =>
  runCommand(args, {
    DATABASE_URL: made.database.ownerUrl,
    ROWGATE_ROLE_PREFIX: made.prefix,
    ROWGATE_ADMIN_SECRET: 'a'.repeat(40),
    ROWGATE_PLATFORM_ADMIN_SECRET: 'a'.repeat(40),
    ROWGATE_DATA_DIR: `${made.metadata}/.rowgate`,
  });

afterEach(async () => {
  await rowgate('uninstall', '--yes');
  await made.drop();
  await removeMetadata();
});

test.each(['constructor', 'valueOf', '__proto__'])(
  'a role with the name %s, which JavaScript objects have as a property, gets rules and views',
  async (role) => {
    made = await makeInstallation({
      schema: 'create table doc (id integer); insert into doc values (1), (2)',
      rules: {
        'roles.yaml': `roles: { ${role}: {} }\n`,
        'tables/doc.yaml': `table: doc\npermissions:\n  ${role}: { select: { filter: { id: { _eq: 2 } }, columns: '*' } }\n`,
      },
    });
    await made.apply();
    expect((await made.ask(role, {}, 'select id from doc')).rows).toEqual([['2']]);
    const login = `${made.prefix.replace(/_$/, '')}login`;
    const created = await rowgate(
      ...['login', 'create', login, '--role', role, '--views', '--metadata', made.metadata],
    );
    expect(created.code, created.stderr).toBe(0);
    const url = withLogin(made.database.ownerUrl, login, created.stdout.trim());
    expect(await query(url, `select * from "reporting_${role}".doc`)).toEqual([{ id: 2 }]);
  },
);
