/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads typed values from environment variables. Collects all problems instead of stopping at the first. */
export class EnvironmentReader {
  /** The problems, one sentence each. They contain no values of secrets or database URLs. */
  readonly problems: string[] = [];
  /** The names of all variables that were read. */
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

  /** Returns a variable that is not a setting of Rowgate, unchanged, e.g. for `{{NAME}}` in a webhook. */
  foreign(name: string): string | undefined {
    return this.#environment[name];
  }

  integer(name: string, min: number, max: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return this.complain(name, `is "${text}"; it must be a whole number from ${min} to ${max}`);
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

  pattern(name: string, pattern: RegExp, expected: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || pattern.test(text)) return text;
    return this.complain(name, `is "${text}"; it must be ${expected}`);
  }

  secret(name: string, minLength: number): string | undefined {
    const text = this.text(name);
    if (text === undefined || text.length >= minLength) return text;
    return this.complain(
      name,
      `has ${text.length} characters; it must have at least ${minLength}, e.g. of: openssl rand -hex 32`,
    );
  }

  /** Reads one secret, or two with a comma during a rotation. Returns an empty list when the variable is not set. */
  secrets(name: string, minLength: number): readonly string[] {
    const found = this.list(name);
    if (found.length > 2) this.complain(name, 'has more than two values');
    if (found.some((one) => one.length < minLength)) {
      this.complain(
        name,
        `has fewer than ${minLength} characters; make one with: openssl rand -hex 32`,
      );
    }
    return found;
  }

  /** Reads a Postgres URL. It may contain a password, so no message repeats it. */
  databaseUrl(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const unescaped = unescapedCharacters(text);
    if (unescaped.length > 0) {
      const each = unescaped.map((one) => `"${one}" as ${encodeURIComponent(one)}`).join(', ');
      return this.complain(name, `has reserved characters in its user or password; write ${each}`);
    }
    if (/^postgres(ql)?:$/.test(protocolOf(text) ?? '')) return text;
    return this.complain(name, 'must be a URL like postgres://user:password@host:5432/database');
  }

  /** Reads a comma-separated list. Returns an empty list when the variable is not set. */
  list(name: string): readonly string[] {
    const entries = this.text(name)?.split(',') ?? [];
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  }

  /** Reads a comma-separated list of choices. */
  choices<T extends string>(name: string, choices: readonly T[]): readonly T[] {
    return this.list(name).flatMap((entry) => {
      const found = choices.find((choice) => choice === entry);
      if (found !== undefined) return [found];
      this.complain(name, `names "${entry}"; there are ${choices.join(', ')}`);
      return [];
    });
  }

  /** Reads a comma-separated list of origins, like `https://app.example.com`. */
  origins(name: string): readonly string[] {
    return this.list(name).filter((entry) => {
      // Refuses an asterisk: origins are compared as a whole, so an asterisk would not work as a wildcard.
      if (URL.parse(entry)?.origin === entry && /^https?:[^*]+$/.test(entry)) return true;
      this.complain(name, `names "${entry}"; it must hold origins like https://app.example.com`);
      return false;
    });
  }

  /** Reads an http or https URL, which may have a path, a query and a fragment. */
  webAddress(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || /^https?:$/.test(protocolOf(text) ?? '')) return text;
    return this.complain(name, `is "${text}"; it must be a URL that begins with https://`);
  }

  /** Reads an http or https URL without query and fragment. Removes slashes at its end. */
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

/**
 * Returns the characters that must be percent-encoded in the user and password of a Postgres URL but are not. Programs
 * read such a URL in different ways: the text after `#`, `/` or `?` would no longer belong to the password.
 */
function unescapedCharacters(url: string): readonly string[] {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(url) ?? [];
  if (rest === undefined || !rest.includes('@')) return [];
  // Options of the connection, such as `?sslmode=require&application_name=a@b`, are no part of the password.
  const address = rest.replace(/\?\w+=[^&@]*(?:@[^&@/]*)?(?:&\w+=[^&]*)*$/, '');
  const login = (address.includes('@') ? address : rest).replace(/@[^@]*$/s, '');
  return [...new Set(login.match(/[#/?@\s]|%(?![0-9a-f]{2})/gi))];
}
