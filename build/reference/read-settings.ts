import { readConfig } from '../../server/config/config.ts';
import { EnvironmentReader } from '../../server/config/environment.ts';
import { readPlatformSettings } from '../../server/platform/config/platform-config.ts';

/** Reads settings like the real reader and records what the code requires of each setting: its kind and bounds. */
class RecordingReader extends EnvironmentReader {
  readonly accepted = new Map<string, string>();

  #note(name: string, text: string): void {
    if (!this.accepted.get(name)) this.accepted.set(name, text);
  }

  override text(name: string) {
    this.#note(name, '');
    return super.text(name);
  }

  override integer(name: string, least: number, most: number) {
    this.#note(name, `${least} to ${most}`);
    return super.integer(name, least, most);
  }

  override flag(name: string) {
    this.#note(name, '`true`, `false`');
    return super.flag(name);
  }

  override choice<T extends string>(name: string, choices: readonly T[]) {
    this.#note(name, choices.map((choice) => `\`${choice}\``).join(', '));
    return super.choice(name, choices);
  }

  override choices<T extends string>(name: string, choices: readonly T[]) {
    this.#note(name, choices.map((choice) => `\`${choice}\``).join(', '));
    return super.choices(name, choices);
  }

  override secret(name: string, shortest: number) {
    this.#note(name, shortest > 1 ? `at least ${shortest} characters` : '');
    return super.secret(name, shortest);
  }

  override secrets(name: string, shortest: number) {
    this.#note(name, `one or two of at least ${shortest} characters`);
    return super.secrets(name, shortest);
  }

  override databaseUrl(name: string) {
    this.#note(name, '`postgres://…`');
    return super.databaseUrl(name);
  }
}

/**
 * Returns a description of the accepted values of each setting, by the name of the setting. It runs the code that reads
 * the configuration on an empty environment, so the description cannot differ from the code.
 */
export function readSettings(): ReadonlyMap<string, string> {
  const read = new RecordingReader({});
  const folder = '/';
  const config = readConfig(read, folder);
  readPlatformSettings(read, { config, folder });
  return read.accepted;
}
