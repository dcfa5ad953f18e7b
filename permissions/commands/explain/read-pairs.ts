import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';
import { looksLikeVariable, variableName } from '../../text/names.ts';

export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Reads options such as `--key id=1`. @throws CommandError RG_USAGE */
export function pairsOf(value: unknown, option: string): ReadonlyMap<string, string> {
  return new Map(
    listOf(value).map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw usage(`${option} ${quote(text)} is not NAME=VALUE`, undefined);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

/** Reads the option `--variable`: session variables by name. @throws CommandError RG_USAGE */
export function variablesOfOptions(
  value: unknown,
  headerPrefix: string,
): ReadonlyMap<string, string> {
  return variablesOfHeaders(pairsOf(value, '--variable'), headerPrefix);
}

/** Returns session variables by name, of values by the names of their headers. @throws CommandError RG_USAGE */
export function variablesOfHeaders(
  pairs: ReadonlyMap<string, string>,
  headerPrefix: string,
): ReadonlyMap<string, string> {
  return new Map(
    [...pairs].map(([header, text]) => {
      const name = looksLikeVariable(header, headerPrefix)
        ? variableName(header, headerPrefix)
        : undefined;
      if (name === undefined)
        throw usage(
          `${quote(header)} is no session variable`,
          `for example ${headerPrefix}User-Id=7`,
        );
      return [name, text] as const;
    }),
  );
}

function usage(message: string, hint: string | undefined): CommandError {
  return new CommandError('RG_USAGE', message, { exitCode: 2, hint });
}
