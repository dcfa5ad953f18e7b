import type { Imports } from './imports.ts';

/**
 * The order of files and folders in one folder. Each may import the files and folders in the lines above, and those in
 * its own line unless the imports form a circle.
 */
type Order = readonly (readonly string[])[];

const permissions: Order = [
  ['text'],
  ['diagnostics.ts', 'errors.ts'],
  ['metadata'],
  ['types'],
  ['catalog'],
  ['expressions'],
  ['model'],
  ['matrix'],
  ['access'],
  ['objects'],
  ['compile'],
  ['migrate'],
  ['plan'],
  ['rights'],
  ['lint'],
  ['login'],
  ['apply'],
  ['drift'],
  ['explain'],
  ['import'],
  ['init'],
  ['diff'],
  ['review'],
  ['testing'],
  ['draft'],
  ['commands'],
  ['index.ts', 'role-view.ts'],
];

const server: Order = [
  [
    'at-time.ts',
    'back-off.ts',
    'closers.ts',
    'concurrency-limit.ts',
    'errors.ts',
    'release-memory.ts',
    'lru.ts',
    'optional-package.ts',
    'trailing-zeros.ts',
    'until-closed.ts',
    'until-done.ts',
    'version.ts',
  ],
  ['log'],
  ['config'],
  ['db'],
  ['caller'],
  ['http'],
  ['cli'],
  ['delivery', 'mail', 'queue', 'rendering', 'storage'],
  ['events', 'schedules'],
  ['graphql'],
  ['postgraphile'],
  ['actions'],
  ['admin'],
  ['console'],
  ['gateway'],
  ['application.ts'],
  ['platform'],
  ['applications.ts'],
  ['start'],
  ['main.ts', 'check.ts'],
];

/** The folder server/console/pages, which runs in browsers. */
const pages: Order = [
  ['api'],
  ['editor', 'shell', 'words'],
  ['chart'],
  ['matrix'],
  ['yaml'],
  ['rule'],
  ['explorer'],
  ['as'],
  ['application'],
  ['health'],
  ['events'],
  ['change'],
  ['app.tsx'],
  ['main.tsx'],
];

const pagesFolder = 'server/console/pages/';

const orders: Readonly<Record<string, Order>> = { permissions, server, pages };

/** The only file outside the platform that may import it. */
const registry = 'server/applications.ts';

/**
 * The server may import errors.ts directly: its errors extend the compiler's errors, and many of its parts need no
 * other file of the compiler. It may import role-view.ts, because a thread that builds schemas starts twice as fast
 * without the rest of the compiler.
 */
const publicFiles = new Set([
  'permissions/index.ts',
  'permissions/errors.ts',
  'permissions/role-view.ts',
]);

/** Finds imports against the order of a folder, and imports of internal files of the other part of the program. */
export function findWrongImports(imports: Imports): readonly string[] {
  return [...imports].flatMap(([file, targets]) => [
    ...unplaced(file),
    ...targets.flatMap((target) => problemsOf(file, target)),
  ]);
}

function unplaced(file: string): readonly string[] {
  const [part = '', name = ''] = placed(file);
  const order = orders[part] ?? [];
  return placeOf(order, name) < 0
    ? [`${file}: ${part}/${name} stands in no line of the order`]
    : [];
}

function problemsOf(file: string, target: string): readonly string[] {
  const [part = '', name = ''] = placed(file);
  const [otherPart = '', otherName = ''] = placed(target);
  const why = reason();
  return why === undefined ? [] : [`${file}: imports ${target}; ${why}`];

  function reason(): string | undefined {
    if (part === 'permissions' && otherPart !== 'permissions') {
      return 'permissions/ imports nothing from outside';
    }
    if (part === 'pages' && otherPart !== 'pages') {
      return target.startsWith('server/admin/')
        ? undefined
        : 'the console imports only types of server/admin';
    }
    if (otherPart === 'permissions' && part !== otherPart) {
      return publicFiles.has(target) ? undefined : 'only permissions/index.ts is public';
    }
    if (part !== otherPart) return undefined;
    if (isPlatform(target) && !isPlatform(file) && file !== registry) {
      return `only ${registry} imports an application`;
    }
    const order = orders[part] ?? [];
    return placeOf(order, otherName) > placeOf(order, name)
      ? `${part}/${otherName} stands above ${part}/${name}`
      : undefined;
  }
}

/** Returns whether a file of the console runs in browsers. */
export function isPage(file: string): boolean {
  return file.startsWith(pagesFolder);
}

/** Splits a path into the part of the program, and the rest by names. */
function placed(file: string): readonly string[] {
  return isPage(file) ? ['pages', ...file.slice(pagesFolder.length).split('/')] : file.split('/');
}

function isPlatform(file: string): boolean {
  return file.startsWith('server/platform/');
}

function placeOf(order: Order, name: string): number {
  return order.findIndex((line) => line.includes(name));
}
