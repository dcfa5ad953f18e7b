import { type Static, Type } from 'typebox';
import type { Format } from '../../../../rendering/format.ts';
import type { CallbackProvider } from './callback-provider.ts';
import { failedLoginsMessage } from './failed-logins-message.ts';
import { firstOf, member, timeProblem } from './field-values.ts';

/** A record of the identity provider's log. */
export const logRecord = Type.Object(
  {
    log_id: Type.String({ minLength: 1, maxLength: 256 }),
    data: Type.Object({
      type: Type.String({ minLength: 1, maxLength: 64, description: 'E.g. `s`, `fp`, `scp`' }),
      connection: Type.Optional(Type.String({ maxLength: 1000 })),
      user_id: Type.Optional(
        Type.String({
          maxLength: 1000,
          description:
            'Like connection and ip, required for records about sign-in; empty when the user is unknown',
        }),
      ),
      ip: Type.Optional(Type.String({ maxLength: 100 })),
      user_agent: Type.Optional(Type.String({ maxLength: 4000 })),
      date: Type.Optional(
        Type.String({ description: 'The time of the event; default: when the record arrived' }),
      ),
    }),
  },
  { title: 'LogRecord' },
);

/** One record, or a list of records. */
export const logStreamPayload = Type.Union([logRecord, Type.Array(logRecord, { minItems: 1 })]);

/** Record types about sign-in attempts. The database decides the meaning of each type. */
const signInTypes =
  /^(s|f|fp|fu|fc|slo|scp|pwd_leak|limit_(wc|mu|ui|sul)|gd_(enrollment_complete|(auth|recovery)_(succeed|failed)|auth_rejected))$/;

/** The identity provider, which reports successful and failed sign-ins. */
export function makeIdentityLogProvider(format: Format): CallbackProvider {
  return {
    name: 'identity',
    schema: logRecord,
    problemOf: (exact) => {
      const data = member(exact, 'data');
      return firstOf([
        ...(signInTypes.test(String(member(data, 'type')))
          ? ['connection', 'user_id', 'ip'].map((name) =>
              member(data, name) === undefined ? `data.${name} is missing` : undefined,
            )
          : []),
        timeProblem('data.date', member(data, 'date')),
      ]);
    },
    keyOf: (value) => (value as Static<typeof logRecord>).log_id,
    effect: 'rowgate_webhooks.apply_identity',
    messagesAbout: (facts) => [failedLoginsMessage(facts, format)],
  };
}
