import {
  CommandError,
  comparisonOperators,
  editorSchemas,
  type FileKind,
  listDraftFiles,
  type Model,
  readDraftFile,
  titledHeader,
  writeDraftFile,
} from '../../../permissions/index.ts';
import type { Closers } from '../../closers.ts';
import type { ServerLogin } from '../../db/logins/logins.ts';
import { Refusal } from '../../http/answers/problem.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { version } from '../../version.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import {
  applyAnswer,
  applyBody,
  checkAnswer,
  checkBody,
  contextAnswer,
  draftsBody,
  fileAnswer,
  fileQuery,
  filesAnswer,
  planAnswer,
  planBody,
  ruleQuery,
  testAnswer,
  writeAnswer,
  writeBody,
} from './bodies.ts';
import { ChangeThread } from './change-thread.ts';
import type { ChangeEnvironment } from './change-worker.ts';

/** Maximum time of a reading by the thread. The first one reads all files and the catalog. */
const maxReadingMs = 60_000;

/** What changing rules needs beside the environment of all endpoints for admins. */
export interface ChangeSources extends Pick<ChangeEnvironment, 'metadata'> {
  /** Returns the login of the gateway. */
  readonly gatewayLogin: () => Promise<ServerLogin>;
  readonly applicationSchemas: readonly string[];
  readonly authenticatedVariables: readonly string[];
}

interface ChangeScope extends ChangeSources {
  readonly admin: AdminScope;
  /** Answers questions about files and drafts. */
  readonly answering: ChangeThread;
  /** Runs tests, plans and applies, which take long. */
  readonly working: ChangeThread;
}

/** Makes the endpoints that show, compare, test, write and apply files of the metadata. */
export function makeChangeEndpoints(
  admin: AdminScope,
  sources: ChangeSources,
  closers: Pick<Closers, 'add'>,
): readonly Endpoint[] {
  const [answering, working] = [new ChangeThread(), new ChangeThread()];
  closers.add(async () => {
    await Promise.all([answering.close(), working.close()]);
  });
  const scope = { ...sources, admin, answering, working };
  return [
    ...[filesEndpoint, fileEndpoint, contextEndpoint, checkEndpoint, testEndpoint],
    ...[writeEndpoint, planEndpoint, applyEndpoint],
  ].map((make) => make(scope));
}

function filesEndpoint({ admin, metadata }: ChangeScope): Endpoint {
  return adminReading(
    {
      path: '/admin/metadata/files',
      operationId: 'getRuleFiles',
      summary: 'list the files of the metadata folder that contain rules',
      answer: filesAnswer,
      work: async () => {
        const tables = new Map(
          [...admin.model().tables.values()].map(({ key, position }) => [position.inFolder, key]),
        );
        const files = (await listDraftFiles(metadata)).map((file) => ({
          ...{ file, table: tables.get(file) },
        }));
        const { consoleWrites: isWritable, production } = admin.config;
        return JSON.stringify({ files, isWritable, isApplicable: isWritable && !production });
      },
    },
    admin,
  );
}

function fileEndpoint({ admin, metadata }: ChangeScope): Endpoint {
  return adminReading(
    {
      path: '/admin/metadata/file',
      operationId: 'getRuleFile',
      summary: 'read a file of the metadata folder that contains rules',
      query: fileQuery,
      answer: fileAnswer,
      work: async ({ file }) => {
        const found = await readDraftFile(metadata, file);
        const schema = editorSchemas()[kindOf(file)];
        return JSON.stringify({ ...found, schema, words: wordsOf(admin.model()) });
      },
    },
    admin,
  );
}

/** Returns the words that conditions can contain. */
function wordsOf({ tables, variables, headerPrefix }: Model) {
  const relationships = [...tables.values()].map(({ key, relationships: found }) => [
    key,
    Object.fromEntries([...found.values()].map(({ name, table }) => [name, table])),
  ]);
  return {
    operators: [...comparisonOperators.keys(), '_is_null', '_cast'],
    variables: variables.map((one) => titledHeader(one, headerPrefix)),
    relationships: Object.fromEntries(relationships),
  };
}

/** Names of files outside of folders are kinds themselves. */
function kindOf(file: string): FileKind {
  if (file.startsWith('tables/')) return 'tables/*.yaml';
  if (file.startsWith('functions/')) return 'functions/*.yaml';
  return file === 'filters.yaml' ? file : 'roles.yaml';
}

function contextEndpoint(scope: ChangeScope): Endpoint {
  return adminReading(
    {
      path: '/admin/metadata/rule',
      operationId: 'getRuleContext',
      summary: 'list the findings about a rule, the tests that cover it and what depends on it',
      description:
        'From the files of the metadata folder. Findings that need the database are absent.',
      query: ruleQuery,
      answer: contextAnswer,
      work: async ({ operation, ...words }) => {
        const task = { ...(await environmentOf(scope)), ...words, command: operation };
        const signal = AbortSignal.timeout(maxReadingMs);
        return JSON.stringify(await scope.answering.run('context', task, signal));
      },
    },
    scope.admin,
  );
}

function checkEndpoint(scope: ChangeScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/metadata/check',
      operationId: 'checkDrafts',
      summary: 'say what drafts of files change for whom',
      body: checkBody,
      answer: checkAnswer,
      subject: () => ({}),
      work: async ({ drafts, count = false }, { signal }) => {
        await refuseOtherFiles(scope, drafts);
        const task = { ...(await environmentOf(scope)), drafts, count };
        return JSON.stringify(await scope.answering.run('check', task, signal));
      },
    },
    scope.admin,
  );
}

function testEndpoint(scope: ChangeScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/metadata/test',
      operationId: 'testDrafts',
      summary: 'run the tests and weakened rules that concern drafts, and undo everything',
      description:
        'All tables with rules are locked meanwhile, so that other requests wait. Refused like a lasting change.',
      body: draftsBody,
      answer: testAnswer,
      changes: true,
      subject: () => ({}),
      work: async ({ drafts }, { signal }) => {
        await refuseOtherFiles(scope, drafts);
        const task = { ...(await environmentOf(scope)), drafts };
        return JSON.stringify(await scope.working.run('test', task, signal));
      },
    },
    scope.admin,
  );
}

function writeEndpoint(scope: ChangeScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/metadata/write',
      operationId: 'writeRuleFile',
      summary: 'replace a file of the metadata folder that contains rules',
      description:
        'Refused if the file has another text than the one with the digest, or if the metadata would have mistakes. It is not applied.',
      body: writeBody,
      answer: writeAnswer,
      changes: true,
      subject: ({ file }) => ({ table: file }),
      work: async (draft, { signal }) => {
        const drafts = { [draft.file]: draft.text };
        await refuseOtherFiles(scope, drafts);
        const task = { ...(await environmentOf(scope)), drafts, count: false };
        const checked = await scope.answering.run('check', task, signal);
        if (checked.kind === 'mistaken') throw mistakes(checked.mistakes.map((one) => one.message));
        const { digest } = await writeDraftFile(scope.metadata, draft);
        return JSON.stringify({ digest });
      },
    },
    scope.admin,
  );
}

function planEndpoint(scope: ChangeScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/metadata/plan',
      operationId: 'planApply',
      summary: 'say what an apply of the files would change in the database, and for whom',
      body: planBody,
      answer: planAnswer,
      subject: () => ({}),
      work: async (_body, { signal }) =>
        JSON.stringify(await scope.working.run('plan', await environmentOf(scope), signal)),
    },
    scope.admin,
  );
}

function applyEndpoint(scope: ChangeScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/metadata/apply',
      operationId: 'applyPlan',
      summary: 'apply the files, if the plan has the digest that was confirmed',
      description: 'Only outside production. Use `rowgate apply` there.',
      body: applyBody,
      answer: applyAnswer,
      changes: true,
      subject: () => ({}),
      work: async ({ digest: agreed }, { signal }, { actor }) => {
        if (scope.admin.config.production) throw inProduction();
        const { password } = await scope.gatewayLogin();
        const environment = await environmentOf(scope);
        const task = { ...environment, agreed, password, actor, version };
        return JSON.stringify(await scope.working.run('apply', task, signal));
      },
    },
    scope.admin,
  );
}

async function environmentOf({ admin, ...options }: ChangeScope): Promise<ChangeEnvironment> {
  const { rolePrefix, headerPrefix, inferFunctionPermissions, limits } = admin.config;
  const { metadata, applicationSchemas, authenticatedVariables } = options;
  return {
    ...{ rolePrefix, headerPrefix, inferFunctionPermissions },
    ...{ metadata, applicationSchemas, authenticatedVariables },
    ownerUrl: admin.ownerUrl(),
    login: (await options.gatewayLogin()).name,
    revision: admin.model().fingerprint,
    statementTimeoutMs: limits.statementTimeoutMs,
  };
}

/** @throws CommandError when there is no such file */
async function refuseOtherFiles(
  { metadata }: ChangeScope,
  drafts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const file of Object.keys(drafts)) await readDraftFile(metadata, file);
}

function mistakes(messages: readonly string[]): CommandError {
  const [first = ''] = messages;
  const more = messages.length > 1 ? `, and ${messages.length - 1} more` : '';
  return new CommandError('RG_USAGE', `the metadata would have mistakes: ${first}${more}`, {
    ...{ exitCode: 2, hint: 'nothing was written; correct the text first' },
  });
}

function inProduction(): Refusal {
  const detail =
    'the console does not apply in production; review the change, and run rowgate apply';
  return new Refusal({ status: 403, code: 'read-only', detail });
}
