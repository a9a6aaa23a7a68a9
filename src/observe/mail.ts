import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Attachment } from 'mailparser';
import type { SMTPServerEnvelope } from 'smtp-server';
import type { Cell } from '../model/effect.ts';
import { shownBytes } from './shown-bytes.ts';

/** A mail as it arrived: who it was sent to by the envelope, and what stands in it. Reads the stream to its end. */
export async function readMail(
  stream: Readable,
  { mailFrom, rcptTo }: SMTPServerEnvelope,
): Promise<Readonly<Record<string, Cell>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  const { simpleParser } = await import('mailparser');
  const mail = await simpleParser(Buffer.concat(chunks), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  });
  const body = mail.text ?? (mail.html || '');
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo
      .map(({ address }) => address)
      .sort()
      .join(', '),
    subject: mail.subject ?? null,
    body: shownBytes(Buffer.from(body.replace(/\r?\n$/, ''))),
    ...(mail.attachments.length === 0 ? {} : { attachments: mail.attachments.map(describeAttachment).join(', ') }),
  };
}

function describeAttachment({ filename, contentType, content }: Attachment): string {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `${filename ?? contentType} (${content.length} bytes, sha256:${digest})`;
}
