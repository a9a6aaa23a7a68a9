import autocannon from 'autocannon';

/** autocannon with nothing added: so many equal requests over 50 connections. Prints how long they took. */
const [url = '', amount = '0'] = process.argv.slice(2);
const body = JSON.stringify({ id: 'evt_1', type: 'order.paid', data: { note: 'n'.repeat(2000) } });
const startMs = performance.now();
const result = await autocannon({
  url,
  amount: Number(amount),
  connections: 50,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const ms = performance.now() - startMs;
console.log(JSON.stringify({ ms, answered: result['2xx'] }));
process.exit(result['2xx'] === Number(amount) ? 0 : 1);
