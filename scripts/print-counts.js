// Prints "N passed, N failed, N skipped" from vitest's result file; fails when there is none or no test ran.
import { existsSync, readFileSync } from 'node:fs';

const file = process.argv[2];
if (!existsSync(file)) {
  process.stderr.write(`The test runner wrote no result to "${file}".\n`);
  process.exit(1);
}
const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } = JSON.parse(
  readFileSync(file, 'utf8'),
);
// A file that could not even be loaded has no failed test, but it is a failure.
const brokenFiles = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const failed = numFailedTests + brokenFiles.length;
process.stdout.write(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`);
process.exitCode = failed > 0 || numFailedTestSuites > 0 || numPassedTests === 0 ? 1 : 0;
