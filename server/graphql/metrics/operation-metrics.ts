import type { OperationDefinitionNode } from 'postgraphile/graphql';
import { Counter, Histogram, type Registry } from 'prom-client';
import { RowgateError } from '../../../permissions/errors.ts';
import { RecentHistory } from './recent-operations.ts';

/** Names of operations that each role has in the metrics. Clients choose the names, so they could be very many. */
const maxNames = 50;
const maxNameLength = 100;
/** Handlers and plugins choose codes, too. */
const maxCodes = 60;
const other = 'other';

type Series = 'role' | 'kind' | 'operation';

/** Counts the operations of all roles, and measures how long they take. */
export class OperationMetrics {
  readonly ended: Counter<Series | 'code'>;
  readonly seconds: Counter<Series>;
  readonly latency: Histogram<'role' | 'kind'>;
  readonly recent = new RecentHistory();
  /** The names of operations of each role, and the codes, that have series of their own. */
  readonly #known = new Map<string, Set<string>>();

  /** @param registry publishes the metrics; absent: they are not published */
  constructor(registry?: Registry) {
    const registers = registry ? [registry] : [];
    this.ended = new Counter({
      name: 'rowgate_operations_total',
      help: 'GraphQL operations that ended, by role, kind, name and code; the code of a success is ok',
      labelNames: ['role', 'kind', 'operation', 'code'],
      registers,
    });
    this.seconds = new Counter({
      name: 'rowgate_operation_time_seconds_total',
      help: 'Seconds that GraphQL operations took, by role, kind and name',
      labelNames: ['role', 'kind', 'operation'],
      registers,
    });
    this.latency = new Histogram({
      name: 'rowgate_operation_seconds',
      help: 'How long GraphQL operations took, by role and kind; of a subscription its start',
      labelNames: ['role', 'kind'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
  }

  /** Begins to measure an operation of a role. */
  begin(role: string): Measurement {
    return new Measurement(role, this);
  }

  /** Counts a request whose caller could not be identified. It has no role. */
  refused(error: unknown): void {
    this.begin('').end(error instanceof RowgateError ? error.code : 'unexpected');
  }

  /** Returns a name that a client or a plugin has chosen, or `other` if the subject has too many. */
  bounded(name: string, subject: string, max: number): string {
    let known = this.#known.get(subject);
    if (!known) {
      known = new Set();
      this.#known.set(subject, known);
    }
    if (known.has(name)) return name;
    if (known.size >= max || name.length > maxNameLength) return other;
    known.add(name);
    return name;
  }
}

/** One operation whose time is measured. */
export class Measurement {
  readonly #began = performance.now();
  readonly #role: string;
  readonly #metrics: OperationMetrics;
  #operation: OperationDefinitionNode | undefined;

  constructor(role: string, metrics: OperationMetrics) {
    this.#role = role;
    this.#metrics = metrics;
  }

  /** Notes the operation that the document contains. Without it, the operation counts as `invalid`. */
  found(operation: OperationDefinitionNode): void {
    this.#operation = operation;
  }

  /** @param code the code of its error; absent: it succeeded */
  end(code?: string): void {
    const metrics = this.#metrics;
    const [role, found] = [this.#role, this.#operation];
    const kind = found?.operation ?? 'invalid';
    const name = found?.name?.value ?? '';
    // A role with spaces in its name cannot exist, so the codes cannot meet the names of a role.
    const operation = name === '' ? '' : metrics.bounded(name, role, maxNames);
    const seconds = (performance.now() - this.#began) / 1000;
    const bounded = code === undefined ? 'ok' : metrics.bounded(code, 'all codes', maxCodes);
    metrics.ended.inc({ role, kind, operation, code: bounded });
    metrics.seconds.inc({ role, kind, operation }, seconds);
    metrics.latency.observe({ role, kind }, seconds);
    metrics.recent.add(seconds, code !== undefined);
  }
}
