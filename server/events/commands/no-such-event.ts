import { ProcessError } from '../../errors.ts';

/** Makes the error for an id without an event. The event may have been deleted. */
export function noSuchEvent(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no event ${id}`, {
    hint: 'rowgate events list shows the newest events; finished events are kept for ROWGATE_EVENT_RETENTION_DAYS',
  });
}
