import type { ErrorObject } from 'ajv/dist/2020.js';

/** The errors of one value that may have one of several shapes (`anyOf`). */
interface Choice {
  readonly instancePath: string;
  /** The errors of each allowed shape, by its index. */
  readonly branches: Map<string, ErrorObject[]>;
}

/**
 * Drops misleading errors of values that may have one of several shapes (`anyOf`): the errors of shapes of another YAML
 * type than the value. When no shape has the type of the value, only the error of the `anyOf` itself remains. An
 * `anyOf` must not contain another `anyOf`.
 */
export function withoutWrongBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = new Map<string, Choice>();
  for (const { keyword, schemaPath, instancePath } of errors) {
    if (keyword === 'anyOf') {
      choices.set(`${schemaPath} ${instancePath}`, { instancePath, branches: new Map() });
    }
  }
  const outside = errors.filter((error) => !addToChoice(error, choices));
  return outside.flatMap((error) => {
    const choice = choices.get(`${error.schemaPath} ${error.instancePath}`);
    const useful = choice && usefulErrors(choice);
    return useful?.length ? useful : [error];
  });
}

function addToChoice(error: ErrorObject, choices: ReadonlyMap<string, Choice>): boolean {
  const [, schemaPath, branch] = /^(.*\/anyOf)\/(\d+)\//u.exec(error.schemaPath) ?? [];
  if (schemaPath === undefined || branch === undefined) return false;
  const choice = choiceAround(error.instancePath, schemaPath, choices);
  if (!choice) return false;
  const found = choice.branches.get(branch);
  if (found) found.push(error);
  else choice.branches.set(branch, [error]);
  return true;
}

function choiceAround(
  instancePath: string,
  schemaPath: string,
  choices: ReadonlyMap<string, Choice>,
): Choice | undefined {
  for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const choice = choices.get(`${schemaPath} ${path}`);
    if (choice || path === '') return choice;
  }
}

function usefulErrors({ instancePath, branches }: Choice): readonly ErrorObject[] {
  const ofType = (errors: readonly ErrorObject[]) =>
    errors.every(
      (error) => error.instancePath !== instancePath || !typeKeywords.has(error.keyword),
    );
  return [...branches.values()].filter(ofType).flat();
}

const typeKeywords: ReadonlySet<string> = new Set(['type', 'const']);
