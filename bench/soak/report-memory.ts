// Loaded into the server with `--import` and `--expose-gc`: answers each message of the parent process with the memory
// in use after a garbage collection.
process.on('message', () => {
  // The second collection frees the memory of objects that the first one finalized.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heapMiB: heapUsed / 2 ** 20, residentMiB: rss / 2 ** 20 });
});
process.channel?.unref();
