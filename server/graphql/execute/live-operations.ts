import { formatArray, type VariableName } from '../../../permissions/index.ts';
import type { AnswerMemory } from '../../db/requests/answer-memory.ts';
import type { ByteRow } from '../../db/requests/request-pool.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import { type ByteString, decodeBytes } from '../../db/requests/wire/message-reader.ts';
import type { BoundValue } from '../../db/requests/wire/message-writer.ts';
import { type AnswerText, EncodedJson } from '../answer-text.ts';
import type { Parameter, Written } from '../compile/input/input.ts';
import { dependenciesOf } from '../compile/live/dependencies.ts';
import type { StatementText } from '../compile/statement.ts';
import type { StreamPlan } from '../compile/stream/stream.ts';
import type { ErrorView } from '../errors/postgres-error.ts';
import { sha256 } from '../known-documents/sha256.ts';
import type {
  LiveOperation,
  LiveQuery,
  LiveStream,
  StreamBatch,
  StreamedRow,
  StreamPlace,
} from '../request/live-operation.ts';
import { validationFailed } from '../request-error.ts';
import type { Variables } from '../validate/variables.ts';
import type { LivePlan, Plan } from './plan.ts';
import { PlanRun } from './plan-run.ts';
import type { StatementRunner } from './statement-runner.ts';

export interface LiveOptions {
  /** Distinguishes the rules of this version of the model from those of other versions. */
  readonly version: string;
  /** Runs the refetches. */
  readonly pool: StatementRunner;
  readonly memory: AnswerMemory;
  readonly settings: RequestSettings;
  readonly errors: ErrorView;
}

/** Makes the operation of a subscription from its plan. @throws RequestError */
export function makeLiveOperation(
  plan: Plan,
  variables: Variables,
  options: LiveOptions,
): LiveOperation {
  const { live, statement } = plan;
  const [[field] = []] = plan.fields;
  if (!live || field === undefined) throw new Error('the plan is not that of a subscription');
  const runner = new LiveRunner(plan, variables, field, options);
  if (live.stream) return makeStream(live, live.stream, runner);
  if (!statement) throw new Error('the plan of a subscription has no statement');
  return makeQuery(live, statement, runner);
}

function makeQuery(live: LivePlan, statement: StatementText, runner: LiveRunner): LiveQuery {
  const facts = runner.factsOf(live, statement);
  return {
    kind: 'query',
    ...facts,
    fetch: (signal) => runner.read(statement, [], signal, ([answer]) => runner.textOf(answer)),
  };
}

function makeStream(live: LivePlan, stream: StreamPlan, runner: LiveRunner): LiveStream {
  const { table, cursor, initial, batchSize, first, next, pick } = stream;
  const facts = runner.factsOf(live, first);
  if (runner.readsClock(initial)) {
    throw validationFailed(
      'a stream cannot begin at "now", "today", "tomorrow" or "yesterday", whose meaning changes while it runs; write the time itself',
    );
  }
  const batchOf = (row: ByteRow) => runner.batchOf(row);
  return {
    kind: 'stream',
    ...{ ...facts, table, cursor, batchSize },
    page: (after, signal) =>
      after ? runner.read(next, [after], signal, batchOf) : runner.read(first, [], signal, batchOf),
    pick: async (rows, signal) => {
      const keys = namedKeys(rows, cursor);
      const batches: StreamBatch[] = [];
      for (let start = 0; start < keys.length; start += batchSize) {
        const lists = keyColumns(keys.slice(start, start + batchSize));
        const found = await runner.read(pick, [lists], signal, batchOf);
        if (found.keys.length > 0) batches.push(found);
      }
      return batches;
    },
  };
}

/** Returns the distinct primary keys of the rows that are new, or have moved along the cursor. */
function namedKeys(
  rows: readonly StreamedRow[],
  cursor: readonly string[],
): readonly (readonly string[])[] {
  const concerned = rows.filter(({ moved }) => !moved || moved.some((one) => cursor.includes(one)));
  return [...new Set(concerned.map(({ key }) => key))].map(textsOf);
}

/** Returns an array literal for each column of the keys. */
function keyColumns(keys: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = keys;
  return first.map((_, index) => formatArray(keys.map((key) => key[index] ?? null)));
}

/** Runs the statements of one subscription for its caller. */
class LiveRunner {
  readonly #plan: Plan;
  readonly #variables: Variables;
  readonly #field: string;
  readonly #options: LiveOptions;

  constructor(plan: Plan, variables: Variables, field: string, options: LiveOptions) {
    this.#plan = plan;
    this.#variables = variables;
    this.#field = field;
    this.#options = options;
  }

  /** Returns what the answers depend on. */
  factsOf({ reads }: LivePlan, statement: StatementText) {
    const { settings, version } = this.#options;
    const { role, values: session } = settings;
    const dependencies = dependenciesOf(reads, { variables: this.#variables, session });
    const arguments_ = statement.parameters.map((read) => read(this.#variables, []));
    const used = reads.session === 'all' ? this.#wholeSession() : valuesOf(reads.session, session);
    const { text } = statement;
    return {
      dependencies: {
        ...dependencies,
        isPolled: dependencies.isPolled || this.readsClock(statement.parameters),
      },
      cohort: sha256(JSON.stringify([version, role, this.#field, text, arguments_, used])),
    };
  }

  /** Returns whether an argument names a time that passes, such as `now`, which Postgres accepts as a timestamp. */
  readsClock(parameters: readonly Parameter[]): boolean {
    return parameters.some((read) => namesClock(read(this.#variables, [])));
  }

  #wholeSession(): unknown {
    const { names, values, session } = this.#options.settings;
    return [valuesOf(names, values), session];
  }

  async read<T>(
    statement: StatementText,
    given: Written,
    signal: AbortSignal,
    finish: (row: ByteRow) => T,
  ): Promise<T> {
    const { memory, pool, settings, errors } = this.#options;
    const answer = memory.open(settings.share);
    try {
      const running = { pool, settings, errors, answer, signal };
      const run = new PlanRun(this.#plan, this.#variables, running);
      return finish(await run.read(statement, given));
    } finally {
      // Subscriptions limit the bytes of the answers that they hold.
      answer.release();
    }
  }

  textOf(answer: ByteString | null | undefined): AnswerText {
    // The names of fields have only ASCII characters, so the encoded JSON becomes the answer without being decoded.
    return new EncodedJson(`{"data":{"${this.#field}":${answer ?? 'null'}}}` as ByteString);
  }

  batchOf([answer, keys, place]: ByteRow): StreamBatch {
    return {
      text: this.textOf(answer),
      keys: keys ? listsOf(decodeBytes(keys)).map((key) => JSON.stringify(key)) : [],
      last: place ? (JSON.parse(decodeBytes(place)) as StreamPlace) : undefined,
    };
  }
}

function namesClock(value: BoundValue): boolean {
  if (value === null) return false;
  if (typeof value !== 'string') return value.some(namesClock);
  return /\b(now|today|tomorrow|yesterday)\b/i.test(value);
}

function valuesOf(
  names: readonly VariableName[],
  session: ReadonlyMap<VariableName, string>,
): readonly (readonly [string, string | null])[] {
  return [...new Set(names)].sort().map((name) => [name, session.get(name) ?? null]);
}

function textsOf(json: string): readonly string[] {
  return JSON.parse(json) as readonly string[];
}

function listsOf(json: string): readonly (readonly string[])[] {
  return JSON.parse(json) as readonly (readonly string[])[];
}
