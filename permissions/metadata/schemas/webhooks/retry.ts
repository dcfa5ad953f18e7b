import type { Static } from 'typebox';
import { decoded, object, optional, orEmpty, type Place } from '../../shape/shape.ts';
import { whole } from '../primitives.ts';

const defaultInterval = 10;
const defaultMaxInterval = 3600;

/** The retry intervals of an action whose file has no key `retry`. */
export const defaultPace = {
  limit: undefined,
  interval: defaultInterval,
  maxInterval: defaultMaxInterval,
};

const limit = whole(0, 1000, 'Maximum retries of a failed delivery.');

const intervals = {
  interval: optional(
    whole(1, 86400, 'Seconds before the first retry. Each further retry waits longer.'),
    defaultInterval,
  ),
  max_interval: optional(whole(1, 604800, 'Maximum seconds between two attempts.')),
};

/** `retry:` of an event trigger or schedule. `defaultLimit` is the default number of retries. */
export const retry = (defaultLimit: number) =>
  orEmpty(
    decoded(
      object(
        {
          limit: optional(limit, defaultLimit),
          ...intervals,
          timeout: optional(whole(1, 600, 'Seconds that the webhook may take to answer.'), 60),
        },
        { title: 'a map with limit, interval, max_interval and timeout' },
      ),
      withMaxInterval,
    ),
  );

/** Settings for retrying the deliveries of one webhook; intervals and timeout in seconds. */
export type Retry = Static<ReturnType<typeof retry>>;

/** `retry:` of an action: only intervals, because the timeout of an action is a key of the action itself. */
export const retryPace = decoded(
  object(
    { limit: optional(limit), ...intervals },
    { title: 'a map with limit, interval and max_interval' },
  ),
  withMaxInterval,
);

interface Intervals {
  readonly interval: number;
  readonly maxInterval: number | undefined;
}

function withMaxInterval<T extends Intervals>(
  pace: T,
  { node, report }: Place,
): T & { readonly maxInterval: number } {
  const { interval, maxInterval = Math.max(defaultMaxInterval, interval) } = pace;
  if (maxInterval < interval) {
    const message = `"max_interval" (${maxInterval}) is less than "interval" (${interval})`;
    report.error('RG_EVENT', node.position, message, 'make it at least that');
  }
  return { ...pace, maxInterval };
}
