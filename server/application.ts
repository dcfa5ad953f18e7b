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
 * What one business brings to the gateway. `application` of metadata/rowgate.yaml names it, and applications.ts lists
 * all that can be named.
 */
export interface Application<Settings = unknown> extends DatabaseNeeds, SettingsReader<Settings> {
  /** As rowgate.yaml names it; the message about missing tables repeats it. */
  readonly name: string;
  /** Session variables that callers get from an authenticator, without a header. */
  readonly sessionVariables: readonly VariableName[];
  /** Purposes that an API key can be made for. */
  readonly apiKeyScopes: readonly string[];
  /** The mails that the application sends. */
  readonly mailTemplates: readonly MailTemplate[];
  /** Pages of the console; none today. */
  readonly consoleSections: readonly ConsoleSection[];
  readonly commands: readonly ServerCommand<ApplicationContext<Settings>>[];
  /** Lines of `rowgate serve` for the terminal, each with its label. */
  announce(start: Announced<Settings>): readonly Announcement[];
  /**
   * Whether this process needs the application's tables and the service login, whatever its parts.
   * @throws ProcessError RG_CONFIG where a setting is missing that the parts need
   */
  isNeeded(start: StartOptions<Settings>): Promise<boolean>;
  /** Opens what runs; a failure leaves nothing open. */
  open(services: ApplicationServices<Settings>): Promise<RunningApplication>;
  /** Opens the jobs alone, for `rowgate jobs run`. */
  openJobs(services: JobServices & Configured<Settings>): Promise<OpenedJobs>;
}

/** An application with the settings that it read itself. */
export interface ConfiguredApplication {
  readonly application: Application;
  readonly settings: unknown;
}

/** A mail by the beginning of its key, which the outbox keeps. */
export interface MailTemplate {
  /** Before the slash, e.g. `receipt`. */
  readonly key: string;
  /** When it is sent, and to whom. */
  readonly purpose: string;
}

export interface ConsoleSection {
  readonly title: string;
  /** Below the root of the console. */
  readonly path: string;
}

export interface Configured<Settings> {
  /** `baseUrl` is where this process can be reached. */
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
  /** Of the service login. */
  readonly pool: pg.Pool;
  /** Of the login that serves the data API. */
  readonly gatewayUrl: string;
  /** Absent where this process serves GraphQL alone. */
  readonly queue: Queue | undefined;
  /** Values of x-platform-api-token, by which a webhook that is a path knows its caller; the first is sent. */
  readonly platformSecrets: readonly string[];
  /** For its metrics. */
  readonly registry: Registry;
  /** The rules that are served at this moment. */
  readonly model: () => Model;
}

/** An application that is open. */
export interface RunningApplication {
  /** Served by the part `rest`. */
  readonly endpoints: readonly Endpoint[];
  /** Endpoints that event triggers, schedules and providers call; served by the part `rest`. */
  readonly webhookHandlers: readonly Endpoint[];
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly session?: RequestHandler | undefined;
  /** For the data API, after the admin secret. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations and wrong secrets for all instances together; absent where each counts its own. */
  readonly rates?: RateStore | undefined;
  /** Begins the work of a worker, once the rules are loaded. */
  work(): Promise<Working>;
  close(): Promise<void>;
}

/** The work of an application in a worker. */
export interface Working {
  /** The jobs that cron.yaml may name. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}
