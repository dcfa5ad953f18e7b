/** The parts of a database URL. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Makes a postgres:// URL from its parts and escapes them. */
export function databaseUrl(address: DatabaseAddress): string {
  const { host, port, user, password, database } = address;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${login}@${host}:${port}/${encodeURIComponent(database)}`;
}

/** Replaces user and password of a URL, and keeps host, database and options. */
export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(user);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

/** Replaces the database of a URL, and keeps login, host and options. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
