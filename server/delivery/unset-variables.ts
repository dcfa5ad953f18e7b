import type { Model, Position } from '../../permissions/index.ts';

/** Returns the value of an environment variable. */
export type Variable = (name: string) => string | undefined;

/** An item of the metadata with the texts that are sent for it. */
export interface SentItem {
  /** e.g. `the action "tidy"`. */
  readonly subject: string;
  readonly texts: readonly string[];
  readonly position: Position;
}

/** Returns a message with a position for each unset environment variable that an item uses. */
export function unsetVariables(items: readonly SentItem[], variable: Variable): readonly string[] {
  return items.flatMap(({ subject, texts, position: { file, line } }) =>
    [...new Set(texts.flatMap(variablesIn))]
      .filter((name) => variable(name) === undefined)
      .map((name) => `${file}:${line}: ${subject} needs ${name}, which is not set`),
  );
}

/** Returns the event triggers and schedules whose webhooks a worker calls. */
export function deliveredItems({
  events,
  schedules,
}: Pick<Model, 'events' | 'schedules'>): readonly SentItem[] {
  return [
    ...[...events.values()].map(({ name, webhook, headers, position }) => ({
      subject: `the event trigger "${name}"`,
      texts: [webhook, ...headers.map(({ value }) => value)],
      position,
    })),
    ...[...schedules.values()].map(({ name, run, position }) => ({
      subject: `the schedule "${name}"`,
      texts: run.kind === 'webhook' ? [run.webhook] : [],
      position,
    })),
  ];
}

function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g)].map(([, name = '']) => name);
}
