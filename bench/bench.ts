import { availableParallelism } from 'node:os';
import { benchCapture } from './capture.ts';
import { startChild, withServer } from './child.ts';
import { benchCorpus } from './corpus.ts';
import { benchCrash } from './crash.ts';
import { benchDeliveries } from './deliveries.ts';
import { type Goal, goalText, isReached } from './goals.ts';
import { benchMemory } from './memory.ts';
import { benchPacing } from './pacing.ts';
import { benchRace } from './race.ts';
import { benchRows } from './rows-section.ts';
import { benchStartUp } from './start-up.ts';

/** `npm run bench` runs all of them, `npm run bench -- race capture` these two. To add one: one file, one line here. */
const SECTIONS: Readonly<Record<string, () => Promise<readonly Goal[]>>> = {
  race: () => withServer(startChild('receiver'), benchRace),
  pacing: () => withServer(startChild('receiver'), benchPacing),
  deliveries: benchDeliveries,
  capture: benchCapture,
  'start-up': benchStartUp,
  corpus: benchCorpus,
  crash: benchCrash,
  rows: benchRows,
  memory: benchMemory,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  console.error(
    `error: There is no section "${unknown.join('", "')}". Choose from: ${Object.keys(SECTIONS).join(', ')}.`,
  );
  process.exit(2);
}
console.log(
  `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. Medians, with the least and the most. Read the figures as ratios within this run.`,
);
const goals: Goal[] = [];
for (const [name, run] of Object.entries(SECTIONS)) {
  if (wanted.length === 0 || wanted.includes(name)) goals.push(...(await run()));
}
console.log('\nGoals');
for (const goal of goals) console.log(`  ${isReached(goal) ? 'reached' : 'MISSED '}  ${goalText(goal)}`);
if (!goals.every(isReached)) process.exitCode = 1;
