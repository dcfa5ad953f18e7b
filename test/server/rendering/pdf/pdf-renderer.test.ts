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
/** A document that makes the rendering thread fail, because its status has an invalid tone. */
const broken = documentOf([], { status: { text: 'x', tone: 'none' as 'good' } });
/**
 * A document of unique words. Rendering it takes long, because no word is in the cache of shaped
 * words.
 */
const slow = documentOf([
  {
    kind: 'paragraph',
    text: Array.from({ length: 90_000 }, (_, index) => `${(index * 7919).toString(36)}xyz`).join(
      ' ',
    ),
  },
]);
/**
 * A document that needs more memory than a thread has. It has missing cells, which need memory but
 * do not count for the size of the document.
 */
const endless = documentOf([
  tableOf(0, {
    columns: Array.from({ length: 200 }, () => ({ title: '', align: 'end', width: 1 })),
    rows: Array.from({ length: 10_000 }, () => []),
  }),
]);

describe('the PDF renderer, which renders in other threads,', () => {
  it('returns the same bytes as rendering in this process, each time', async () => {
    const direct = await renderPdf(everyKind, brand);
    const [one, other] = await Promise.all([open().render(everyKind), renderer.render(everyKind)]);
    expect(Buffer.compare(one, direct)).toBe(0);
    expect(Buffer.compare(other, direct)).toBe(0);
  });

  it('returns the same bytes whatever it has rendered before', async () => {
    const first = await open().render(everyKind);
    await renderer.close();
    await open().render(
      documentOf([{ kind: 'paragraph', text: '\u05e9 (a) \u0645\u0631 \u03a9 \u2126' }]),
    );
    expect(Buffer.compare(await renderer.render(everyKind), first)).toBe(0);
  });

  it('refuses documents while its queue is full, and accepts some again later', async () => {
    open({ queue: 2 });
    const asked = [1, 2, 3].map(() => renderer.render(everyKind));
    const [one, two, three] = await Promise.allSettled(asked);
    expect([one?.status, two?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(three).toMatchObject({ status: 'rejected', reason: expect.any(RenderQueueFull) });
    await expect(renderer.render(everyKind)).resolves.toBeInstanceOf(Uint8Array);
  });

  it('fails only the document that cannot be rendered, and not the others', async () => {
    const [failed, made] = await Promise.allSettled([
      open().render(broken),
      renderer.render(everyKind),
    ]);
    expect(failed?.status).toBe('rejected');
    expect(made?.status).toBe('fulfilled');
  });

  it('reports whether its queue is full', async () => {
    open({ queue: 1 });
    expect(renderer.isFull).toBe(false);
    const rendering = renderer.render(everyKind);
    expect(renderer.isFull).toBe(true);
    await rendering;
    expect(renderer.isFull).toBe(false);
  });

  it('refuses a document that is too large before it takes a place in the queue', async () => {
    open({ queue: 1 });
    const asked = [documentOf([tableOf(50_000)]), everyKind].map((one) => renderer.render(one));
    const [refused, made] = await Promise.allSettled(asked);
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(DocumentTooLarge) });
    expect(made?.status).toBe('fulfilled');
  });

  it('aborts a document that takes too long, and renders the waiting ones', async () => {
    // Measures how long starting a thread and rendering a usual document take at the moment, because the machine may be
    // busy.
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

  it('fails a document that exceeds the memory of a thread, and renders the waiting ones', async () => {
    // The time limit is long, because a thread on a busy machine needs time to use up its memory.
    open({ timeLimit: 100_000 });
    const [failed, made] = await Promise.allSettled([
      renderer.render(endless),
      renderer.render(everyKind),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(DocumentTooLarge) });
    expect(made?.status).toBe('fulfilled');
  }, 120_000);

  it('finishes running and waiting documents when it is closed, and accepts no more', async () => {
    open();
    const waiting = [1, 2, 3].map(() => renderer.render(everyKind));
    const closed = renderer.close();
    await expect(renderer.render(everyKind)).rejects.toThrow('stopping');
    await closed;
    expect(await Promise.all(waiting)).toHaveLength(3);
  });
});
