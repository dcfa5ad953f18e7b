import type { Request, Response } from 'express';
import type { Model } from '../../../../permissions/index.ts';
import type { Caller } from '../../../caller/authenticate.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import { disconnectSignal } from '../../../http/connections/disconnect-signal.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { Format } from '../../../rendering/format.ts';
import type { ApiKeyCaller, SignedInUser } from '../../accounts/user.ts';
import type { Seller } from '../../config/document-config.ts';
import { isUuid } from '../../uuid.ts';
import { printCaseAgreement, printCaseReport } from '../print/case.ts';
import { printFundAgreement } from '../print/fund-agreement.ts';
import { printInvoice } from '../print/invoice.ts';
import type { Print, Printed } from '../print/printed.ts';
import { printCatalog } from '../print/product-catalog.ts';
import { printQuote } from '../print/quote.ts';
import { printReceipt } from '../print/receipt.ts';
import { callerOfKey, callersOfPerson } from '../read/document-callers.ts';
import type { Reader, Rows } from '../read/row-reader.ts';
import { type Described, describe } from './describe-document.ts';
import type { DocumentFormat } from './entity-tag.ts';
import {
  type Look,
  makeSendDocument,
  refuseWhileFull,
  type SendDocument,
} from './send-document.ts';

export interface PrintedServices extends Look {
  readonly brand: Seller;
  readonly signedIn: Access<SignedInUser>;
  /** Authenticates programs that read cases. */
  readonly caseReader: Access<ApiKeyCaller>;
  readonly reader: Reader;
  readonly format: Format;
  /** The prefix of session variables and of the role header. */
  readonly headerPrefix: string;
}

/** Makes the endpoints of printed documents. Each document shows only what the caller's rules allow. */
export function makePrintedEndpoints(services: PrintedServices): readonly Endpoint[] {
  const answering = {
    ...services,
    send: makeSendDocument(services),
    since: watchRuleChanges(services.reader),
  };
  return [
    ...personalKinds.map((kind) => forPeople(kind, answering)),
    ...caseKinds.map((kind) => forPrograms(kind, answering)),
  ];
}

interface EndpointServices extends PrintedServices {
  readonly send: SendDocument;
  /**
   * Returns the earliest modification time of any document: the time of the newest rules, or of the start of this
   * process. New rules or a new design change every document.
   */
  readonly since: () => Date;
}

/** A kind of document: its description and its printer. */
interface Kind<Subject> extends Described {
  readonly print: Print<Subject>;
}

/** The document that a person requests. */
interface PersonalSubject {
  /** The id from the path; empty for a path without one. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  /** Whether internal parts are omitted. */
  readonly isForClient: boolean;
}

const byRules = 'Shows only what the caller’s rules allow.';

const personalKinds: readonly Kind<PersonalSubject>[] = [
  {
    ...{ path: '/invoices/{invoiceId}', operationId: 'getInvoice', summary: 'print an invoice' },
    ...{ description: byRules, formats: ['html', 'pdf'], print: printInvoice, hasInternals: true },
  },
  {
    ...{ path: '/receipts/{receiptId}', operationId: 'getReceipt', summary: 'print a receipt' },
    ...{ description: byRules, formats: ['html', 'pdf'], print: printReceipt },
  },
  {
    ...{ path: '/quotes/{quoteId}', operationId: 'getQuote', summary: 'print a quote' },
    ...{ description: byRules, formats: ['html', 'pdf'], print: printQuote },
  },
  {
    path: '/product-catalog',
    operationId: 'getProductCatalog',
    summary: 'print the product catalog',
    description: byRules,
    formats: ['pdf'],
    print: printCatalog,
  },
  {
    path: '/funds/{fundId}/user-agreement',
    operationId: 'getFundUserAgreement',
    summary: 'print the agreement between a person and a fund',
    description: 'For callers whose rules show the terms of the fund.',
    formats: ['html', 'pdf'],
    print: printFundAgreement,
  },
];

const caseKinds: readonly Kind<{ id: string; organizationId: string | undefined }>[] = [
  {
    path: '/pdf/case/{caseId}/report',
    operationId: 'getCaseReport',
    summary: 'print the report of a case',
    description: byRules,
    formats: ['pdf'],
    print: printCaseReport,
  },
  {
    path: '/pdf/case/{caseId}/agreement',
    operationId: 'getCaseAgreement',
    summary: 'print the agreement of a case',
    description: 'Exists when the case has an agreement and the caller’s rules show it.',
    formats: ['pdf'],
    print: printCaseAgreement,
  },
];

/** Headers that identify a person or a program. */
const byPerson = ['Cookie', 'Authorization'];
const byKey = ['X-API-Key'];

function forPeople(kind: Kind<PersonalSubject>, services: EndpointServices): Endpoint {
  const { reader, signedIn } = services;
  return defineEndpoint({
    ...describe(kind, byPerson, `${services.headerPrefix}Role`),
    access: signedIn,
    handle: async ({ who, params, query, request }, response) => {
      const { user } = who;
      const callers = callersOfPerson(request, user, reader.model());
      const isForClient = 'copy' in query;
      const subject = { id: idOf(params), userId: user.id, email: user.email, isForClient };
      vary(response, byPerson, services.headerPrefix);
      await answer(kind, { callers, subject, format: formatOf(query, kind) }, services, {
        request,
        response,
      });
    },
  });
}

function forPrograms(kind: (typeof caseKinds)[number], services: EndpointServices): Endpoint {
  const { reader, caseReader } = services;
  return defineEndpoint({
    ...describe(kind, byKey, `${services.headerPrefix}Role`),
    access: caseReader,
    handle: async ({ who, params, query, request }, response) => {
      const callers = [callerOfKey(request, who, reader.model())];
      const subject = { id: idOf(params), organizationId: who.organizationId };
      vary(response, byKey, services.headerPrefix);
      await answer(kind, { callers, subject, format: formatOf(query, kind) }, services, {
        request,
        response,
      });
    },
  });
}

interface DocumentRequest<Subject> {
  /** The callers in the order in which they are tried. */
  readonly callers: readonly Caller[];
  readonly subject: Subject;
  readonly format: DocumentFormat;
}

/**
 * Tries the callers in order and answers with the document of the first caller who may see the subject, e.g. the
 * invoice.
 */
async function answer<Subject extends { readonly id: string }>(
  kind: Kind<Subject>,
  { callers, subject, format }: DocumentRequest<Subject>,
  services: EndpointServices,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<void> {
  if (format === 'pdf' && request.method === 'GET') refuseWhileFull(services.renderer);
  const isNothing = kind.path.includes('{') && !isUuid(subject.id);
  // Taken before the rows are read. If rules change meanwhile, the reported time is too early rather than too late, so
  // caches fetch the document again.
  const since = services.since();
  const { brand } = services;
  const signal = disconnectSignal(response, clientGone);
  for (const caller of isNothing ? [] : callers) {
    const print = (rows: Rows) => kind.print({ rows, format: services.format, brand }, subject);
    const printed = await services.reader.read(caller, print, signal);
    if (printed)
      return services.send(withModificationTime(printed, since), format, request, response);
  }
  const detail = 'the document does not exist, or you may not see it';
  throw new Refusal({ status: 404, code: 'not-found', detail });
}

function clientGone(): Refusal {
  return new Refusal({
    status: 400,
    code: 'bad-request',
    detail: 'the client closed the connection',
  });
}

/**
 * Adjusts the modification time, because new rules or a new design also change a document. HTTP times have whole
 * seconds, so a time within the current second is not reported: the document may change again in that second.
 */
function withModificationTime(printed: Printed, since: Date): Printed {
  const { lastModified } = printed;
  if (lastModified === undefined) return printed;
  const isOver = secondOf(lastModified) < secondOf(new Date());
  const known = lastModified < since ? since : lastModified;
  return { ...printed, lastModified: isOver ? known : undefined };
}

function secondOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** Returns the time of the newest rules, or of the start of this process. */
function watchRuleChanges(reader: Reader): () => Date {
  let known: Model | undefined;
  let since = new Date();
  return () => {
    const served = reader.model();
    if (served !== known) since = new Date();
    known = served;
    return since;
  };
}

/** Sets Vary, so that caches store answers separately for each caller and role. */
function vary(response: Response, headers: readonly string[], headerPrefix: string): void {
  response.vary([...headers, `${headerPrefix}Role`].join(', '));
  response.set('Cache-Control', 'private, no-cache');
}

/** Returns the id in the path; empty when it has none. */
function idOf(params: Readonly<Record<string, unknown>>): string {
  const [id] = Object.values(params);
  return typeof id === 'string' ? id : '';
}

function formatOf(query: unknown, kind: Kind<never>): DocumentFormat {
  return (query as { readonly format?: DocumentFormat }).format ?? kind.formats[0];
}
