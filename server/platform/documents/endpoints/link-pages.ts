import type { Response } from 'express';
import { Type } from 'typebox';
import { Refusal } from '../../../http/answers/problem.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { Brand } from '../../../rendering/brand.ts';
import { htmlSecurityPolicy, renderHtml } from '../../../rendering/html/render-html.ts';
import type { SignedInUser } from '../../accounts/user.ts';
import { documentsTag } from '../../api-tags.ts';
import { builtInPages } from '../../mail-links.ts';

interface LinkPageOptions {
  readonly signedIn: Access<SignedInUser>;
  readonly brand: Brand;
  readonly baseUrl: string;
}

/** The pages that mails link to, while no application shows them. */
const pages = {
  'sign-in': {
    heading: 'Sign in',
    text: 'This link came with the mail about your new account.',
  },
  invoices: { heading: 'Your invoice', text: 'This link opens an invoice.' },
  receipts: { heading: 'Your receipt', text: 'This link opens the receipt for a payment.' },
} as const;

/** Makes the pages that mails link to without ROWGATE_APP_URL. They reveal nothing about the document or its reader. */
export function makeLinkPages(options: LinkPageOptions): readonly Endpoint[] {
  return [
    linkPage('sign-in', options),
    documentPage('invoices', options),
    documentPage('receipts', options),
  ];
}

const answers = {
  200: { description: 'A page that says what the link is for, and asks the reader to sign in' },
};

function linkPage(page: 'sign-in', { brand }: LinkPageOptions): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: `${builtInPages}/${page}`,
    operationId: 'openSignIn',
    tag: documentsTag,
    summary: 'a page for the link of the welcome mail',
    access: { schemes: [], admit: async () => undefined },
    answers,
    handle: (_input, response) => sendPage(page, brand, response),
  });
}

function documentPage(
  page: 'invoices' | 'receipts',
  { signedIn, brand, baseUrl }: LinkPageOptions,
): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: `${builtInPages}/${page}/{id}`,
    operationId: page === 'invoices' ? 'openInvoice' : 'openReceipt',
    tag: documentsTag,
    summary: 'a page for the links of mails',
    description: 'Redirects a signed-in person to the document.',
    access: ifSignedIn(signedIn),
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    answers: {
      ...answers,
      303: { description: 'To the document', headers: { Location: 'The URL of the document' } },
    },
    handle: async ({ who, params: { id } }, response) => {
      if (who) response.redirect(303, `${baseUrl}/${page}/${id}`);
      else sendPage(page, brand, response);
    },
  });
}

/** Admits everyone, and identifies the caller if possible. */
function ifSignedIn(signedIn: Access<SignedInUser>): Access<SignedInUser | undefined> {
  return {
    schemes: [],
    admit: (request) =>
      signedIn.admit(request).catch((error: unknown) => {
        if (error instanceof Refusal && error.problem.status === 401) return undefined;
        throw error;
      }),
  };
}

function sendPage(page: keyof typeof pages, brand: Brand, response: Response) {
  const { heading, text } = pages[page];
  const document = {
    title: heading,
    heading,
    language: 'en',
    parties: [],
    blocks: [
      { kind: 'paragraph' as const, text },
      {
        kind: 'notice' as const,
        title: 'Please sign in first',
        text: `Sign in to ${brand.name} where you usually do, in this browser${page === 'sign-in' ? '' : ', and open the link again'}. If you do not know where to sign in, ask the administrator of your organization.`,
      },
    ],
    modifiedAt: new Date().toISOString(),
  };
  response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': htmlSecurityPolicy });
  response.type('html').send(renderHtml(document, brand));
}
