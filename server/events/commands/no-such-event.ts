import { ProcessError } from '../../errors.ts';

/** Perhaps there was one once. */
export function noSuchEvent(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no event ${id}`, {
    hint: 'rowgate events list shows the newest; what is over is kept for ROWGATE_EVENT_RETENTION_DAYS',
  });
}
