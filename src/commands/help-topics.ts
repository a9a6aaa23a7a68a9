import wrapAnsi from 'wrap-ansi';
import type { Context } from './context.ts';

type Row = readonly [name: string, text: string];
type Topic = { readonly intro: string; readonly rows: readonly Row[]; readonly more?: readonly string[] };

const TOPICS: Readonly<Record<string, () => Topic | Promise<Topic>>> = {
  patterns: async () => {
    const { PATTERNS } = await import('../plan/patterns.ts');
    return {
      intro: 'How events arrive (--pattern). In p+q, p acts first: duplicate:3+out-of-order:shuffle.',
      rows: PATTERNS.map(({ usage, summary }) => [usage, summary]),
      more: ['--seed N fixes every choice; --dry-run prints the plan and sends nothing.'],
    };
  },
  events: () => ({
    intro: 'How events are named, as words of replay or with --event; several may be given.',
    rows: [
      ['last, last:5', 'the newest event of the corpus, the newest five'],
      ['Xt9Kp2, evt_1Nv', "an id of the corpus, or the provider's (then its newest delivery)"],
      ['@tag', 'events with this tag'],
      ["'type:invoice.*'", 'events of this type; * matches anything'],
      ['provider:stripe', 'events of this provider'],
      ['./event.http', 'a file: a raw HTTP request, JSONL, a curl line or a bare body'],
      ['fixture:stripe/NAME', 'a sample event; webhook-replay fixtures lists them'],
      ['run:ID', 'the events of a stored run'],
    ],
  }),
  effects: () => ({
    intro: 'What is observed (--effect). NAME=SOURCE gives an effect its own name in reports.',
    rows: [
      ['sqlite:PATH#table,table', 'rows added, changed, removed; without #, of every table'],
      ['postgres://HOST/DB#table', 'the same over a real connection, mysql:// too; schema.table is allowed'],
      ['redis://HOST#pattern', 'keys and what they hold; BullMQ queues as jobs and counts (rediss:// for TLS)'],
      ['http://URL#/pointer', 'a JSON answer; a number is a counter, the rest is compared by content'],
      ['metrics+http://URL#name', 'Prometheus text: each set of labels is a counter'],
      ['exec:COMMAND', 'what a command prints: JSON, else lines'],
      ['log:PATH#/regex/', 'each new line that matches; named groups are its cells'],
      ['spy:PORT', 'we listen there as the API that the receiver calls; each request is an effect'],
      ['spy:PORT,OPTION,...', 'status=201 body=TEXT delay=50ms fail-once=503 forward=URL routes=FILE.json'],
      ['smtp:PORT', 'we listen there as a mail server; each mail is an effect'],
      ['amqp://HOST/VHOST#queue', 'how many messages wait; #exchange/routing.key: each one published'],
      ['nats://HOST#subject', 'each message published; what JetStream keeps of it'],
    ],
    more: [
      'Port 0 takes a free one: with test --start, {spy.NAME} and {smtp.NAME} in the command stand for its URL, as do WEBHOOK_REPLAY_SPY_NAME and WEBHOOK_REPLAY_SMTP_NAME in its environment. HOST:PORT listens elsewhere than on loopback.',
      "--ignore GLOB takes out bookkeeping: table, table.column, 'effect:table.column', or 'effect#/pointer' for JSON.",
    ],
  }),
  'exit-codes': () => ({
    intro: 'What a script can rely on. 1 beats 3 beats 0; a closed pipe changes none.',
    rows: [
      ['0', 'every check held; the command did what it says'],
      ['1', 'a check is broken: the receiver is at fault (verify: the signature is wrong)'],
      ['2', 'wrong usage or configuration; nothing was sent'],
      ['3', 'could not tell: no answer, nothing observed, the schedule was not kept'],
      ['70', 'a bug in webhook-replay'],
      ['130', 'interrupted by Ctrl-C or SIGTERM, after what was open had been brought to an end'],
    ],
  }),
  environment: () => ({
    intro: 'Variables that are read. A flag beats its variable.',
    rows: [
      ['WEBHOOK_REPLAY_TO', '--to of send, replay and test'],
      ['WEBHOOK_REPLAY_...', 'every other option of these three: WEBHOOK_REPLAY_SETTLE_MAX is --settle-max'],
      ['WEBHOOK_REPLAY_LIST_LIMIT', 'an option of another command, with the name of the command before it'],
      ['WEBHOOK_REPLAY_CORPUS', '--corpus of every command'],
      ['NO_COLOR', 'no colour, when it is not empty; beats FORCE_COLOR'],
      ['FORCE_COLOR', 'colour also in a pipe; 0 is none'],
      ['TERM=dumb', 'no colour and no moving lines'],
      ['COLUMNS', 'the width where there is no terminal'],
      ['CI', 'nobody is asked, as with --no-input'],
    ],
  }),
};

export const TOPIC_NAMES: readonly string[] = Object.keys(TOPICS);

/** The text of a topic for a stream of this width; `undefined` when there is no such topic. */
export async function topicText(name: string, { out }: Pick<Context, 'out'>): Promise<string | undefined> {
  const topic = Object.hasOwn(TOPICS, name) ? await TOPICS[name]?.() : undefined;
  if (!topic) return undefined;
  const width = Math.min(out.columns, 100);
  const nameWidth = Math.max(...topic.rows.map(([word]) => word.length));
  const rows = topic.rows.flatMap(([word, text]) => rowLines(word, text, { nameWidth, width }));
  const paragraphs = [topic.intro, rows.join('\n'), ...(topic.more ?? [])];
  const wrapped = paragraphs.map((text, at) => (at === 1 ? text : wrapAnsi(text, width)));
  return `${wrapped.join('\n\n')}\n`;
}

const BELOW = 6;

function rowLines(
  word: string,
  text: string,
  { nameWidth, width }: { readonly nameWidth: number; readonly width: number },
): readonly string[] {
  const isNarrow = width - nameWidth < 34;
  const indent = isNarrow ? BELOW : nameWidth + 4;
  const lines = wrapAnsi(text, width - indent).split('\n');
  if (isNarrow) return [`  ${word}`, ...lines.map((line) => `${' '.repeat(BELOW)}${line}`)];
  return lines.map((line, at) => (at === 0 ? `  ${word.padEnd(nameWidth)}  ${line}` : `${' '.repeat(indent)}${line}`));
}
