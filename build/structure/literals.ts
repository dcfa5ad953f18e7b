import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { type Imports, readText } from './imports.ts';

const platform = 'server/platform/';

/**
 * Role names that are ordinary words. The search skips them, because they also occur in code that does not concern
 * roles.
 */
const ordinaryWords = new Set(['user']);

/** Schemas of the platform's migrations that shared services use. Code outside the platform may name them. */
const serviceSchemas = new Set(['rowgate_mail']);

interface Literal {
  /** The kind of the name, for messages, e.g. `the role`. */
  readonly kind: string;
  readonly name: string;
  readonly pattern: RegExp;
}

/** Finds names of the platform in code outside its folder: schemas, tables, paths of endpoints and roles. */
export function findPlatformLiterals(root: string, imports: Imports): readonly string[] {
  const literals = platformLiterals(root, imports);
  return [...imports.keys()]
    .filter((file) => !file.startsWith(platform))
    .flatMap((file) => {
      const code = withoutComments(readText(root, file));
      return literals
        .filter(({ pattern }) => pattern.test(code))
        .map(({ kind, name }) => `${file}: holds ${kind} ${name} of the platform`);
    });
}

function platformLiterals(root: string, imports: Imports): readonly Literal[] {
  const sql = globSync('sql/platform/**/*.sql', { cwd: root }).map((file) => readText(root, file));
  const schemas = namesIn(sql, /^create schema (\w+)/gim).filter((one) => !serviceSchemas.has(one));
  const tables = namesIn(sql, /^create table public\."?(\w+)"?/gim);
  const sources = [...imports.keys()].filter((file) => file.startsWith(platform));
  const paths = namesIn(
    sources.map((file) => readText(root, file)),
    /\bpath: ['`](\/[^'`]+)['`]/g,
  );
  return [
    ...schemas.map((name) => literal('the schema', name, `\\b${name}\\b`)),
    ...tables.map((name) => literal('the table', name, `\\bpublic\\."?${name}\\b`)),
    ...tables
      .filter((name) => name.includes('_'))
      .map((name) => literal('the table', name, quoted(name))),
    ...[...new Set(paths.map(constantPart))].map((name) =>
      literal('the path', name, `['"\`}]${escaped(name)}`),
    ),
    ...rolesOf(root).map((name) => literal('the role', name, quoted(name))),
  ];
}

function literal(kind: string, name: string, pattern: string): Literal {
  return { kind, name, pattern: new RegExp(pattern) };
}

function quoted(name: string): string {
  return `(['"\`])${name}\\1`;
}

function namesIn(texts: readonly string[], pattern: RegExp): readonly string[] {
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)];
}

/** Returns the path up to its first parameter, without a trailing slash. */
function constantPart(template: string): string {
  return template.replace(/[{$].*$/, '').replace(/\/$/, '');
}

function rolesOf(root: string): readonly string[] {
  const file = 'metadata/roles.yaml';
  if (!existsSync(path.join(root, file))) return [];
  return namesIn([readText(root, file)], /^ {2}(\w+):/gm).filter((one) => !ordinaryWords.has(one));
}

/** Removes comments. The pattern matches strings first, so that `//` in a URL starts no comment. */
function withoutComments(code: string): string {
  return code.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_whole, text: string | undefined) => text ?? '',
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
