import { afterEach, describe, expect, it } from 'vitest';
import { DocumentTooLarge } from '../../../../server/rendering/pdf/document-size.ts';
import {
  openPdfRenderer,
  type PdfRenderer,
  RenderQueueFull,
  RenderTimedOut,
} from '../../../../server/rendering/pdf/pdf-renderer.ts';
import { renderPdf } from '../../../../server/rendering/pdf/render-pdf.ts';
import { brand, documentOf, everyKind, tableOf } from './printed.ts';

let renderer: PdfRenderer;
afterEach(() => renderer.close());

const open = (more: { queue?: number; timeLimit?: number } = {}) => {
  renderer = openPdfRenderer({ brand, workers: 1, queue: 8, ...more });
  return renderer;
};
/** What no thread can print, for its tone is none. */
const broken = documentOf([], { status: { text: 'x', tone: 'none' as 'good' } });
/** Words that no other is like, each of which takes its time. */
const slow = documentOf([
  {
    kind: 'paragraph',
    text: Array.from({ length: 90_000 }, (_, index) => `${(index * 7919).toString(36)}xyz`).join(
      ' ',
    ),
  },
]);
/** Takes more memory than a thread has: cells that the model asks for, which are left out and so not counted. */
const endless = documentOf([
  tableOf(0, {
    columns: Array.from({ length: 200 }, () => ({ title: '', align: 'end', width: 1 })),
    rows: Array.from({ length: 10_000 }, () => []),
  }),
]);

describe('the pool of threads that make PDFs', () => {
  it('gives the same bytes as the process itself, each time', async () => {
    const direct = await renderPdf(everyKind, brand);
    const [one, other] = await Promise.all([open().render(everyKind), renderer.render(everyKind)]);
    expect(Buffer.compare(one, direct)).toBe(0);
    expect(Buffer.compare(other, direct)).toBe(0);
  });

  it('gives the same bytes whatever was printed before', async () => {
    const first = await open().render(everyKind);
    await renderer.close();
    await open().render(
      documentOf([{ kind: 'paragraph', text: '\u05e9 (a) \u0645\u0631 \u03a9 \u2126' }]),
    );
    expect(Buffer.compare(await renderer.render(everyKind), first)).toBe(0);
  });

  it('refuses what is more than may run and wait, and takes more later', async () => {
    open({ queue: 2 });
    const asked = [1, 2, 3].map(() => renderer.render(everyKind));
    const [one, two, three] = await Promise.allSettled(asked);
    expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(three).toMatchObject({ status: 'rejected', reason: expect.any(RenderQueueFull) });
    await expect(renderer.render(everyKind)).resolves.toBeInstanceOf(Uint8Array);
  });

  it('fails a document that cannot be printed, and no other', async () => {
    const [failed, made] = await Promise.allSettled([
      open().render(broken),
      renderer.render(everyKind),
    ]);
    expect(failed?.status).toBe('rejected');
    expect(made?.status).toBe('fulfilled');
  });

  it('says when it would refuse', async () => {
    open({ queue: 1 });
    expect(renderer.isFull).toBe(false);
    const rendering = renderer.render(everyKind);
    expect(renderer.isFull).toBe(true);
    await rendering;
    expect(renderer.isFull).toBe(false);
  });

  it('takes no document that is too large, and no place for it', async () => {
    open({ queue: 1 });
    const asked = [documentOf([tableOf(50_000)]), everyKind].map((one) => renderer.render(one));
    const [refused, made] = await Promise.allSettled(asked);
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(DocumentTooLarge) });
    expect(made?.status).toBe('fulfilled');
  });

  it('gives up what takes too long, and makes all that waited for it', async () => {
    // What a thread and a usual document take here and now, which is much on a busy machine.
    const began = performance.now();
    await open().render(everyKind);
    const usual = performance.now() - began;
    await renderer.close();
    open({ timeLimit: Math.round(usual * 4) });
    const [given, ...waiting] = await Promise.allSettled(
      [slow, everyKind, everyKind].map((document) => renderer.render(document)),
    );
    expect(given).toMatchObject({ status: 'rejected', reason: expect.any(RenderTimedOut) });
    expect(waiting.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  it('tells of a document that a thread has no memory for, and makes what waited for it', async () => {
    // To use up so much memory takes a busy machine a while.
    open({ timeLimit: 100_000 });
    const [failed, made] = await Promise.allSettled([
      renderer.render(endless),
      renderer.render(everyKind),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(DocumentTooLarge) });
    expect(made?.status).toBe('fulfilled');
  }, 120_000);

  it('finishes what runs and waits before it is closed, and takes no more', async () => {
    open();
    const waiting = [1, 2, 3].map(() => renderer.render(everyKind));
    const closed = renderer.close();
    await expect(renderer.render(everyKind)).rejects.toThrow('stopping');
    await closed;
    expect(await Promise.all(waiting)).toHaveLength(3);
  });
});
