import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, processUse, rowgate, vacantPort } from '../measure.ts';

const PATIENCE_MS = 120_000;
const POLL_MS = 10;
const RATE = 200;
const BASE_MS = 3000;
const secret = 'secret-of-the-large-benchmark-0123456789';
const probe = path.join(import.meta.dirname, 'event-loop-delay.ts');
const query = '{ record_000(limit: 1, where: {status: {_eq: "draft"}}) { id label } }';
const introspection =
  '{ __schema { types { name fields { name args { name } type { name } } inputFields { name } } } }';

/** The figures of one server. Memory in MiB; RSS after a stage, the peak since the start. */
export interface ServerFigures {
  readonly upSeconds: number;
  readonly upCpuSeconds: number;
  readonly upMiB: number;
  /** The slowest first request of a role. */
  readonly firstRequestMs: number;
  readonly rolesMiB: number;
  readonly rolesPeakMiB: number;
  readonly rolesCpuSeconds: number;
  /** p99 of a steady load in one role, before and while the schemas of other roles are built. */
  readonly steadyP99Ms: number;
  readonly buildingP99Ms: number;
  readonly steadyDelayMs: number;
  readonly buildingDelayMs: number;
  readonly introspectionMs: number;
  readonly introspectedPeakMiB: number;
}

/** Starts a server, uses all roles, and stops it. */
export async function measureServer(
  metadata: string,
  env: Readonly<Record<string, string>>,
  roles: number,
): Promise<ServerFigures> {
  const port = await vacantPort();
  const began = performance.now();
  const server = new Server(port, metadata, env);
  try {
    await server.healthy();
    const upSeconds = (performance.now() - began) / 1000;
    const up = server.use();
    // The check for drift runs after the start. It is over when the server is ready.
    await server.ready();
    const [steady, ...others] = Array.from({ length: roles }, (_, role) => nameOf(role));
    await server.ask(steady ?? '', query);
    await server.largestDelay();
    const steadyP99Ms = p99(await server.steadyLoad(steady ?? '', delay(BASE_MS)));
    const steadyDelayMs = await server.largestDelay();
    const first: number[] = [];
    const cpuBefore = server.use().cpuSeconds;
    const building = (async () => {
      for (const role of [...others, 'admin']) first.push(await server.ask(role, query));
    })();
    const buildingP99Ms = p99(await server.steadyLoad(steady ?? '', building));
    const buildingDelayMs = await server.largestDelay();
    const used = server.use();
    const asked: number[] = [];
    for (const role of [steady ?? '', ...others, 'admin']) {
      asked.push(await server.ask(role, introspection));
    }
    return {
      ...{ upSeconds, steadyP99Ms, buildingP99Ms, steadyDelayMs, buildingDelayMs },
      upCpuSeconds: up.cpuSeconds,
      upMiB: up.residentMiB,
      firstRequestMs: Math.max(...first),
      rolesMiB: used.residentMiB,
      rolesPeakMiB: used.peakMiB,
      rolesCpuSeconds: used.cpuSeconds - cpuBefore,
      introspectionMs: Math.max(...asked),
      introspectedPeakMiB: server.use().peakMiB,
    };
  } finally {
    await server.stop();
  }
}

const nameOf = (role: number) => `role_${String(role).padStart(2, '0')}`;

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? median(sorted);
}

class Server {
  readonly #port: number;
  readonly #child: ChildProcess;
  #output = '';

  constructor(port: number, metadata: string, env: Readonly<Record<string, string>>) {
    this.#port = port;
    const args = ['--import', probe, rowgate, 'serve', '--only', 'graphql', '--metadata', metadata];
    this.#child = spawn(process.execPath, args, {
      env: {
        ...{ ...process.env, ...env, PORT: String(port) },
        ...{ ROWGATE_ADMIN_SECRET: secret, ROWGATE_LOG_LEVEL: 'error' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data) => {
        this.#output += data;
      });
    }
  }

  use() {
    return processUse(this.#child.pid);
  }

  healthy(): Promise<void> {
    return this.#answers('/healthz');
  }

  ready(): Promise<void> {
    return this.#answers('/readyz');
  }

  async #answers(url: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end && this.#child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${this.#port}${url}`).catch(() => undefined);
      if (answer?.ok) return;
      await delay(POLL_MS);
    }
    throw new Error(`the server does not answer ${url}:\n${this.#output.slice(-2000)}`);
  }

  /** Sends a query in a role. Returns the milliseconds until the whole answer was there. */
  async ask(role: string, text: string): Promise<number> {
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${this.#port}/v1/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gql-admin-secret': secret,
        'x-gql-role': role,
        'x-gql-tenant-id': '00000000-0000-4000-8000-000000000000',
        'x-gql-user-id': 'someone',
      },
      body: JSON.stringify({ query: text }),
    });
    const answer = await response.text();
    if (!answer.startsWith('{"data":')) throw new Error(`${role}: ${answer.slice(0, 500)}`);
    return performance.now() - began;
  }

  /** Sends requests at a steady rate until `work` has ended, for at least `BASE_MS`. */
  async steadyLoad(role: string, work: Promise<unknown>): Promise<readonly number[]> {
    let isOver = false;
    const ended = Promise.all([work, delay(BASE_MS)]).finally(() => {
      isOver = true;
    });
    const asked: Promise<number>[] = [];
    for (let next = performance.now(); !isOver; next += 1000 / RATE) {
      await delay(Math.max(0, next - performance.now()));
      asked.push(this.ask(role, query));
    }
    await ended;
    return Promise.all(asked);
  }

  /** Returns the largest delay of the event loop since the last call, in milliseconds. */
  async largestDelay(): Promise<number> {
    const known = this.#output.length;
    this.#child.kill('SIGUSR2');
    for (;;) {
      const found = /largest event-loop delay: ([\d.]+) ms/.exec(this.#output.slice(known));
      if (found) return Number(found[1]);
      await delay(POLL_MS);
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
