import { desired, label, stateId } from '../../objects/desired.ts';
import { triggerFunction } from '../../objects/trigger-function.ts';
import type { DesiredObject } from '../../objects/types.ts';
import { policySchema } from '../../text/object-names.ts';
import { ident, qualified, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';

const noticeTrigger = '!rowgate/enum';
const noticeFunction = { schema: policySchema, name: 'enum_notice' };

/** What tells gateways that the values of an enum have changed: a trigger on each enum table. */
export function enumNoticeObjects(model: Model): readonly DesiredObject[] {
  const enums = [...model.tables.values()].filter((table) => table.enum);
  return enums.length === 0 ? [] : [noticeFunctionObject(), ...enums.map(triggerObject)];
}

function noticeFunctionObject(): DesiredObject {
  const body = sql`begin
  notify rowgate_applied, 'enum';
  return null;
end`;
  return triggerFunction({
    name: noticeFunction.name,
    label: `notice function ${noticeFunction.name}`,
    body,
    note: 'Tells gateways that the values of an enum have changed.',
  });
}

function triggerObject(table: TableModel): DesiredObject {
  const timing = 'after statement insert update delete truncate';
  return desired({
    kind: 'trigger',
    id: stateId.trigger(table, noticeTrigger),
    label: `trigger ${noticeTrigger} on ${label(table)}`,
    definition: JSON.stringify([policySchema, noticeFunction.name, 'O', timing]),
    create: [
      sql`create trigger ${ident(noticeTrigger)} after insert or update or delete or truncate on ${qualified(table)} for each statement execute function ${qualified(noticeFunction)}()`,
    ],
    position: table.position,
  });
}
