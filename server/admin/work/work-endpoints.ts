import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { AdminScope } from '../admin-endpoint.ts';
import { makeEventEndpoints } from './event-endpoints.ts';
import { makeEventReadings } from './event-readings.ts';
import { makeMailEndpoints } from './mail-endpoints.ts';
import { makeScheduleEndpoints } from './schedule-endpoints.ts';

/** Makes the endpoints about the work of the delivery workers: events, schedules and mails. */
export function makeWorkEndpoints(scope: AdminScope): readonly Endpoint[] {
  const makers = [makeEventReadings, makeEventEndpoints, makeScheduleEndpoints, makeMailEndpoints];
  return makers.flatMap((make) => make(scope));
}
