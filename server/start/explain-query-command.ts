import { readFile } from 'node:fs/promises';
import {
  CommandError,
  loadModel,
  metadataOption,
  pinSettings,
  roleNamed,
  variablesOfOptions,
} from '../../permissions/index.ts';
import type { ServerCommand, ServerContext } from '../cli/command-context.ts';
import { errorMessage } from '../errors.ts';

/** `rowgate explain query` shows the SQL and the plan of a GraphQL query, beside its plan without rules. */
export const explainQueryCommand: ServerCommand = {
  name: 'explain query',
  summary: 'show the SQL and the plan of a GraphQL query, and what the rules cost',
  positionals: [
    { name: 'file', help: 'a file with the GraphQL document, or - for standard input' },
  ],
  options: {
    role: { type: 'string', help: 'a role of the metadata' },
    variable: {
      type: 'string',
      multiple: true,
      help: 'a session variable of the caller, as X-Gql-User-Id=7; may be repeated',
    },
    variables: { type: 'string', help: 'the variables of the query, as JSON' },
    operation: { type: 'string', help: 'the operation, if the document has several' },
    analyze: {
      type: 'boolean',
      default: false,
      help: 'run the query, and show its time and the pages that it reads',
    },
    json: { type: 'boolean', default: false, help: 'print JSON, with the whole plans' },
    ...metadataOption,
  },
  run: async (options, [file = '-'], context) => {
    const query = await readDocument(file, context);
    const raw = parseVariables(options.variables);
    const operationName = typeof options.operation === 'string' ? options.operation : undefined;
    const question = { query, operationName, variables: raw };
    const client = await context.connectOwner();
    try {
      await client.query('begin');
      await client.query(pinSettings);
      // Imported on demand, because these modules load all of PostGraphile.
      const { explainDocument } = await import('../graphql/explain/explain-document.ts');
      const { readRegistry } = await import('../graphql/schema/registry/read-registry.ts');
      const { queryText } = await import('../graphql/explain/query-text.ts');
      const { rolePrefix, headerPrefix, inferFunctionPermissions, config } = context;
      const naming = { rolePrefix, headerPrefix, inferFunctionPermissions };
      const model = await loadModel({ metadata: String(options.metadata), client, ...naming });
      const role = roleNamed(options.role, 'explain query', model);
      const variables = variablesOfOptions(options.variable, headerPrefix);
      const registry = await readRegistry(await context.ownerUrl(), model.tables.values());
      const fields = await explainDocument(client, question, {
        ...{ model, config, registry, analyze: options.analyze === true },
        principal: { role, variables },
      });
      if (options.json === true) context.print(JSON.stringify(fields, null, 2));
      else for (const line of queryText(fields)) context.print(line);
      return 0;
    } finally {
      await client.end();
    }
  },
};

async function readDocument(file: string, context: ServerContext): Promise<string> {
  if (file === '-') return context.readInput();
  return readFile(file, 'utf8').catch((cause) => {
    throw usage(`${file} cannot be read: ${errorMessage(cause)}`, cause);
  });
}

function parseVariables(text: unknown) {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usage(`--variables is not valid JSON: ${errorMessage(cause)}`, cause);
  }
}

function usage(message: string, cause: unknown): CommandError {
  return new CommandError('RG_USAGE', message, { exitCode: 2, cause });
}
