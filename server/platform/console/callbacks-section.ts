import type { ConsoleSection, SectionList } from '../../console/sections/section.ts';
import { isUuid } from '../uuid.ts';
import { callbackStates, listCallbacks } from '../webhooks/callbacks/commands/callback-queries.ts';
import type { RecentRefusals } from '../webhooks/callbacks/receive/recent-refusals.ts';
import { pageOf } from './pages.ts';

/** Makes the section of the callbacks of providers. */
export function makeCallbacksSection(refusals: RecentRefusals): ConsoleSection {
  return {
    name: 'callbacks',
    title: 'Callbacks',
    lists: [receivedList, refusedList(refusals)],
  };
}

const receivedList: SectionList = {
  name: 'received',
  title: 'Received',
  description:
    'What providers have sent, the newest first. rowgate callbacks show prints the content of one, and rowgate callbacks retry processes one again.',
  filter: { title: 'State', names: () => callbackStates },
  columns: [
    { title: 'Received', kind: 'time' },
    { title: 'Provider', kind: 'code' },
    { title: 'State' },
    { title: 'Waits for', kind: 'code' },
    { title: 'Note' },
    { title: 'Settled', kind: 'time' },
    { title: 'Id', kind: 'code' },
  ],
  empty: 'No callback. Choose another state, or look at the refused ones.',
  acts: [],
  read: async (client, { filter: state, after: [after] = [], limit }) => {
    const chosen = callbackStates.find((name) => name === state);
    const found = await listCallbacks(client, {
      ...(chosen && { state: chosen }),
      ...(after !== undefined && isUuid(after) && { after }),
      limit: limit + 1,
    });
    return pageOf(found, limit, {
      rowOf: ({ id, receivedAt, provider, state, awaits, note, settledAt }) => ({
        key: id,
        cells: [
          ...[receivedAt.toISOString(), provider, state],
          ...[state === 'unmatched' ? awaits : null, note, settledAt?.toISOString() ?? null, id],
        ],
      }),
      placeOf: ({ id }) => [id],
    });
  },
};

function refusedList(refusals: RecentRefusals): SectionList {
  return {
    name: 'refused',
    title: 'Refused',
    description:
      'The last callbacks that this process has refused since it started. Their contents are not kept; the log has more at the request id.',
    columns: [
      { title: 'Refused', kind: 'time' },
      { title: 'Provider', kind: 'code' },
      { title: 'Reason' },
      { title: 'Address', kind: 'code' },
      { title: 'Request id', kind: 'code' },
    ],
    empty: 'This process has refused no callback.',
    isForHealth: true,
    acts: [],
    read: async (_client, { after: [after] = [], limit }) =>
      pageOf(refusals.before(after === undefined ? undefined : Number(after)), limit, {
        rowOf: ({ number, at, provider, reason, address = null, requestId = null }) => ({
          key: String(number),
          cells: [at.toISOString(), provider, reason, address, requestId],
        }),
        placeOf: ({ number }) => [String(number)],
      }),
  };
}
