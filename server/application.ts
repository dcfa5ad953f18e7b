import type { RequestHandler } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import type { Model, VariableName } from '../permissions/index.ts';
import type { Authenticator } from './caller/authenticate.ts';
import type { RateStore } from './caller/rate-store.ts';
import type { ServerCommand, ServerContext } from './cli/command-context.ts';
import type { Config, SettingsReader } from './config/config.ts';
import type { Part } from './config/serve-options.ts';
import type { DatabaseNeeds } from './db/preparation.ts';
import type { Endpoint } from './http/endpoint/endpoint.ts';
import type { Queue } from './queue/open-queue.ts';
import type { Job, JobServices, OpenedJobs } from './schedules/job.ts';

/**
 * A business application that extends the gateway. The key `application` in metadata/rowgate.yaml selects one of the
 * applications in applications.ts.
 */
export interface Application<Settings = unknown> extends DatabaseNeeds, SettingsReader<Settings> {
  /** The name for rowgate.yaml, also used in the message about missing tables. */
  readonly name: string;
  /** Session variables that authenticators set, rather than headers. */
  readonly sessionVariables: readonly VariableName[];
  /** The pages that the application adds to the console. Nothing shows them yet. */
  readonly consoleSections: readonly ConsoleSection[];
  readonly commands: readonly ServerCommand<ApplicationContext<Settings>>[];
  /** Returns the lines that `rowgate serve` prints to the terminal at the start. */
  announce(start: Announced<Settings>): readonly Announcement[];
  /**
   * Returns true when this process needs the application's tables and the service login.
   * @throws ProcessError RG_CONFIG when a setting is missing that the parts of this process need
   */
  isNeeded(start: StartOptions<Settings>): Promise<boolean>;
  /** Opens the application. A failure leaves nothing open. */
  open(services: ApplicationServices<Settings>): Promise<RunningApplication>;
  /** Opens only the jobs, for `rowgate jobs run`. */
  openJobs(services: JobServices & Configured<Settings>): Promise<OpenedJobs>;
}

/** An application with the settings that its own reader returned. */
export interface ConfiguredApplication {
  readonly application: Application;
  readonly settings: unknown;
}

export interface ConsoleSection {
  readonly title: string;
  /** Relative to the root of the console. */
  readonly path: string;
}

export interface Configured<Settings> {
  /** Its `baseUrl` is the URL of this process. */
  readonly config: Config;
  readonly settings: Settings;
}

/** The context of an application's own commands. */
export interface ApplicationContext<Settings> extends ServerContext {
  readonly settings: Settings;
}

export interface Announced<Settings> extends Configured<Settings> {
  readonly url: string;
  readonly parts: ReadonlySet<Part>;
}

export interface Announcement {
  readonly label: string;
  readonly text: string;
}

export interface StartOptions<Settings> extends Configured<Settings> {
  readonly parts: ReadonlySet<Part>;
  readonly logger: pino.Logger;
}

/** The services that an application runs with. */
export interface ApplicationServices<Settings> extends StartOptions<Settings> {
  /** Connections of the service login. */
  readonly pool: pg.Pool;
  /** The database URL of the gateway login, which serves the data API. */
  readonly gatewayUrl: string;
  /** Absent when this process serves only GraphQL. */
  readonly queue: Queue | undefined;
  /** Accepted values of x-platform-api-token for webhooks on this server. The first one is sent. */
  readonly platformSecrets: readonly string[];
  /** The registry for the application's metrics. */
  readonly registry: Registry;
  /** Returns the current rules. */
  readonly model: () => Model;
}

/** An open application. */
export interface RunningApplication {
  /** Endpoints of the part `rest`. */
  readonly endpoints: readonly Endpoint[];
  /** Endpoints of the part `rest` that event triggers, schedules and providers call. */
  readonly webhookHandlers: readonly Endpoint[];
  /** Middleware that reads the session of a cookie; absent when this process accepts no sessions. */
  readonly session?: RequestHandler | undefined;
  /** Authenticators of the data API, tried after the admin secret. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations and wrong secrets of all instances; absent: each instance counts its own. */
  readonly rates?: RateStore | undefined;
  /** Starts the background work. Called after the rules are loaded. */
  work(): Promise<Working>;
  close(): Promise<void>;
}

/** The background work of an application in a worker. */
export interface Working {
  /** The jobs that cron.yaml may name. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}
