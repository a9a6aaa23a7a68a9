import { describe, expect, it } from 'vitest';
import { tellAddresses } from '../../../src/commands/tell-addresses.ts';

const LISTENING = [
  { name: 'crm-api', source: 'spy:0,status=201', url: 'http://127.0.0.1:41000' },
  { name: 'mails', source: 'SMTP:0', url: 'smtp://127.0.0.1:41001' },
];

describe('tellAddresses', () => {
  it('puts URLs into the command and into variables', () => {
    expect(tellAddresses('CRM={spy.crm-api} node app.js {smtp.mails} {spy.crm-api} $x {a}', LISTENING)).toEqual({
      command: 'CRM=http://127.0.0.1:41000 node app.js smtp://127.0.0.1:41001 http://127.0.0.1:41000 $x {a}',
      variables: {
        WEBHOOK_REPLAY_SPY_CRM_API: 'http://127.0.0.1:41000',
        WEBHOOK_REPLAY_SMTP_MAILS: 'smtp://127.0.0.1:41001',
      },
    });
  });

  it.each([
    ['{smtp.crm-api}', 'There is: {spy.crm-api}, {smtp.mails}.'],
    ['{spy.mails}', 'There is: {spy.crm-api}, {smtp.mails}.'],
  ])('refuses %s, which is no place', (start, hint) => {
    expect(() => tellAddresses(start, LISTENING)).toThrow(expect.objectContaining({ exitCode: 2, hint }));
  });

  it('says how to open a place where there is none', () => {
    expect(() => tellAddresses('{spy.crm}', [])).toThrow(
      expect.objectContaining({ exitCode: 2, hint: 'Open it with --effect crm=spy:0.' }),
    );
  });
});
