import type { Page } from 'playwright-core';

/**
 * Returns the difference of two pictures, from 0 (equal) to 1. The result is 1 when their heights differ by more than a
 * line of text. Compares averages of squares of eight pixels, so that different smoothing of the same letters does not
 * count.
 */
export function differenceOf(page: Page, one: Uint8Array, other: Uint8Array): Promise<number> {
  const pictures = JSON.stringify(
    [one, other].map((bytes) => Buffer.from(bytes).toString('base64')),
  );
  return page.evaluate(`(${compare})(${pictures})`);
}

// This function is source text because it runs in the browser, whose types TypeScript does not know here.
const compare = `async (pictures) => {
  const images = await Promise.all(pictures.map(async (base64) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + base64;
    await image.decode();
    return image;
  }));
  const [a, b] = images;
  if (Math.abs(a.width - b.width) > 16 || Math.abs(a.height - b.height) > 16) return 1;
  const [width, height] = [Math.ceil(a.width / 8), Math.ceil(a.height / 8)];
  const [these, those] = images.map((image) => {
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, image.width / 8, image.height / 8);
    return context.getImageData(0, 0, width, height).data;
  });
  const different = these.filter((value, index) => Math.abs(value - those[index]) > 24);
  return different.length / these.length;
}`;
