import { Refusal } from '../../http/answers/problem.ts';

/** Makes the refusal of an act on rows that are not as the admin saw them. */
export function changed(): Refusal {
  const detail = 'something has changed in the meantime, so nothing was done; load the list again';
  return new Refusal({ status: 409, code: 'changed', detail });
}

/** Makes the refusal of a name that the application does not have. */
export function unknownName(kind: string, name: string): Refusal {
  const detail = `there is no ${kind} “${name}”; reload the page`;
  return new Refusal({ status: 404, code: 'not-found', detail });
}

/** Makes the refusal of a request that does not fit the list or the act. */
export function mistake(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}
