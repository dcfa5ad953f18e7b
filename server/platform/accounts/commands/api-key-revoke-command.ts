import type { ServerCommand } from '../../../cli/command-context.ts';
import { ProcessError } from '../../../errors.ts';
import { revokeApiKey } from '../api-keys/key-store.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate api-key revoke` immediately ends a key and the SDK tokens that were issued to it. */
export const apiKeyRevokeCommand: ServerCommand = {
  name: 'api-key revoke',
  summary: 'revoke an API key and the SDK tokens that were issued to it',
  positionals: [{ name: 'id', help: 'its id, as api-key list shows it; not the key' }],
  options: {},
  run: async (_options, [given = ''], context) => {
    const outcome = await withPlatform(context, (owner) => revokeApiKey(owner, given));
    if (outcome === 'not there') {
      // The message does not quote the argument, which may be a whole key.
      throw new ProcessError('RG_USAGE', 'there is no API key with that id', {
        hint: 'rowgate api-key list shows the ids',
      });
    }
    context.print(
      outcome === 'revoked' ? `revoked API key ${given}` : `API key ${given} ${outcome}`,
    );
    return 0;
  },
};
