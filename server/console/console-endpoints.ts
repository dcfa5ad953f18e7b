import { Type } from 'typebox';
import type { AdminCaller } from '../admin/admin-access.ts';
import { type AdminScope, adminEndpoint } from '../admin/admin-endpoint.ts';
import type { AdminSignIn } from '../admin/admin-person.ts';
import { errorMessage } from '../errors.ts';
import { Refusal } from '../http/answers/problem.ts';
import { type Access, publicAccess } from '../http/endpoint/access.ts';
import type { ApiTag } from '../http/endpoint/api-tag.ts';
import { defineEndpoint, type Endpoint } from '../http/endpoint/define-endpoint.ts';
import { type ConsoleFiles, openConsoleFiles } from './console-files.ts';
import type { ConsoleSessions } from './console-session.ts';
import { pagePolicy, pageWith } from './page.ts';
import type { ConsoleSection } from './sections/section.ts';
import { makeSectionEndpoints } from './sections/section-endpoints.ts';

export interface ConsoleOptions {
  /** The environment of the endpoints for admins. Its access accepts sessions. */
  readonly scope: AdminScope;
  /**
   * Accepts the admin secret, and the administrators of the application. It accepts no session of the console, so that
   * a session cannot begin another one.
   */
  readonly signInAccess: Access<AdminCaller>;
  readonly sessions: ConsoleSessions;
  /** The administrators of the application who may sign in; absent: only the admin secret is accepted. */
  readonly signIn: AdminSignIn | undefined;
  readonly sections: readonly ConsoleSection[];
}

const consoleTag: ApiTag = {
  name: 'console',
  description: 'The pages of the console, and the sessions of its users',
};

/** Makes the endpoints of the console: its pages, and signing in and out. */
export function makeConsoleEndpoints(options: ConsoleOptions): readonly Endpoint[] {
  const files = onDemand(options.scope);
  // Before the pages, because `session` and `sections` are not names of screens.
  const session = [signInEndpoint, signOutEndpoint, sessionEndpoint].map((make) => make(options));
  const pages = ['/console', '/console/{screen}'].map((path) => pageEndpoint(path, options, files));
  const sections = makeSectionEndpoints(options.sections, options.scope);
  const start = startEndpoint(options);
  return [...session, ...sections, ...pages, fileEndpoint(files), start];
}

type Files = () => Promise<ConsoleFiles>;

/** Opens the files at the first request, because a checkout bundles them then. A failure is tried again. */
function onDemand({ logger }: AdminScope): Files {
  let opened: Promise<ConsoleFiles> | undefined;
  return async () => {
    opened ??= openConsoleFiles();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      logger.error({ err: error }, 'cannot bundle the console');
      const detail = `the console cannot be bundled: ${errorMessage(error)}; a checkout needs its development packages, which npm ci installs`;
      throw new Refusal({ status: 503, code: 'unavailable', detail });
    }
  };
}

const emptyBody = Type.Object({}, { title: 'Nothing', additionalProperties: false });

function signInEndpoint({ scope, signInAccess, sessions }: ConsoleOptions): Endpoint {
  return adminEndpoint(
    {
      path: '/console/sign-in',
      operationId: 'signInToConsole',
      summary: 'begin a session of the console',
      description:
        'Sets a cookie that is valid for an hour, or until the admin secret changes. Without the admin secret, it needs the session or token of an administrator of the application, and ends with it.',
      body: emptyBody,
      answer: emptyBody,
      subject: () => ({}),
      work: async () => '{}',
      setHeaders: (response, who) => sessions.begin(response, who),
    },
    { ...scope, access: signInAccess },
  );
}

function signOutEndpoint({ scope, sessions }: ConsoleOptions): Endpoint {
  return adminEndpoint(
    {
      path: '/console/sign-out',
      operationId: 'signOutOfConsole',
      summary: 'end the session of the console',
      description: 'Its cookie is worthless afterwards, at all instances of the server.',
      body: emptyBody,
      answer: emptyBody,
      subject: () => ({}),
      work: async (_body, { client }, { session }) => {
        await session?.signOut(client);
        return '{}';
      },
      setHeaders: (response) => sessions.forget(response),
    },
    scope,
  );
}

const sessionAnswer = Type.Object(
  {
    actor: Type.String({ description: 'The name of the person or program, which is recorded' }),
    endsAt: Type.Optional(
      Type.Integer({ description: 'The end of the session, in milliseconds since 1970' }),
    ),
    sections: Type.Array(Type.Object({ name: Type.String(), title: Type.String() }), {
      description: 'The sections of the application; none without an application',
    }),
    canWrite: Type.Boolean({
      description: 'Whether the server allows changes that last (`ROWGATE_CONSOLE_WRITES`)',
    }),
  },
  { title: 'ConsoleSession' },
);

/** Does not ask the database whether the session was signed out, because the answer only names its user. */
function sessionEndpoint({ scope: { access, config }, sections }: ConsoleOptions): Endpoint {
  const titles = sections.map(({ name, title }) => ({ name, title }));
  return defineEndpoint({
    method: 'get',
    path: '/console/session',
    operationId: 'getConsoleSession',
    tag: consoleTag,
    summary: 'read the name and the end of the session',
    access,
    answers: {
      200: { description: 'The session', content: { 'application/json': sessionAnswer } },
    },
    handle: ({ who: { actor, session } }, response) => {
      const shown = { actor, endsAt: session?.endsAt, sections: titles };
      const canWrite = config.consoleWrites;
      response.set('Cache-Control', 'no-store').json({ ...shown, canWrite });
    },
  });
}

/** The path of the server's base URL, without a slash at its end. */
function rootOf({ config: { baseUrl } }: AdminScope): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

function startEndpoint({ scope }: ConsoleOptions): Endpoint {
  return defineEndpoint({
    ...{ method: 'get', path: '/', operationId: 'getStart', tag: consoleTag },
    summary: 'go to the explorer of the console',
    access: publicAccess,
    answers: { 302: { description: 'The explorer', headers: { Location: 'Its path' } } },
    handle: (_input, response) => response.redirect(`${rootOf(scope)}/console/explorer`),
  });
}

function pageEndpoint(path: string, { scope, signIn }: ConsoleOptions, files: Files): Endpoint {
  const root = rootOf(scope);
  const isScreen = path.endsWith('{screen}');
  return defineEndpoint({
    method: 'get',
    path,
    operationId: isScreen ? 'getConsoleScreen' : 'getConsole',
    tag: consoleTag,
    summary: isScreen ? 'open a screen of the console' : 'open the console',
    access: publicAccess,
    ...(isScreen && { params: Type.Object({ screen: Type.String() }) }),
    answers: {
      200: { description: 'A page', content: { 'text/html': Type.String() } },
      503: { description: 'The console cannot be bundled' },
    },
    handle: async (_input, response) => {
      const { headerPrefix } = scope.model();
      const page = pageWith({ ...(await files()), root, headerPrefix, signIn: signIn?.title });
      response.set('Content-Security-Policy', pagePolicy).set('Cache-Control', 'no-cache');
      response.type('html').send(page);
    },
  });
}

const yearSeconds = 31_536_000;
/** Endings of the compressed copies by content encoding, the smallest first. */
const endings = { br: '.br', gzip: '.gz' } as const;

function fileEndpoint(files: Files): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/console/assets/{file}',
    operationId: 'getConsoleFile',
    tag: consoleTag,
    summary: 'load a file of the console',
    access: publicAccess,
    params: Type.Object({ file: Type.String() }),
    answers: {
      200: {
        description: 'The file. Its name changes with its content, so it may be kept for good',
        content: { 'text/css': Type.String(), 'text/javascript': Type.String() },
      },
      404: { description: 'There is no such file' },
      503: { description: 'The console cannot be bundled' },
    },
    handle: async ({ params: { file }, request }, response) => {
      const { contents } = await files();
      const isCopy = Object.values(endings).some((ending) => file.endsWith(ending));
      if (isCopy || !contents.has(file)) {
        const detail = 'there is no such file; reload the page';
        throw new Refusal({ status: 404, code: 'not-found', detail });
      }
      const encoding = request.acceptsEncodings('br', 'gzip') as keyof typeof endings | false;
      if (encoding) response.set('Content-Encoding', encoding);
      response.vary('Accept-Encoding');
      response.set('Cache-Control', `public, max-age=${yearSeconds}, immutable`);
      response.type(file.endsWith('.js') ? 'text/javascript' : 'text/css');
      response.send(contents.get(encoding ? `${file}${endings[encoding]}` : file));
    },
  });
}
