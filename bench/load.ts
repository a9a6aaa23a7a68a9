import autocannon from 'autocannon';

/**
 * autocannon with nothing added: equal requests over 50 connections, for so many seconds or until so many were answered.
 * Prints how many that were. A count is only good for what must be reached: autocannon ends at whole seconds.
 */
const [url = '', limit = '', value = '0'] = process.argv.slice(2);
const body = JSON.stringify({ id: 'evt_1', type: 'order.paid', data: { note: 'n'.repeat(2000) } });
const result = await autocannon({
  url,
  ...(limit === 'amount' ? { amount: Number(value) } : { duration: Number(value) }),
  connections: 50,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
console.log(JSON.stringify({ seconds: result.duration, answered: result['2xx'] }));
process.exit(result.non2xx + result.errors === 0 ? 0 : 1);
