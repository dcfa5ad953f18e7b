import { since } from '../../support/since.ts';
import { asSuperuser } from '../../support/superuser.ts';
import {
  type Installation,
  type InstallationOptions,
  install,
  openInstallation,
} from './installation.ts';

/** A schema with applied rules, to which a database can return. */
export interface Snapshot {
  /** Returns the installation as it was after the first apply. The installation of an earlier call ends. */
  restore(): Promise<Installation>;
  drop(): Promise<void>;
}

/**
 * Applies rules once, and keeps a copy of the database. A test that changes rules then starts from the copy instead of
 * applying all rules again. The database keeps its name, because the name identifies the owner of the Postgres roles.
 * Tests may not drop these roles.
 */
export async function takeSnapshot(options: InstallationOptions): Promise<Snapshot> {
  let installation = await install(options);
  const { database, prefix } = installation;
  await installation.disconnect();
  const copy = `${database.name}_copy`;
  await asSuperuser(`create database ${copy} template ${database.name} ${strategy()}`);
  return {
    restore: async () => {
      await installation.disconnect();
      await asSuperuser(`drop database ${database.name} with (force)`);
      await asSuperuser(
        `create database ${database.name} template ${copy} owner rowgate_owner ${strategy()}`,
      );
      installation = await openInstallation(database, { rules: options.rules, prefix });
      return installation;
    },
    drop: async () => {
      await asSuperuser(`drop database ${copy} with (force)`);
      await installation.drop();
    },
  };
}

// In Postgres 15 and later, the default strategy would first write every page to the WAL.
const strategy = () => (since(15) ? 'strategy file_copy' : '');
