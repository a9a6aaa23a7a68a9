import { defineConfig } from 'vitest/config';

const results = process.env['WEBHOOK_REPLAY_RESULTS'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    hookTimeout: 60_000,
    // Receivers and the program run in processes of their own; two cores are the smallest machine that must do.
    maxWorkers: 2,
    maxConcurrency: 4,
    testTimeout: 30_000,
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
  },
});
