import type { ServerCommand } from '../../cli/command-context.ts';
import { ProcessError } from '../../errors.ts';
import { type ListedMail, listMails } from '../outbox.ts';
import { onTerminal, withOutbox } from './with-outbox.ts';

const states = ['waiting', 'sent', 'failed'];
const usualLimit = '50';

/** `rowgate mail list` shows the newest mails with their state and their last error. */
export const mailListCommand: ServerCommand = {
  name: 'mail list',
  summary: 'show the newest mails with their state and last error',
  options: {
    state: { type: 'string', help: 'only mails with this state: waiting, sent or failed' },
    limit: { type: 'string', default: usualLimit, help: 'maximum number' },
    json: { type: 'boolean', default: false, help: 'print JSON' },
  },
  run: async (options, _positionals, context) => {
    const state = readState(options.state);
    const limit = readLimit(options.limit);
    const mails = await withOutbox(context, (pool) => listMails(pool, state, { limit }));
    if (options.json === true) context.print(JSON.stringify({ mails }, null, 2));
    else if (mails.length === 0) context.print('no mails');
    else for (const mail of mails) context.print(line(mail));
    return 0;
  },
};

function line({ id, state, recipient, subject, attempts, lastError }: ListedMail): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const problem = lastError === null ? [] : [lastError];
  return onTerminal([id, state, recipient, subject, tries, ...problem].join('  '));
}

function readState(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && states.includes(given)) return given;
  throw usage(`--state is "${String(given)}"; it must be one of ${states.join(', ')}`);
}

function readLimit(given: unknown): number {
  const limit = /^\d{1,6}$/.test(String(given)) ? Number(given) : 0;
  if (limit > 0) return limit;
  throw usage(`--limit is "${String(given)}"; it must be a whole number from 1 to 999999`);
}

function usage(problem: string): ProcessError {
  const hint = 'rowgate mail list --help shows the options';
  return new ProcessError('RG_USAGE', problem, { hint, exitCode: 2 });
}
