import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config/mail-config.ts';
import type { Brand } from '../rendering/brand.ts';
import { logoId } from './logo-id.ts';

/** A mail as the outbox keeps it. */
export interface KeptMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

/** The mail as it leaves: to one address, in the name of the brand. */
export function composeMail(mail: KeptMail, config: MailConfig, brand: Brand): SendMailOptions {
  const { recipient, subject, text, html, messageId } = mail;
  const { from, replyTo } = config;
  return {
    from: { name: brand.name, address: from },
    to: { name: '', address: recipient },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    // What is read out of headers might be somebody else's address.
    envelope: { from: ascii(from), to: [ascii(recipient)] },
    subject,
    text,
    html,
    messageId,
    // Tells absence notes and other programs that nobody reads their answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: logoOf(html, brand),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Mail programs show pictures that come along, and ask before they fetch any. */
function logoOf(html: string, { logo }: Brand): NonNullable<SendMailOptions['attachments']> {
  if (!logo || !html.includes(`cid:${logoId}`)) return [];
  const { contentType, data } = logo;
  const filename = contentType === 'image/png' ? 'logo.png' : 'logo.jpg';
  const content = Buffer.from(data);
  return [{ cid: logoId, filename, contentType, content, contentDisposition: 'inline' }];
}

function ascii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
