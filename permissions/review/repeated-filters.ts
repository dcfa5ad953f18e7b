import type { Position, Report } from '../diagnostics.ts';
import type { LoadedModel } from '../model/load-model.ts';
import {
  canonicalText,
  flowText,
  isShort,
  type WrittenCondition,
  writtenConditions,
} from './written-conditions.ts';

/** A condition that several rules write. */
export interface RepeatedFilter {
  /** The filter of filters.yaml that is the same condition; undefined if there is none. */
  readonly name: string | undefined;
  /** The conditions that could name it, in the order of the files; at least one. */
  readonly conditions: readonly WrittenCondition[];
  readonly first: WrittenCondition;
}

/** So often must a condition be written, including its definition in filters.yaml. */
const minTimes = 3;

/** Returns the conditions that rules repeat. A condition that is as short as its name counts only if it has a name. */
export function findRepeatedFilters(loaded: LoadedModel): readonly RepeatedFilter[] {
  const names = new Map(
    loaded.raw.filters.map(({ name, filter }) => [canonicalText(filter), name.name] as const),
  );
  const written = Map.groupBy(writtenConditions(loaded), ({ text }) => text);
  return [...written].flatMap(([text, conditions]) => {
    const name = names.get(text);
    const [first] = conditions;
    if (!first || (name === undefined && isShort(first.node))) return [];
    const times = conditions.length + (name === undefined ? 0 : 1);
    return times < minTimes ? [] : [{ name, conditions, first }];
  });
}

/** Reports conditions that rules repeat, each once. */
export function repeatedFilters(loaded: LoadedModel, report: Report): void {
  for (const { name, conditions, first } of findRepeatedFilters(loaded)) {
    const { position } = first.node;
    const condition = shortened(flowText(first.node));
    const places = placesOf(conditions.map(({ node }) => node.position));
    if (name === undefined)
      report.notice(
        'RG_REPEATED_FILTER',
        position,
        `several rules write the condition ${condition}`,
        `name it in filters.yaml, and write { _filter: name } at ${places}`,
      );
    else
      report.notice(
        'RG_REPEATED_FILTER',
        position,
        `rules write the condition ${condition}, which is the filter "${name}"`,
        `write { _filter: ${name} } at ${places}, or run rowgate check --fix`,
      );
  }
}

const maxLength = 120;
const maxPlaces = 5;

function shortened(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

function placesOf(positions: readonly Position[]): string {
  const places = positions.map(({ file, inFolder, line }) => `${inFolder ?? file}:${line}`);
  if (places.length <= maxPlaces) return places.join(', ');
  return `${places.slice(0, maxPlaces).join(', ')} and ${places.length - maxPlaces} more places`;
}
