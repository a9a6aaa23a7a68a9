import { runCli } from './cli.ts';

type Report = {
  readonly verdict: string;
  readonly run: { readonly id: string; readonly seed: number; readonly interrupted: boolean };
  readonly counts: { readonly events: number; readonly attempts: number; readonly planned: number };
  readonly effects: ReadonlyArray<{
    readonly id: string;
    readonly baseline: { readonly added: number; readonly changed: number; readonly removed: number };
  }>;
  readonly trials: ReadonlyArray<{
    readonly verdict: string;
    readonly reason?: string;
    readonly rounds: number;
    readonly hits: number;
    readonly notes: readonly string[];
    readonly findings: ReadonlyArray<{
      readonly check: string;
      readonly effect?: string;
      readonly title: string;
      readonly reproduce: string;
    }>;
  }>;
};

export type Replayed = { readonly code: number | null; readonly report: Report; readonly stderr: string };

/** Runs `replay ... --json` to its end and reads the report. */
export async function replay(
  cwd: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Replayed> {
  const { stdout, stderr, code } = await runCli(['replay', ...words, '--json'], { cwd, env });
  return { code, stderr, report: JSON.parse(stdout) as Report };
}

/** The checks that broke, each once, for a readable failure. */
export function brokenChecks({ report }: Replayed): readonly string[] {
  return [...new Set(report.trials.flatMap(({ findings }) => findings.map(({ check }) => check)))];
}

/** What a failing expectation should show. */
export function summaryOf({ code, report, stderr }: Replayed): string {
  return JSON.stringify({ code, verdict: report.verdict, trials: report.trials, stderr }, null, 1);
}
