import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';

/** A destination for log lines that a test can read. */
export class LogCapture extends Writable {
  readonly #news = new EventEmitter();
  #text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk;
    this.#news.emit('line');
    done();
  }

  /** Returns everything written so far. */
  get text(): string {
    return this.#text;
  }

  /** Removes everything written so far. */
  forget(): void {
    this.#text = '';
  }

  /** Returns the first line that contains the text, as soon as it appears. */
  async lineWith(text: string): Promise<Record<string, unknown>> {
    for (;;) {
      const line = this.#text.split('\n').find((one) => one.includes(text));
      if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
      await once(this.#news, 'line');
    }
  }
}
