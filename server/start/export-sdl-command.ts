import { metadataOption } from '../../permissions/index.ts';
import { actionSource } from '../actions/action-source.ts';
import type { ServerCommand } from '../cli/command-context.ts';

/** `rowgate export sdl` prints the GraphQL schema of one role, for code generators and reviews. */
export const exportSdlCommand: ServerCommand = {
  name: 'export sdl',
  summary: 'print the GraphQL schema of one role in alphabetical order',
  options: {
    role: { type: 'string', help: 'a role of the metadata, or admin' },
    'backend-only': {
      type: 'boolean',
      default: false,
      help: 'include mutations that only back ends may run (rules with backend_only)',
    },
    ...metadataOption,
  },
  run: async (options, _positionals, context) => {
    // Imported on demand, because this module loads all of PostGraphile.
    const { roleSdl } = await import('../graphql/schema/role-sdl.ts');
    const { findExtensionsOf } = await import('../postgraphile/prepare-dialect.ts');
    const { rolePrefix, headerPrefix, inferFunctionPermissions } = context;
    const naming = { rolePrefix, headerPrefix, inferFunctionPermissions };
    const client = await context.connectOwner();
    try {
      const sdl = await roleSdl({
        model: { metadata: String(options.metadata), client, ...naming },
        databaseUrl: await context.ownerUrl(),
        role: options.role,
        asBackend: options['backend-only'] === true,
        extensionsOf: findExtensionsOf([actionSource()]),
      });
      context.print(sdl);
      return 0;
    } finally {
      await client.end();
    }
  },
};
