import { figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

type Pairs = {
  readonly title: string;
  readonly runs: number;
  readonly peer: string;
  /** Each returns a rate, in things a second. */
  readonly runPeer: () => Promise<number>;
  readonly runOurs: () => Promise<number>;
  readonly least: number;
};

/** Both in turn, so that each pair has the same machine; the ratio of each pair is what counts. */
export async function comparePairs({ title, runs, peer, runPeer, runOurs, least }: Pairs): Promise<Goal> {
  const peers: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < runs; run++) {
    peers.push(await runPeer());
    ours.push(await runOurs());
  }
  const ratios = ours.map((rate, index) => rate / (peers[index] ?? Number.NaN));
  const perSecond = (rate: number) => `${Math.round(rate)}/s`;
  row(`${title}, ${peer}`, shown(figuresOf(peers), perSecond));
  row(`${title}, ours`, shown(figuresOf(ours), perSecond));
  row(
    `${title}, ratio`,
    shown(figuresOf(ratios), (ratio) => ratio.toFixed(2)),
  );
  return { what: `${title}, of ${peer}`, value: figuresOf(ratios).median, least };
}
