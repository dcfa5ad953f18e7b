import { type Diagnostic, Report } from '../diagnostics.ts';
import { quote } from '../text/characters.ts';
import type { Model } from '../types/model.ts';
import type { ListedDocument } from '../types/operations.ts';

/** A document of the allow-list that none of its roles can run, with the first reason. */
export interface Unrunnable {
  readonly document: ListedDocument;
  readonly message: string;
}

/**
 * Finds the documents of the allow-list that none of their roles can run. The program that runs the lint supplies it,
 * because it needs the GraphQL schemas of roles, which the compiler does not know.
 */
export type FindUnrunnable = (model: Model) => Promise<readonly Unrunnable[]>;

/** Reports documents of the allow-list that none of their roles can run. */
export async function listedOperations(
  model: Model,
  find: FindUnrunnable | undefined,
): Promise<readonly Diagnostic[]> {
  if (!find || model.allowList.length === 0) return [];
  const report = new Report();
  for (const { document, message } of await find(model)) {
    report.warning(
      'RG_ALLOW_LIST',
      document.position,
      `no role that the operation ${quote(document.name)} is listed for can run it: ${message}`,
      'change it, or the rules, or take it from the list',
    );
  }
  return report.diagnostics;
}
