import type { RequestHandler } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import type { Model, VariableName } from '../permissions/index.ts';
import type { AdminSignIn } from './admin/admin-person.ts';
import type { FindPeople } from './admin/people.ts';
import type { Authenticator } from './caller/authenticate.ts';
import type { RateStore } from './caller/rate-store.ts';
import type { ServerCommand, ServerContext } from './cli/command-context.ts';
import type { Config, SettingsReader } from './config/config.ts';
import type { Part } from './config/serve-options.ts';
import type { ConsoleSection } from './console/sections/section.ts';
import type { DatabaseNeeds } from './db/preparation.ts';
import type { Endpoint } from './http/endpoint/define-endpoint.ts';
import type { SecurityScheme } from './http/endpoint/security-scheme.ts';
import type { Queue } from './queue/open-queue.ts';
import type { Job, JobServices, OpenedJobs } from './schedules/job.ts';

/**
 * An application adds one business to the gateway. The key `application` of metadata/rowgate.yaml selects it by name
 * from the list in applications.ts.
 */
export interface Application<Settings = unknown> extends DatabaseNeeds, SettingsReader<Settings> {
  /** The name in rowgate.yaml. The message about missing tables repeats it. */
  readonly name: string;
  /**
   * The session variables that the application's authenticators set. `rowgate check` then does not expect clients to
   * send them in headers.
   */
  readonly sessionVariables: readonly VariableName[];
  /** Finds people for the console, which shows the data as a person sees them. Absent: the console offers no people. */
  readonly findPeople?: FindPeople;
  readonly commands: readonly ServerCommand<ApplicationContext<Settings>>[];
  /** Returns the lines that `rowgate serve` prints on a terminal. */
  announce(start: Announced<Settings>): readonly Announcement[];
  /**
   * Returns whether this process needs the application's tables and the sidecar login, with which the server accesses
   * everything except the data API.
   * @throws ProcessError RG_CONFIG when a setting that the parts need is missing
   */
  isNeeded(start: StartOptions<Settings>): Promise<boolean>;
  /** Opens the application for a server or a worker. After a failure, nothing stays open. */
  open(services: ApplicationServices<Settings>): Promise<RunningApplication>;
  /** Opens only the jobs, for `rowgate jobs run`. */
  openJobs(services: JobServices & Configured<Settings>): Promise<OpenedJobs>;
}

/** An application with its settings. */
export interface ConfiguredApplication {
  readonly application: Application;
  readonly settings: unknown;
}

export interface Configured<Settings> {
  /** The settings of the gateway. `baseUrl` is the URL at which clients reach this process. */
  readonly config: Config;
  readonly settings: Settings;
}

/** The context that an application's commands receive. */
export interface ApplicationContext<Settings> extends ServerContext {
  readonly settings: Settings;
}

export interface Announced<Settings> extends Configured<Settings> {
  /** The URL that the server listens on. */
  readonly url: string;
  readonly parts: ReadonlySet<Part>;
}

/** A line for the terminal. */
export interface Announcement {
  readonly label: string;
  readonly text: string;
}

export interface StartOptions<Settings> extends Configured<Settings> {
  readonly parts: ReadonlySet<Part>;
  readonly logger: pino.Logger;
}

/** The services that the gateway gives to a running application. */
export interface ApplicationServices<Settings> extends StartOptions<Settings> {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** The connection string of the gateway login, which reads rows under the rules of a role. */
  readonly gatewayUrl: string;
  /** Absent when this process serves only GraphQL. */
  readonly queue: Queue | undefined;
  /**
   * The accepted values of the header x-platform-api-token. The gateway sends the first value to webhooks that are
   * given as a path of this server.
   */
  readonly platformSecrets: readonly string[];
  /** The registry for the application's metrics. */
  readonly registry: Registry;
  /** Returns the current model, which changes when the metadata is reloaded. */
  readonly model: () => Model;
  /**
   * Ends the open subscriptions whose caller has no access any more. Must be called after a session or token was ended.
   * @param person the person whose access has ended; undefined: unknown
   */
  readonly accessEnded?: (person: string | undefined) => void;
}

export interface RunningApplication {
  /** Endpoints for clients. The part `rest` serves them. */
  readonly endpoints: readonly Endpoint[];
  /** Endpoints for event triggers, schedules and outside providers. The part `rest` serves them. */
  readonly webhookHandlers: readonly Endpoint[];
  /** Reads the session of requests with a session cookie. Absent when this process accepts no sessions. */
  readonly session?: RequestHandler | undefined;
  /** Authenticators of the data API. They run in this order, after the check of the admin secret. */
  readonly authenticators: readonly Authenticator[];
  /** The credentials that the authenticators accept, for the OpenAPI document. */
  readonly dataApiSchemes: readonly SecurityScheme[];
  /** The application's sections of the console. */
  readonly consoleSections: readonly ConsoleSection[];
  /** Lets the application's administrators use the console. Absent: only the admin secret opens it. */
  readonly adminSignIn?: AdminSignIn | undefined;
  /** Counts operations and wrong secrets of all instances together. Absent: each instance has separate counters. */
  readonly rates?: RateStore | undefined;
  /** Starts the work of a worker. The gateway calls it after the rules are loaded. */
  work(): Promise<Working>;
  close(): Promise<void>;
}

/** The running work of an application in a worker. */
export interface Working {
  /** The jobs that cron.yaml may name. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}
