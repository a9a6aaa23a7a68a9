import { row } from './figures.ts';
import type { Goal } from './goals.ts';
import { measureRows } from './rows.ts';

/** Where the databases answer; as the tests have them. */
const URLS = [
  process.env['WEBHOOK_REPLAY_TEST_POSTGRES'] || 'postgres://postgres@127.0.0.1:5432/postgres',
  process.env['WEBHOOK_REPLAY_TEST_MYSQL'] || 'mysql://root@127.0.0.1:3306/mysql',
];

/** One row added, one changed and one removed in a table of 1,000,000 rows, of two real databases. */
export async function benchRows(): Promise<readonly Goal[]> {
  console.log('\nRows: what differs in a table of 1,000,000 rows; needs the databases of npm run services');
  const goals: Goal[] = [];
  for (const url of URLS) {
    const { engine, holdMs, differenceMs, againMs, rssMb, isRight } = await measureRows(url);
    if (!isRight) throw new Error(`${engine}: other rows than the changed ones were found.`);
    row(engine, `${holdMs.toFixed(0)} ms to hold`, `${differenceMs.toFixed(0)} ms`, `${againMs.toFixed(0)} ms again`);
    goals.push({ what: `${engine}, difference, s`, value: differenceMs / 1000, most: 2 });
    goals.push({ what: `${engine}, greatest resident size, MB`, value: rssMb, most: 200 });
  }
  return goals;
}
