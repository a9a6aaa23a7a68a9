import type { Provider, SignatureScheme } from './provider.ts';

const signature: SignatureScheme = {
  algorithm: 'sha256',
  key: 'utf8',
  content: '{body}',
  encoding: 'hex',
  header: 'X-Hub-Signature-256',
  value: '{signatures}',
  each: 'sha256={signature}',
  join: null,
};

const legacySignature: SignatureScheme = {
  ...signature,
  algorithm: 'sha1',
  header: 'X-Hub-Signature',
  each: 'sha1={signature}',
};

/**
 * The objects an event may be about, each with the field that numbers it. An event names several (a review and its
 * pull request, an issue and the label it got), so the one it is about comes before those that only come with it.
 */
const OBJECTS = [
  ['comment', 'id'],
  ['review', 'id'],
  ['pull_request', 'number'],
  ['discussion', 'number'],
  ['issue', 'number'],
  ['check_run', 'id'],
  ['check_suite', 'id'],
  ['workflow_job', 'id'],
  ['workflow_run', 'id'],
  ['deployment', 'id'],
  ['release', 'id'],
  ['alert', 'number'],
  ['package', 'id'],
  ['merge_group', 'head_sha'],
  ['label', 'id'],
  ['milestone', 'number'],
  ['member', 'id'],
  ['hook', 'id'],
] as const;

/** Things that belong to an organisation or an account, not to a repository. */
const ACCOUNT_OBJECTS = [
  ['projects_v2_item', 'id'],
  ['projects_v2', 'id'],
  ['sponsorship', 'node_id'],
  ['marketplace_purchase', 'account/id'],
  ['team', 'id'],
] as const;

const resource = [
  ...OBJECTS.map(([name, id]) => `body:/repository/full_name? + text:${name} + body:/${name}/${id}`),
  ...ACCOUNT_OBJECTS.map(([name, id]) => `text:${name} + body:/${name}/${id}`),
  'body:/repository/full_name + body:/ref_type? + body:/ref',
  'body:/repository/full_name + text:commit + body:/sha',
  'body:/repository/full_name',
  'text:installation + body:/installation/id',
];

/**
 * Signature: npm @octokit/webhooks-methods@6.0.0; https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 * Timeout and redelivery: github/docs content/webhooks/using-webhooks/best-practices-for-using-webhooks.md.
 * A form delivery (`payload=`) is signed over the form's bytes. There is no time in an event that is its own.
 * Gitea, Gogs and Forgejo send `X-GitHub-Event` too, with another signature.
 */
export const github: Provider = {
  id: 'github',
  name: 'GitHub',
  docsUrl: 'https://docs.github.com/webhooks',
  detectHeaders: [['X-GitHub-Event']],
  detectNotHeaders: ['X-Gitea-Event', 'X-Gogs-Event', 'X-Forgejo-Event'],
  detectBody: ['/sender/login', '/sender/node_id'],
  signature,
  legacySignatures: [legacySignature],
  locate: {
    eventId: ['header:X-GitHub-Delivery'],
    deliveryId: ['header:X-GitHub-Delivery'],
    type: ['header:X-GitHub-Event + body:/action?'],
    occurredAt: [],
    resource,
  },
  stability: 'X-GitHub-Delivery is the same on every redelivery; it is not covered by the signature.',
  retry: { automatic: false, timeoutSeconds: 10 },
  requestHeaders: [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'GitHub-Hookshot/0000000'],
    ['X-GitHub-Event', '{event}'],
    ['X-GitHub-Delivery', '{uuid}'],
  ],
};
