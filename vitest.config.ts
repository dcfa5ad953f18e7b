import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    setupFiles: ['test/support/failure.ts'],
    // Processes, not threads: commands change the process, and SIGTERM is part of what is tested.
    pool: 'forks',
    env: { GRAPHILE_ENV: 'production' },
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
