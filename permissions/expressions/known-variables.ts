import type { Position, Report } from '../diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import type { VariableName } from '../types/names.ts';
import { titledHeader } from './misspelt-variable.ts';

/** Where files name session variables, held against those that callers are known to bring. */
export class VariableUses {
  readonly known: ReadonlySet<VariableName>;
  readonly #uses = new Map<string, { readonly name: VariableName; readonly position: Position }>();

  /** @param known variables that a role requires, that signing in gives, or that rowgate.yaml declares */
  constructor(known: Iterable<VariableName>) {
    this.known = new Set(known);
  }

  /** Notes a use; a named filter is read once for each rule that it stands in. */
  add(name: VariableName, position: Position): void {
    const { file, line, column } = position;
    this.#uses.set(JSON.stringify([file, line, column]), { name, position });
  }

  /** Warns of the others: a rule is closed to every caller when no caller brings its variable. */
  reportUnknown(headerPrefix: string, report: Report): void {
    for (const { name, position } of this.#uses.values()) {
      if (this.known.has(name)) continue;
      const near = nearest(name, this.known);
      const add = 'add it to variables in rowgate.yaml if callers bring it';
      report.warning(
        'RG_UNKNOWN_VARIABLE',
        position,
        `no role requires ${titledHeader(name, headerPrefix)}, and rowgate.yaml does not declare it`,
        near === undefined
          ? add
          : `did you mean "${titledHeader(near, headerPrefix)}"? otherwise ${add}`,
      );
    }
  }
}
