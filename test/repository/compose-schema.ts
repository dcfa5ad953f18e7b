import { type Static, Type } from 'typebox';

// The part of the compose specification that docker-compose.yml uses. Any other key is a mistake.
// https://github.com/compose-spec/compose-spec/blob/main/spec.md

const closed = { additionalProperties: false } as const;
const duration = Type.String({ pattern: '^([0-9]+(ms|s|m|h))+$' });
const named = <T>(value: T) => ({ '^[a-zA-Z0-9._-]+$': value });
const command = Type.Union([Type.String(), Type.Array(Type.String())]);
const condition = Type.Union([
  Type.Literal('service_started'),
  Type.Literal('service_healthy'),
  Type.Literal('service_completed_successfully'),
]);

const service = Type.Object(
  {
    build: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    entrypoint: Type.Optional(command),
    command: Type.Optional(command),
    environment: Type.Optional(
      Type.Object({}, { patternProperties: { '^[A-Z][A-Z0-9_]*$': Type.String() }, ...closed }),
    ),
    configs: Type.Optional(
      Type.Array(Type.Object({ source: Type.String(), target: Type.String() }, closed)),
    ),
    depends_on: Type.Optional(
      Type.Object({}, { patternProperties: named(Type.Object({ condition }, closed)), ...closed }),
    ),
    healthcheck: Type.Optional(
      Type.Object(
        {
          test: command,
          interval: Type.Optional(duration),
          timeout: Type.Optional(duration),
          start_period: Type.Optional(duration),
          retries: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        closed,
      ),
    ),
    ports: Type.Optional(Type.Array(Type.String({ pattern: '^([0-9.]+:)?[0-9]+:[0-9]+$' }))),
    volumes: Type.Optional(Type.Array(Type.String({ pattern: '^[^:]+:/[^:]+(:ro)?$' }))),
    read_only: Type.Optional(Type.Boolean()),
    tmpfs: Type.Optional(Type.Array(Type.String({ pattern: '^/[^:]+$' }))),
    cap_drop: Type.Optional(Type.Array(Type.String())),
    security_opt: Type.Optional(Type.Array(Type.String())),
    stop_grace_period: Type.Optional(duration),
    restart: Type.Optional(
      Type.String({ pattern: '^(no|always|on-failure(:[0-9]+)?|unless-stopped)$' }),
    ),
  },
  closed,
);

/** A compose file. */
export const composeSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
    services: Type.Object({}, { patternProperties: named(service), ...closed }),
    configs: Type.Optional(
      Type.Object(
        {},
        {
          patternProperties: named(Type.Object({ content: Type.String() }, closed)),
          ...closed,
        },
      ),
    ),
    volumes: Type.Optional(Type.Object({}, { patternProperties: named(Type.Null()), ...closed })),
  },
  closed,
);

/** A service of a compose file. */
export type ComposeService = Static<typeof service>;

/** A compose file that passes the schema. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
}
