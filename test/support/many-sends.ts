import { createSender } from '../../src/deliver/sender.ts';
import { systemClock } from '../../src/support/clock.ts';

// Run as a process of its own, under a limit on file handles: makes 5,000 deliveries at once and counts what came of them.
const [, , port, way] = process.argv;
const { close, ...sender } = createSender({ clock: systemClock, insecure: false, connections: 50 });
const request = {
  method: 'POST',
  url: new URL(`http://127.0.0.1:${port}`),
  target: '/',
  headers: [],
  payload: Buffer.from('{}'),
};
const send = way === 'sendMany' ? sender.sendMany : sender.send;
const counts: Record<string, number> = {};
await Promise.all(
  Array.from({ length: 5000 }, async () => {
    const { outcome } = await send(request, { timeoutMs: 15_000 });
    const what = outcome.kind === 'response' ? `answered ${outcome.status}` : `${outcome.reason}: ${outcome.detail}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }),
);
await close();
console.log(JSON.stringify(counts));
