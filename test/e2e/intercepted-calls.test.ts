import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SHOP = fileURLToPath(new URL('../fixtures/receivers/crm-shop.js', import.meta.url));

/** A CRM that takes every call. */
async function crm(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(201).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/contacts`;
}

async function play(design: string, trial: string, more: readonly string[] = []) {
  const port = await freePort();
  const words = [
    ...['--start', `"${process.execPath}" "${SHOP}" --design ${design} --port ${port}`],
    ...['--to', `127.0.0.1:${port}/webhooks`, '--provider', 'generic', '--only', trial, '--settle', '250ms', '--json'],
  ];
  const { stdout, stderr, code } = await runCli(['test', ...words, ...more], { cwd: tempFolder() });
  return { stdout, code, text: `exit ${code}\n${stderr}\n${stdout}` };
}

it('finds a second call that passed our stand-in, and shows it', { timeout: 120_000 }, async () => {
  const { stdout, code, text } = await play('naive', 'duplicate.sequential', ['--intercept', `CRM_URL=${await crm()}`]);
  expect(code, text).toBe(1);
  const [trial] = JSON.parse(stdout).trials;
  expect(trial.findings[0], text).toMatchObject({ check: 'no-second-effect' });
  expect(JSON.stringify(trial.findings[0])).toContain('CRM_URL');
  expect(JSON.stringify(trial.findings[0])).toContain('/contacts');
});

it('passes a receiver that calls once, though it looks the order up each time', { timeout: 120_000 }, async () => {
  const { code, text } = await play('guarded', 'duplicate.sequential', ['--intercept', `CRM_URL=${await crm()}`]);
  expect(code, text).toBe(0);
});

it('makes one effect of a call that a spy sees too', { timeout: 120_000 }, async () => {
  const port = await freePort();
  const both = ['--effect', `crm=spy:${port}`, '--intercept', `CRM_URL=http://127.0.0.1:${port}/contacts`];
  const { stdout, code, text } = await play('naive', 'duplicate.sequential', both);
  expect(code, text).toBe(1);
  expect(JSON.parse(stdout).trials[0].findings, text).toHaveLength(1);
});

it('counts a call that went through before a crash, and none that did not', { timeout: 180_000 }, async () => {
  const { stdout, code, text } = await play('guarded', 'retry.after-crash', ['--intercept', `CRM_URL=${await crm()}`]);
  expect(code, text).toBe(1);
  const [trial] = JSON.parse(stdout).trials;
  // Turn 1 looks, turn 2 creates: only a death behind the second leaves a call to be made again.
  expect(
    trial.findings.map(({ check, only }: { check: string; only: readonly string[] }) => [check, only.at(-1)]),
    text,
  ).toEqual([['no-second-effect', 'CRM_URL:after:2']]);
});

it('makes no effect of calls that we let fail', { timeout: 180_000 }, async () => {
  const { stdout, text } = await play('guarded', 'retry.after-error', ['--intercept', `CRM_URL=${await crm()}`]);
  const titles = JSON.parse(stdout).trials[0].findings.map(({ title }: { title: string }) => title);
  expect(titles, text).toContainEqual(expect.stringMatching(/cut after turn 2 of CRM_URL/));
  expect(titles, text).not.toContainEqual(expect.stringMatching(/cut before|refused/));
});
