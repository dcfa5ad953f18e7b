/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads typed values out of environment variables and collects every problem instead of stopping at the first. */
export class EnvironmentReader {
  /** One sentence each; values of secrets and URLs are never repeated. */
  readonly problems: string[] = [];
  /** Every name that was asked for. */
  readonly names: Set<string> = new Set();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  complain(name: string, problem: string): undefined {
    this.problems.push(`${name} ${problem}`);
  }

  text(name: string): string | undefined {
    this.names.add(name);
    return this.#environment[name]?.trim() || undefined;
  }

  /** A variable that is not the configuration's own, as it is. */
  foreign(name: string): string | undefined {
    return this.#environment[name];
  }

  integer(name: string, least: number, most: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    return this.complain(name, `is "${text}"; it must be a whole number from ${least} to ${most}`);
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (['true', '1', 'yes', 'on'].includes(text)) return true;
    if (['false', '0', 'no', 'off'].includes(text)) return false;
    return this.complain(name, `is "${text}"; it must be true or false`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    return found ?? this.complain(name, `is "${text}"; it must be one of ${choices.join(', ')}`);
  }

  pattern(name: string, pattern: RegExp, wanted: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || pattern.test(text)) return text;
    return this.complain(name, `is "${text}"; it must be ${wanted}`);
  }

  secret(name: string, shortest: number): string | undefined {
    const text = this.text(name);
    if (text === undefined || text.length >= shortest) return text;
    return this.complain(
      name,
      `has ${text.length} characters; it must have at least ${shortest}, e.g. of: openssl rand -hex 32`,
    );
  }

  /** One secret, or two with a comma between them while one takes the other's place; empty where there is none. */
  secrets(name: string, shortest: number): readonly string[] {
    const found = this.list(name);
    if (found.length > 2) this.complain(name, 'has more than two values');
    if (found.some((one) => one.length < shortest)) {
      this.complain(
        name,
        `has fewer than ${shortest} characters; make one with: openssl rand -hex 32`,
      );
    }
    return found;
  }

  /** A Postgres URL, which may hold a password. */
  databaseUrl(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^postgres(ql)?:$/.test(protocolOf(text) ?? '')) return text;
    return this.complain(name, 'must be a URL like postgres://user:password@host:5432/database');
  }

  /** Entries between commas, without spaces around them; empty where there are none. */
  list(name: string): readonly string[] {
    const entries = this.text(name)?.split(',') ?? [];
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  }

  /** A list of words, each one of the choices. */
  choices<T extends string>(name: string, choices: readonly T[]): readonly T[] {
    return this.list(name).flatMap((entry) => {
      const found = choices.find((choice) => choice === entry);
      if (found !== undefined) return [found];
      this.complain(name, `names "${entry}"; there are ${choices.join(', ')}`);
      return [];
    });
  }

  /** A list of origins, like `https://app.example.com`. */
  origins(name: string): readonly string[] {
    return this.list(name).filter((entry) => {
      // An asterisk would be taken for part of a name that no application has.
      if (URL.parse(entry)?.origin === entry && /^https?:[^*]+$/.test(entry)) return true;
      this.complain(name, `names "${entry}"; it must hold origins like https://app.example.com`);
      return false;
    });
  }

  /** An http or https URL with whatever belongs to it. */
  webAddress(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || /^https?:$/.test(protocolOf(text) ?? '')) return text;
    return this.complain(name, `is "${text}"; it must be a URL that begins with https://`);
  }

  /** An http or https URL, without a slash at its end. */
  webUrl(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const plain = /^https?:$/.test(protocolOf(text) ?? '') && !/[?#]/.test(text);
    if (plain) return text.replace(/\/+$/, '');
    return this.complain(name, `is "${text}"; it must be a URL like https://gateway.example.com`);
  }
}

function protocolOf(text: string): string | undefined {
  return URL.parse(text)?.protocol;
}
