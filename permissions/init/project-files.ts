import { stringify } from 'yaml';
import type { Plain, PlainMap } from '../import/hasura/imported.ts';
import { yamlText } from '../import/yaml-text.ts';
import { metadataVersion } from '../metadata/metadata-version.ts';
import {
  editorSchemas,
  fileKinds,
  schemaFileName,
  schemaFolder,
  schemaLine,
} from '../metadata/schemas/editor-schemas.ts';
import { asComment } from './as-comment.ts';
import type { NewFile } from './propose-tables.ts';

/** Returns roles.yaml and rowgate.yaml of a new metadata folder. */
export function settingsFiles(role: string, headerPrefix: string): readonly NewFile[] {
  const purpose = ['purpose', 'signed-in users'] as const;
  const requires = ['requires', [`${headerPrefix}User-Id`]] as const;
  const rolesWith = (settings: PlainMap) =>
    yamlText(new Map([['roles', new Map([[role, settings]])]]));
  return [
    {
      path: 'roles.yaml',
      text: `${schemaLine('roles.yaml')}${rolesWith(new Map([purpose]))}
# A role can require session variables, which its rules compare with columns:
${asComment(rolesWith(new Map<string, Plain>([purpose, requires])))}`,
    },
    {
      path: 'rowgate.yaml',
      text: `${schemaLine('rowgate.yaml')}${yamlText(new Map([['version', metadataVersion]]))}`,
    },
  ];
}

/** Returns the JSON Schemas for editors, with paths within the folder of the schemas. */
export function schemaFiles(): readonly NewFile[] {
  const schemas = editorSchemas();
  return fileKinds.map((kind) => ({
    path: schemaFileName(kind),
    text: `${JSON.stringify(schemas[kind], null, 2)}\n`,
  }));
}

/** Returns the schemas with paths within the metadata folder. */
export function shippedSchemas(): readonly NewFile[] {
  return schemaFiles().map(({ path, text }) => ({ path: `${schemaFolder}/${path}`, text }));
}

/** Returns the files that stand next to the metadata folder. */
export function neighbourFiles(metadata: string): readonly NewFile[] {
  return [
    { path: '.env.example', text: environment },
    { path: 'ci.example.yml', text: ciExample(metadata) },
  ];
}

const environment = `# Copy this file to .env, fill it in, and keep .env out of version control.
# A shell reads it by: set -a; . ./.env; set +a

# The login that owns the tables. In the password, write @ as %40, # as %23 and / as %2F.
DATABASE_URL='postgres://owner:password@127.0.0.1:5432/app'

# At least 32 characters, e.g. from: openssl rand -hex 32
ROWGATE_ADMIN_SECRET=

# How tokens of your users are verified: the JSON of HASURA_GRAPHQL_JWT_SECRET, or an issuer whose keys are discovered.
# ROWGATE_JWT_SECRET='{"issuer": "https://id.example.com/", "audience": "my-app"}'

# The role of callers without credentials. Without it, their requests are refused.
# ROWGATE_UNAUTHORIZED_ROLE=
`;

function ciExample(metadata: string): string {
  const command = ['npx rowgate-check check --catalog catalog.json', ...metadataOption(metadata)];
  return `# A proposal for GitHub Actions. Copy it to .github/workflows/rowgate.yml.
# It needs no database. Write the file that it reads after each migration, and commit it:
#   npx rowgate catalog --out catalog.json
name: Rowgate
on: [push, pull_request]
jobs:
  rules:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: ${stringify(command.join(' '), { lineWidth: 0 }).trimEnd()}
`;
}

/** Returns the option --metadata for a shell, unless the folder is the default. */
export function metadataOption(metadata: string): readonly string[] {
  if (metadata === 'metadata') return [];
  const isPlain = /^[\w./][\w./-]*$/.test(metadata);
  return [`--metadata ${isPlain ? metadata : `'${metadata.replaceAll("'", "'\\''")}'`}`];
}
