import type { ServerCommand } from '../../../cli/command-context.ts';
import { resolveSecretKey } from '../secret-key.ts';
import type { PlatformContext } from './platform-context.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate keys rotate` makes a new signing key. The old key still verifies tokens until they expire. */
export const rotateKeysCommand: ServerCommand<PlatformContext> = {
  name: 'keys rotate',
  summary: 'make a new key that signs tokens; tokens of the old one are valid until they expire',
  options: {
    forget: {
      type: 'boolean',
      default: false,
      help: 'for a key that leaked or cannot be decrypted: its tokens become invalid at once',
    },
  },
  run: async (options, _positionals, context) => {
    const { value: secretKey } = await resolveSecretKey({ ...context.config, ...context.settings });
    const { previousSecretKey } = context.settings.identity;
    const forget = options.forget === true;
    // Loaded on demand, because other commands start faster without it.
    const { rotateKeys } = await import('../signing/rotate-keys.ts');
    const kid = await withPlatform(context, (owner) =>
      rotateKeys(owner, { secretKey, previousSecretKey, forget }),
    );
    context.print(kid);
    return 0;
  },
};
