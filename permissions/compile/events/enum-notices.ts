import { triggerFunction } from '../../objects/functions/function.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { triggerObject } from '../../objects/tables/trigger.ts';
import { sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';

const noticeFunction = 'enum_notice';

/**
 * Returns a trigger for each enum table. When values change, it notifies the gateways, which then rebuild their GraphQL
 * enums.
 */
export function enumNoticeObjects(model: Model): readonly DesiredObject[] {
  const enums = [...model.tables.values()].filter((table) => table.enum);
  if (enums.length === 0) return [];
  const triggers = enums.map((table) =>
    triggerObject({
      name: '!rowgate/enum',
      on: table,
      fires: 'after statement insert update delete truncate',
      function: noticeFunction,
      position: table.position,
    }),
  );
  return [noticeFunctionObject(), ...triggers];
}

function noticeFunctionObject(): DesiredObject {
  const body = sql`begin
  notify rowgate_applied, 'enum';
  return null;
end`;
  return triggerFunction({
    name: noticeFunction,
    label: `notice function ${noticeFunction}`,
    body,
    note: 'Tells gateways that the values of an enum have changed.',
  });
}
