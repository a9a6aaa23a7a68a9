import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Receivers and the CLI run in processes of their own; two cores are the machine.
    maxWorkers: 2,
  },
});
