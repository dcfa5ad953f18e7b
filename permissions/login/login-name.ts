import { unsafeCharacterIn } from '../text/characters.ts';
import { maxNameBytes } from '../text/names.ts';

/** Words that Postgres does not accept as the name of a role. */
const reserved = ['none', 'public', 'current_user', 'current_role', 'session_user'];

/** Returns the reason why a login may not have this name; undefined when the name is allowed. */
export function loginNameProblem(name: string, rolePrefix: string): string | undefined {
  if (name === '') return 'it is empty';
  const unsafe = unsafeCharacterIn(name);
  if (unsafe !== undefined) return `it holds ${unsafe}, which cannot be seen`;
  const bytes = Buffer.byteLength(name);
  if (bytes > maxNameBytes) return `it is ${bytes} bytes long, ${maxNameBytes} is the limit`;
  const lower = name.toLowerCase();
  if (reserved.includes(lower)) return 'Postgres keeps this word for itself';
  if (lower.startsWith('pg_')) return 'it begins with pg_, which Postgres keeps for itself';
  if (lower.startsWith(rolePrefix.toLowerCase()))
    return `it begins with ${rolePrefix}, as the roles that apply makes do`;
  return undefined;
}

/** Returns the comment that marks a direct login of this installation. Roles that apply makes have another comment. */
export function loginComment(installation: string): string {
  return `rowgate-login:${installation}`;
}
