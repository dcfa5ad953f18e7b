import pino from 'pino';

/** Lines are written together when they have this many characters, or after `flushMs`. */
const minCharacters = 32 * 1024;
const flushMs = 50;

/** Maximum bytes of lines in memory while the reader of standard output is slow. Further lines are dropped. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Makes a destination that writes lines to standard output in the background, so that requests do not wait for the
 * reader. When the process exits, also after an uncaught exception, the remaining lines are written first, possibly
 * before lines that are being written. Only a signal that ends the process immediately, such as SIGKILL, loses the lines
 * of the last milliseconds.
 */
export function asyncDestination(): pino.DestinationStream {
  const stream = pino.destination({
    // The stream writes what it receives at once, or as soon as its latest write has ended.
    ...{ fd: 1, sync: false, minLength: 1, maxLength: maxBytes },
    // With texts, the stream would measure all waiting lines again at each line.
    contentMode: 'buffer',
  });
  let isFlushDue = false;
  let dropped = 0;
  /** The lines that the stream has not received yet. It stores each write, so that one write for many lines is faster. */
  let lines = '';
  let count = 0;
  let handedCount = 0;
  stream.on('drop', () => {
    dropped += handedCount;
  });
  // Its types do not know that the stream accepts bytes then.
  const write = stream.write.bind(stream) as unknown as (lines: Buffer) => boolean;
  stream.on('drain', () => {
    if (dropped === 0) return;
    write(Buffer.from(droppedLine(dropped)));
    dropped = 0;
  });
  const handOver = () => {
    // A destroyed stream throws. Its types lack the property.
    if (count === 0 || Reflect.get(stream, 'destroyed') === true) return;
    const bytes = Buffer.from(lines);
    handedCount = count;
    lines = '';
    count = 0;
    write(bytes);
  };
  const [flushStream, flushSync, end] = [stream.flush, stream.flushSync, stream.end];
  const flush = () => {
    isFlushDue = false;
    handOver();
    if (Reflect.get(stream, 'destroyed') !== true) flushStream.call(stream);
  };
  // Replaced on the stream itself, because pino also uses its other methods, e.g. after a fatal error.
  return Object.assign(stream, {
    write: (line: string) => {
      if (!isFlushDue) setTimeout(flush, flushMs).unref();
      isFlushDue = true;
      lines += line;
      count += 1;
      if (lines.length >= minCharacters) handOver();
      return true;
    },
    flush: (done?: (error?: Error) => void) => {
      handOver();
      flushStream.call(stream, done);
    },
    flushSync: () => {
      // With this minimum, the stream stores the lines. Otherwise it would begin a write that the process does not await.
      Reflect.set(stream, 'minLength', Number.MAX_SAFE_INTEGER);
      handOver();
      Reflect.set(stream, 'minLength', 1);
      flushSync.call(stream);
    },
    end: () => {
      handOver();
      end.call(stream);
    },
  });
}

function droppedLine(lines: number): string {
  const msg = 'lines of the log were dropped, because their reader is too slow';
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, pid: process.pid, lines, msg })}\n`;
}
