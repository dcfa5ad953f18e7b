import pino from 'pino';
import { loadModel } from '../../../../../permissions/index.ts';
import { resolveLogin } from '../../../../../server/db/logins/logins.ts';
import type { Print, Printed } from '../../../../../server/platform/documents/print/printed.ts';
import { openReader } from '../../../../../server/platform/documents/read/row-reader.ts';
import { makeFormat } from '../../../../../server/rendering/format.ts';
import type { Block } from '../../../../../server/rendering/model.ts';
import { createDatabase } from '../../../../support/database.ts';
import { platformMetadata, startTestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';

/** Prints documents of the demo data as a role would see them. */
export interface Printing {
  /** Prints a document in a role. The session variables are given by their setting name. */
  print<Subject>(
    print: Print<Subject>,
    subject: Subject,
    role: string,
    variables?: Readonly<Record<string, string>>,
  ): Promise<Printed | undefined>;
  /** Runs a statement as the superuser. */
  sql(...statements: readonly string[]): Promise<unknown[]>;
  end(): Promise<void>;
}

export async function startPrinting(locale = 'en-GB'): Promise<Printing> {
  const database = await createDatabase({ from: 'applied' });
  const server = await startTestServer({ database, graphql: false });
  const { rolePrefix, headerPrefix } = server.config;
  const client = await database.connectOwner();
  const model = await loadModel({ metadata: platformMetadata, client, rolePrefix, headerPrefix });
  const { url: databaseUrl } = await resolveLogin(server.config, database.ownerUrl, 'gateway');
  const logger = pino({ level: 'silent' });
  const reader = openReader({ databaseUrl, config: server.config, model: () => model, logger });
  const format = makeFormat(locale);
  const brand = {
    name: 'Printers',
    colour: '#123456',
    address: ['1 Type Street'],
    bankAccount: [{ term: 'IBAN', value: 'GB33 BUKB 2020 1555 5555 55' }],
  };
  return {
    print: (print, subject, role, variables = {}) => {
      const found = model.roles.get(role);
      if (!found) throw new Error(`there is no role ${role}`);
      const caller = {
        role: found,
        variables: new Map(Object.entries(variables)),
        isBackend: false,
      };
      return reader.read(caller, (rows) => print({ rows, format, brand }, subject));
    },
    sql: (...statements) => query(database.superuserUrl, ...statements),
    end: async () => {
      await reader.close();
      await server.stop();
      await database.drop();
    },
  };
}

/**
 * Returns the text of a printed document as lines. Facts are `term: value`; cells and totals are
 * separated by ` | `.
 */
export function linesOf(printed: Printed | undefined): readonly string[] {
  if (!printed) return [];
  const { heading, status, parties, blocks } = printed.document;
  return [
    heading,
    ...(status ? [`(${status.text}, ${status.tone})`] : []),
    ...parties.map(({ label, lines }) => [label, ...lines].join(' | ')),
    ...blocks.flatMap(linesOfBlock),
  ];
}

function linesOfBlock(block: Block): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [`## ${block.text}`];
    case 'paragraph':
      return [block.text];
    case 'facts':
      return block.items.map(({ term, value }) => `${term}: ${value}`);
    case 'table':
      return [
        `[${block.caption}]`,
        block.columns.map(({ title }) => title).join(' | '),
        ...block.rows.map((row) => row.join(' | ')),
        ...(block.totals ?? []).map(({ label, value }) => `= ${label} | ${value}`),
      ];
    case 'list':
      return block.items;
    case 'notice':
      return [`! ${block.title}: ${block.text}`];
    case 'link':
      return [`${block.text} -> ${block.url}`];
    case 'signatures':
      return block.parties.map((party) => `____ ${party}`);
  }
}
