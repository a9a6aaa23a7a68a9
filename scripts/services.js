// Starts what the tests talk to: PostgreSQL, MariaDB, Redis, RabbitMQ and NATS, each on its usual loopback port, where nothing answers
// there yet. Installs from Debian's packages; elsewhere it says what to start by hand. WEBHOOK_REPLAY_TEST_POSTGRES=URL and the like
// (see test/support/service-list.json) point to another place; such a service is only looked at.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const services = JSON.parse(readFileSync(new URL('../test/support/service-list.json', import.meta.url), 'utf8'));

/** How each is started as root, and what must be so before the tests can log in. */
const START = {
  postgres: () => {
    const [version] = readdirSync('/etc/postgresql').sort().reverse();
    trustLoopback(`/etc/postgresql/${version}/main/pg_hba.conf`);
    run('pg_ctlcluster', ['--skip-systemctl-redirect', version, 'main', 'start']);
  },
  mysql: () => {
    mkdirSync('/run/mysqld', { recursive: true });
    run('chown', ['mysql:mysql', '/run/mysqld']);
    run('start-stop-daemon', [
      '--start',
      '--oknodo',
      '--background',
      '--exec',
      '/usr/sbin/mariadbd',
      '--',
      '--user=mysql',
    ]);
  },
  redis: () =>
    run('redis-server', [
      '--daemonize',
      'yes',
      '--bind',
      '127.0.0.1',
      '--port',
      '6379',
      '--save',
      '',
      '--appendonly',
      'no',
    ]),
  amqp: () => run('rabbitmq-server', ['-detached']),
  nats: () =>
    run('start-stop-daemon', [
      '--start',
      '--oknodo',
      '--background',
      '--exec',
      '/usr/sbin/nats-server',
      '--',
      '-a',
      '127.0.0.1',
      '-p',
      '4222',
      '-js',
      '-sd',
      '/var/lib/nats-server',
    ]),
};

/** A new MariaDB lets root in by its socket only; the tests come over TCP with an empty password. */
const PREPARE = {
  mysql: () =>
    run('mariadb', ['-e', "ALTER USER 'root'@'localhost' IDENTIFIED VIA mysql_native_password USING PASSWORD('')"]),
};

const silent = [];
for (const service of services) if (!(await answers(service))) silent.push(service);
const problems = silent.length === 0 ? [] : await start(silent);
for (const problem of problems) process.stderr.write(`services: ${problem}\n`);
process.stdout.write(`services: ${services.length - problems.length} of ${services.length} answer\n`);
process.exitCode = problems.length > 0 && process.env.CI ? 1 : 0;

async function start(missing) {
  const elsewhere = missing.filter(({ variable }) => process.env[variable]);
  const here = missing.filter(({ variable }) => !process.env[variable]);
  const told = elsewhere.map(({ name, variable }) => `${name} does not answer at the place that ${variable} names.`);
  if (here.length === 0) return told;
  const names = here.map(({ name, url }) => `${name} at ${url}`).join(', ');
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get'))
    return [...told, ...here.map(byHand('there is no apt here'))];
  if (process.getuid() !== 0) return [...told, ...here.map(byHand('only root can install and start it'))];
  process.stdout.write(`services: starting ${names}\n`);
  return [...told, ...(await Promise.all(here.map(startOne))).flat()];
}

function byHand(reason) {
  return ({ name, url, variable }) =>
    `${name} does not answer at ${url}, and ${reason}. Start it, or set ${variable}=URL.`;
}

async function startOne(service) {
  try {
    install(service);
    START[service.id]();
    if (!(await answersSoon(service))) return [`${service.name} was started and does not answer at ${service.url}.`];
    PREPARE[service.id]?.();
    return [];
  } catch (error) {
    return [`${service.name} could not be started: ${error.message}`];
  }
}

function install({ package: name, program }) {
  if (existsSync(program)) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], { env, stdio: 'ignore' }).status === 0)
    return;
  run('apt-get', ['update'], env);
  run('apt-get', ['install', '-y', '--no-install-recommends', name], env);
}

/** A new cluster asks for a password over TCP; the tests have none. */
function trustLoopback(file) {
  run('sed', ['-i', '-E', 's#^(host\\s+all\\s+all\\s+(127\\.0\\.0\\.1/32|::1/128)\\s+).*#\\1trust#', file]);
}

function run(command, words, env = process.env) {
  const { status, stderr, error } = spawnSync(command, words, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${error?.message ?? stderr.trim()}`);
}

async function answersSoon(service) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200))
    if (await answers(service)) return true;
  return false;
}

function answers({ url, variable }) {
  const { hostname, port } = new URL(process.env[variable] || url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || new URL(url).port),
    timeout: 2000,
  });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const end of ['error', 'timeout']) socket.once(end, () => resolve(false));
  }).finally(() => socket.destroy());
}
