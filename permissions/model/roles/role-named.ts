import { CommandError } from '../../errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Model, RoleModel } from '../../types/model.ts';

/**
 * Returns the role that `--role` names.
 * @throws CommandError (exit 2) if the option is missing or names an unknown role
 */
export function roleNamed(name: unknown, command: string, { roles }: Model): RoleModel {
  const known = `the roles are ${[...roles.keys()].join(', ')}`;
  if (typeof name !== 'string') {
    throw new CommandError('RG_USAGE', `${command} lacks --role`, { hint: known, exitCode: 2 });
  }
  const role = roles.get(name);
  if (role) return role;
  throw new CommandError('RG_UNKNOWN_ROLE', `role "${name}" is not in roles.yaml`, {
    hint: didYouMean(name, roles.keys()) ?? known,
    exitCode: 2,
  });
}
