import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../config/mail-config.ts';
import type { Brand } from '../rendering/brand.ts';

/** The ID of the logo attachment, to which the HTML of a mail refers. */
export const logoId = 'logo@rowgate';

/** A mail in the outbox. */
export interface StoredMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

/** Makes the message for nodemailer: to one address, with the brand as the sender's name. */
export function composeMail(mail: StoredMail, config: MailConfig, brand: Brand): SendMailOptions {
  const { recipient, subject, text, html, messageId } = mail;
  const { from, replyTo } = config;
  return {
    from: { name: brand.name, address: from },
    to: { name: '', address: recipient },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    // Set explicitly, because nodemailer would parse the addresses from the headers and might find other addresses.
    envelope: { from: ascii(from), to: [ascii(recipient)] },
    subject,
    text,
    html,
    messageId,
    // Prevents automatic replies such as absence notes (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: logoOf(html, brand),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Attaches the logo, because mail programs ask before they load pictures from a server. */
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
